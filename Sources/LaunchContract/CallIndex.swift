import LaunchHTTP

/// The calls that a contract declares, by the hosts they go to: of many vendors' calls, a request is compared with those of
/// one.
struct CallIndex: Sendable {
  /// What requests a name means; behind a reference, since looking at one must not copy it.
  private final class Entry: Sendable {
    let name: Int
    /// Nil for `calls`, which means all of them.
    let pattern: CallPattern?

    init(name: Int, pattern: CallPattern?) {
      self.name = name
      self.pattern = pattern
    }
  }

  /// By host, what may match there; all lists in the order of the names.
  private var known: [String: [Entry]] = [:]
  /// What may match at any other host.
  private var others: [Entry]

  init(_ calls: [(name: Int, pattern: CallPattern?)]) {
    let entries = calls.map { Entry(name: $0.name, pattern: $0.pattern) }
    let hosts = entries.map { $0.pattern?.url.onlyHosts }
    others = zip(entries, hosts).filter { $1 == nil }.map(\.0)
    for host in Set(hosts.compactMap(\.self).joined()) {
      known[host] = zip(entries, hosts).filter { $1?.contains(host) ?? true }.map(\.0)
    }
  }

  /// The names of the calls that the request is.
  func names(of view: RequestView) -> [Int] {
    let entries = known[view.request.location.host] ?? others
    var names: [Int] = []
    for entry in entries where entry.pattern?.matches(view) ?? true {
      if names.isEmpty { names.reserveCapacity(4) }
      names.append(entry.name)
    }
    return names
  }
}
