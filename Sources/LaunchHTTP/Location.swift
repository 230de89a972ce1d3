/// Where a request goes, with path and query exactly as on the wire. Not Foundation's `URL`: nothing is normalised.
///
/// ```swift
/// let location = try Location(parsing: "https://api.onesignal.com/apps/7d3c/users?limit=1")
/// location.host    // "api.onesignal.com"
/// location.target  // "/apps/7d3c/users?limit=1"
/// ```
public struct Location: Hashable, Sendable {
  /// `https` or `http`, lower case.
  public var scheme: String
  /// Lower case; IPv6 addresses keep their brackets.
  public var host: String
  /// As written; nil for the scheme's default.
  public var port: Int?
  /// As on the wire, percent-encoding untouched; always starts with `/`.
  public var path: String
  /// As on the wire without the `?`; nil when there is no `?`.
  public var query: String?

  /// Takes the parts as they are and checks nothing; `init(parsing:)` is for text from outside.
  public init(scheme: String, host: String, port: Int? = nil, path: String = "/", query: String? = nil) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Host and port as a `Host` line carries them.
  public var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// Path and query: the target of an origin-form request line.
  public var target: String { query.map { "\(path)?\($0)" } ?? path }
}

extension Location: CustomStringConvertible {
  public var description: String { "\(scheme)://\(authority)\(target)" }
}
