import LaunchHTTP

/// The calls that a contract declares, by the hosts they go to: of many vendors' calls, a request is compared with those of
/// one.
struct CallIndex: Sendable {
  /// By host, what may match there; all lists in the order of the names.
  private let known: HostTable<[CallMatcher]>
  /// What may match at any other host.
  private let others: [CallMatcher]
  /// The names of every request: `calls`, where it is watched.
  private let always: [Int]

  /// - Parameter calls: In the order of the names; no pattern means all requests.
  init(_ calls: [(name: Int, pattern: CallPattern?)]) {
    let always = calls.filter { $0.pattern == nil }.map(\.name)
    let declared = calls.compactMap { call in call.pattern.map { (name: call.name, pattern: $0) } }
    func matchers(at host: String?) -> [CallMatcher] {
      declared.compactMap { name, pattern in
        let hosts = pattern.url.onlyHosts
        guard hosts.map({ host.map($0.contains) ?? false }) ?? true else { return nil }
        return CallMatcher(name: name, beside: always, pattern: pattern, isOfKnownHost: hosts != nil)
      }
    }
    let hosts = Set(declared.compactMap(\.pattern.url.onlyHosts).joined())
    known = HostTable(hosts.map { ($0, matchers(at: $0)) })
    others = matchers(at: nil)
    self.always = always
  }

  /// The names of the calls that the request is.
  func names(of view: inout RequestView) -> [Int] {
    var names = always
    for matcher in known[view.request.location.host] ?? others where matcher.accepts(&view) {
      if names.count == always.count { names = matcher.names } else { names.append(matcher.name) }
    }
    return names
  }
}

/// Values by host: a few hosts are looked through faster than they are hashed.
private struct HostTable<Value: Sendable>: Sendable {
  private let few: [(host: String, value: Value)]
  private let many: [String: Value]

  init(_ values: [(String, Value)]) {
    let isFew = values.count <= 32
    few = isFew ? values.map { (host: $0, value: $1) } : []
    many = isFew ? [:] : Dictionary(uniqueKeysWithValues: values)
  }

  subscript(host: String) -> Value? {
    if few.isEmpty { return many[host] }
    for place in few.indices where few[place].host.isSpelt(host) { return few[place].value }
    return nil
  }
}

/// What requests a name means. Behind a reference, so that comparing copies nothing.
private final class CallMatcher: Sendable {
  let name: Int
  /// Those of a request that is nothing else that is declared; made once, and shared by all of its occurrences.
  let names: [Int]
  /// Nil for any.
  private let method: String?
  private let scheme: String
  private let port: Int
  /// Nil when the host is known to fit.
  private let hosts: [PartPattern]?
  private let paths: [PartPattern]
  private let conditions: [Condition]

  /// - Parameters:
  ///   - always: The names that every request has beside this one, all before it.
  ///   - isOfKnownHost: Only requests to a host that fits are asked about.
  init(name: Int, beside always: [Int], pattern: CallPattern, isOfKnownHost: Bool) {
    self.name = name
    names = always + [name]
    method = pattern.method
    scheme = pattern.url.scheme
    port = pattern.url.port ?? Self.defaultPort(of: scheme)
    hosts = isOfKnownHost ? nil : pattern.url.hosts
    paths = pattern.url.paths
    conditions = pattern.conditions
  }

  func accepts(_ view: inout RequestView) -> Bool {
    if let method, !method.isSpelt(view.request.method) { return false }
    guard view.request.location.scheme == scheme, view.request.location.port ?? Self.defaultPort(of: scheme) == port,
      Self.fit(paths, view.request.location.path, from: 1),
      hosts.map({ Self.fit($0, view.request.location.host, from: 0) }) ?? true
    else { return false }
    for condition in conditions where !condition.holds(for: &view) { return false }
    return true
  }

  private static func fit(_ patterns: [PartPattern], _ text: String, from first: Int) -> Bool {
    patterns.contains { pattern in
      if let onlyText = pattern.onlyText { return text.isSpelt(onlyText) }
      return pattern.fits(text, from: first)
    }
  }

  private static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension String {
  /// Equality of what is compared with many texts that are not equal, which their lengths mostly tell.
  fileprivate func isSpelt(_ other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}
