import LaunchHTTP

/// The calls that a contract declares, by the hosts they go to: of many vendors' calls, a request is compared with those of
/// one.
struct CallIndex: Sendable {
  /// By host, what may match there; all lists in the order of the names.
  private var known: [String: [CallMatcher]] = [:]
  /// What may match at any other host.
  private let others: [CallMatcher]

  init(_ calls: [(name: Int, pattern: CallPattern?)]) {
    func onlyHosts(_ call: (name: Int, pattern: CallPattern?)) -> [String]? { call.pattern?.url.onlyHosts }
    let anywhere = calls.filter { onlyHosts($0) == nil }
    others = anywhere.map { CallMatcher(name: $0.name, pattern: $0.pattern, isOfKnownHost: false) }
    for host in Set(calls.compactMap(onlyHosts).joined()) {
      known[host] = calls.filter { onlyHosts($0)?.contains(host) ?? true }.map {
        CallMatcher(name: $0.name, pattern: $0.pattern, isOfKnownHost: onlyHosts($0) != nil)
      }
    }
  }

  /// The names of the calls that the request is.
  func names(of view: RequestView) -> [Int] {
    let matchers = known[view.request.location.host] ?? others
    var names: [Int] = []
    for matcher in matchers where matcher.accepts(view) {
      if names.isEmpty { names.reserveCapacity(matchers.count) }
      names.append(matcher.name)
    }
    return names
  }
}

/// What requests a name means. Behind a reference, so that comparing copies nothing.
private final class CallMatcher: Sendable {
  let name: Int
  private let acceptsAll: Bool
  /// Nil for any.
  private let method: String?
  private let scheme: String
  private let port: Int
  /// Nil when the host is known to fit.
  private let hosts: [PartPattern]?
  private let paths: [PartPattern]
  private let conditions: [Condition]

  /// - Parameters:
  ///   - pattern: Nil for `calls`, which means all requests.
  ///   - isOfKnownHost: Only requests to a host that fits are asked about.
  init(name: Int, pattern: CallPattern?, isOfKnownHost: Bool) {
    self.name = name
    acceptsAll = pattern == nil
    method = pattern?.method
    scheme = pattern?.url.scheme ?? ""
    port = pattern?.url.port ?? Self.defaultPort(of: scheme)
    hosts = isOfKnownHost ? nil : pattern?.url.hosts
    paths = pattern?.url.paths ?? []
    conditions = pattern?.conditions ?? []
  }

  func accepts(_ view: RequestView) -> Bool {
    if acceptsAll { return true }
    if let method, !method.isSpelt(view.request.method) { return false }
    guard view.request.location.scheme == scheme,
      view.request.location.port ?? Self.defaultPort(of: scheme) == port,
      paths.contains(where: { fits($0, view.request.location.path, view.pathBytes, from: 1) }),
      hosts?.contains(where: { fits($0, view.request.location.host, view.hostBytes, from: 0) }) ?? true
    else { return false }
    return conditions.allSatisfy { $0.holds(for: view) }
  }

  private func fits(
    _ pattern: PartPattern, _ text: String, _ bytes: @autoclosure () -> [UInt8], from first: Int
  ) -> Bool {
    if let onlyText = pattern.onlyText { return text.isSpelt(onlyText) }
    return pattern.fits(bytes(), from: first)
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension String {
  /// Equality of what is compared with many texts that are not equal, which their lengths mostly tell.
  fileprivate func isSpelt(_ other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}
