import LaunchHTTP

/// Says where requests go that name their vendors' own hosts.
///
/// ```swift
/// let routes = try RouteTable(parsing: ["api.onesignal.com=127.0.0.1:9001"], otherwise: .refuse)
/// let transport = CurlTransport(routes: routes)
/// ```
///
/// Clients always use the vendors' locations, and so do recordings. A route changes the address connected to, and
/// whether TLS is spoken there; the `Host` line and the name asked for in TLS stay the vendor's.
public struct RouteTable: Hashable, Sendable {
  /// What happens to a request for a host without a route.
  public enum Fallback: Hashable, Sendable {
    /// It goes to the host itself, over the network.
    case direct
    /// It fails with the reason `refused` before anything is looked up or connected to.
    case refuse
  }

  /// What happens to a request for a host without a route.
  public var otherwise: Fallback
  /// By host in lower case.
  private var routes: [String: Route] = [:]

  /// Hosts are compared without letter case.
  public init(_ routes: [String: Route] = [:], otherwise: Fallback) {
    self.otherwise = otherwise
    for (host, route) in routes.sorted(by: { $0.key < $1.key }) { self[host] = route }
  }

  /// Reads routes as `HOST=ADDRESS`, with an address as `Route` reads it. `caFile` is for all routes with TLS.
  /// - Throws: `RouteError` for the first text that is not a route, or names a host again.
  public init(parsing texts: [String], caFile: String? = nil, otherwise: Fallback) throws(RouteError) {
    self.otherwise = otherwise
    for text in texts {
      guard let mark = text.firstIndex(of: "=") else { throw .missingAddress(text) }
      let host = String(text[..<mark])
      guard Route.isHost(host) else { throw .invalidHost(host) }
      guard self[host] == nil else { throw .duplicateHost(host) }
      self[host] = try Route(parsing: String(text[text.index(after: mark)...]), caFile: caFile)
    }
  }

  /// The route of `host`, nil when it has none.
  public subscript(host: String) -> Route? {
    get { routes[host.lowercasedASCII] }
    set { routes[host.lowercasedASCII] = newValue }
  }
}
