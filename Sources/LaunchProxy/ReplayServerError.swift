public import LaunchServer

/// Why a replay could not be served.
public enum ReplayServerError: Error, Hashable, Sendable {
  /// Not `HOST:PORT`; the text as given.
  case malformedAddress(String)
  /// An address that other machines could reach, or one that is not served; as given.
  case notLoopback(String)
  /// An address was given for a host that the cassette does not have.
  case notRecorded(host: String, recorded: [String])
  /// A listener could not start.
  case server(ServerError)
}

extension ReplayServerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedAddress(let text): "\(text) is no address with a port; write 127.0.0.1:PORT, 0 for a free port"
    case .notLoopback(let text): "\(text) is not on 127.0.0.1, and a replay is served on loopback only"
    case .notRecorded(let host, let recorded):
      "the cassette has no request to \(host)"
        + (recorded.isEmpty ? "" : "; it has \(recorded.joined(separator: ", "))")
    case .server(let error): "\(error)"
    }
  }
}
