import LaunchHTTP
import LaunchTrace

/// The origins that a recording spoke to, and which of them a client means that speaks plain HTTP to loopback.
struct RecordedOrigins: Sendable {
  /// In order of their first request.
  let all: [Origin]
  private let hosts: [String: [Origin]]

  init(_ exchanges: ExchangeList) {
    var all: [Origin] = []
    var seen: Set<Origin> = []
    for number in exchanges.indices {
      let origin = Origin(of: exchanges.request(of: number).location)
      if seen.insert(origin).inserted { all.append(origin) }
    }
    self.all = all
    hosts = Dictionary(grouping: all, by: \.host)
  }

  /// The origin that a request for `location` is meant for; nil when its host was not recorded.
  ///
  /// The host decides. Where it was recorded at several origins, the one that the location names exactly goes first,
  /// then one with its port, then the host's main one: the client may know neither the scheme nor the port.
  func origin(of location: Location) -> Origin? {
    let candidates = hosts[location.host] ?? []
    let exact = Origin(of: location)
    if candidates.contains(exact) { return exact }
    return candidates.first { $0.port != nil && $0.port == location.port } ?? main(of: location.host)
  }

  /// The origin that the host's bare name stands for: the one of `https` at its own port, else the first recorded.
  func main(of host: String) -> Origin? {
    let candidates = hosts[host] ?? []
    return candidates.first { $0.scheme == "https" && $0.port == nil } ?? candidates.first
  }

  /// What the origin is called on command lines: its host for the main one, else as much as tells it apart.
  func name(of origin: Origin) -> String {
    if main(of: origin.host) == origin { return origin.host }
    return origin.port == nil ? origin.description : origin.authority
  }

  /// The origin with this name.
  func named(_ name: String) -> Origin? {
    let name = name.lowercasedASCII
    return all.first { self.name(of: $0) == name || $0.description == name }
  }
}
