import LaunchHTTP

/// Which host a call goes to, if it may go anywhere: the lists of hosts, and what answers have forbidden (vendors.md 2.1
/// and 2.5).
struct AdaptyServers: Hashable, Sendable {
  let cluster: AdaptyConfiguration.Cluster
  private(set) var configuration: AdaptyNetConfig

  /// Which main host is used; beyond the list means its last.
  private var index = 0
  private var bannedServers: Set<AdaptyCall.Server> = []
  private var bannedCalls: [AdaptyCall.Name: WallTime] = [:]

  init(_ cluster: AdaptyConfiguration.Cluster, _ configuration: AdaptyNetConfig) {
    self.cluster = cluster
    self.configuration = configuration
  }

  /// Takes a newer configuration, and its first host; without one the old one lives on as it is.
  mutating func renew(_ newer: AdaptyNetConfig?, _ now: WallTime) {
    if newer != nil { index = 0 }
    configuration = newer ?? configuration.extended(now)
  }

  /// What has been forbidden: a 401 of the main server counts for every kind, and the fallback server is not kept from
  /// answering a call by name (AdaptySDK-iOS 3.17, `Backend.StateManager.swift`).
  func isBanned(_ call: AdaptyCall, _ now: WallTime) -> Bool {
    if bannedServers.contains(.main) || bannedServers.contains(call.server) { return true }
    guard call.server != .fallback, let end = bannedCalls[call.name] else { return false }
    return now.milliseconds < end.milliseconds
  }

  /// The location in front of the call's path.
  ///
  /// A configuration that names no main host at all leaves none.
  func base(_ call: AdaptyCall, _ now: WallTime) throws(AdaptyFailure) -> Location {
    if isBanned(call, now) { throw .banned }
    guard call.server == .main else { return call.server.base(cluster) }
    guard let host = mainHost else { throw .banned }
    return host
  }

  /// Learns from the failure of a call to `base`.
  mutating func note(_ failure: AdaptyFailure, _ call: AdaptyCall, at base: Location) {
    if case .refused(_, _, let ban?) = failure {
      switch ban {
      case .server: bannedServers.insert(call.server)
      case .call(let end):
        let known = bannedCalls[call.name]?.milliseconds ?? .min
        if end.milliseconds > known { bannedCalls[call.name] = end }
      }
    }
    // Several calls may fail at one host; only the first moves on.
    if call.server == .main, failure.isOfHost, base == mainHost { index += 1 }
  }

  private var mainHost: Location? {
    let hosts = configuration.hosts(cluster)
    return hosts.indices.contains(index) ? hosts[index] : hosts.last
  }
}
