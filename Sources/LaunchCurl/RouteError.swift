/// Why a route cannot be read from text. Each case carries the text at fault.
public enum RouteError: Error, Hashable, Sendable {
  /// There is no `=` between host and address.
  case missingAddress(String)
  /// The text before the `=`, or before the port, is not the name or the address of a host.
  case invalidHost(String)
  /// Something other than `tls://` stands before the address.
  case invalidScheme(String)
  /// The text after the last `:` is not a number from 1 to 65535.
  case invalidPort(String)
  /// A second route for a host.
  case duplicateHost(String)
}

extension RouteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingAddress(let text):
      "“\(text)” is not a route: expected HOST=ADDRESS, such as api.example.com=127.0.0.1:9001"
    case .invalidHost(let text): "“\(text)” is not a host"
    case .invalidScheme(let text): "“\(text)” is not known: an address is HOST:PORT or tls://HOST:PORT"
    case .invalidPort(let text): "“\(text)” is not a port: expected a number from 1 to 65535"
    case .duplicateHost(let host): "there is more than one route for \(host)"
    }
  }
}
