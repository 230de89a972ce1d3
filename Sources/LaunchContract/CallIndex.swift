import LaunchHTTP

/// The calls that a contract declares, by the hosts they go to: of many vendors' calls, a request is compared with those of
/// one.
struct CallIndex: Sendable {
  /// A call with what it matches; `calls` itself matches everything.
  typealias Entry = (name: Int, pattern: CallPattern?)

  /// By host, those that may match there; all lists in the order of the names.
  private var known: [String: [Entry]] = [:]
  /// Those that may match at any other host.
  private let others: [Entry]

  init(_ calls: [Entry]) {
    let hosts = calls.map { $0.pattern?.url.onlyHosts }
    others = zip(calls, hosts).filter { $1 == nil }.map(\.0)
    for host in Set(hosts.compactMap(\.self).joined()) {
      known[host] = zip(calls, hosts).filter { $1?.contains(host) ?? true }.map(\.0)
    }
  }

  /// The names of the calls that the request is.
  func names(of view: inout RequestView) -> [Int] {
    var names: [Int] = []
    for (name, pattern) in known[view.request.location.host] ?? others where pattern?.matches(&view) ?? true {
      names.append(name)
    }
    return names
  }
}
