public import LaunchHTTP

/// What recorded requests have in common that went to one server: scheme, host and port.
///
/// ```swift
/// let origin = Origin(of: try Location(parsing: "https://api.onesignal.com:443/apps"))
/// origin.description  // "https://api.onesignal.com"
/// ```
public struct Origin: Hashable, Sendable {
  /// `https` or `http`.
  public let scheme: String
  /// Lower case, as in `Location`.
  public let host: String
  /// Nil for the scheme's own port, also where the location spells it out.
  public let port: Int?

  public init(of location: Location) {
    scheme = location.scheme
    host = location.host
    port = location.port == location.usualPort ? nil : location.port
  }

  /// The same path and query at this origin.
  func location(like other: Location) -> Location {
    Location(scheme: scheme, host: host, port: port, path: other.path, query: other.query)
  }
}

extension Origin: CustomStringConvertible {
  public var description: String { "\(scheme)://\(authority)" }

  var authority: String { port.map { "\(host):\($0)" } ?? host }
}

extension Location {
  fileprivate var usualPort: Int { scheme == "https" ? 443 : 80 }
}
