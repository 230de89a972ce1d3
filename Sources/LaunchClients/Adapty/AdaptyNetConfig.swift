import LaunchHTTP
import LaunchJSON

/// Where Adapty's servers are and which events they want (vendors.md 2.3, 1); outlives the launch.
///
/// The servers' word is taken whole or not at all: an answer that lacks a part counts as a failure.
struct AdaptyNetConfig: Hashable, Sendable {
  /// Events that stay on the device.
  var eventBlacklist: [String]
  /// The main hosts of each cluster, the best first.
  var endpoints: [AdaptyConfiguration.Cluster: [Location]]
  /// From then on the servers are asked again.
  var expires: WallTime
  /// How long a failure makes it live on, in seconds.
  var retryInterval: Double

  /// What a fresh install begins with: expired, so that asking is its first request (2.3, 1). AdaptySDK-iOS 3.17 keeps
  /// its own log to itself until it hears otherwise (`BackendState.swift`).
  static let initial = AdaptyNetConfig(
    eventBlacklist: [AdaptyEvents.systemLog],
    endpoints: Dictionary(
      uniqueKeysWithValues: AdaptyConfiguration.Cluster.allCases.map { ($0, [AdaptyCall.Server.main.base($0)]) }),
    expires: WallTime(milliseconds: 0), retryInterval: 1800)

  private init(
    eventBlacklist: [String], endpoints: [AdaptyConfiguration.Cluster: [Location]], expires: WallTime,
    retryInterval: Double
  ) {
    self.eventBlacklist = eventBlacklist
    self.endpoints = endpoints
    self.expires = expires
    self.retryInterval = retryInterval
  }

  /// From `data` of an answer that came now, or from the store; nil when a part is missing or no such thing.
  init?(_ data: JSON?, now: WallTime) {
    guard let blacklist = data?["event_blacklist"]?.strings, let clusters = data?["api_endpoints"]?.object,
      let retryInterval = data?["retry_interval"]?.double
    else { return nil }
    eventBlacklist = blacklist
    endpoints = [:]
    for cluster in AdaptyConfiguration.Cluster.allCases {
      guard let listed = clusters[cluster.rawValue] else { continue }
      guard let urls = listed.strings else { return nil }
      endpoints[cluster] = urls.compactMap { try? Location(parsing: $0).withBasePath }
    }
    if let at = data?["expires_at"] {
      guard let milliseconds = at.double else { return nil }
      expires = WallTime(milliseconds: 0) + milliseconds / 1000
    } else {
      guard let milliseconds = data?["expires_in"]?.double else { return nil }
      expires = now + milliseconds / 1000
    }
    self.retryInterval = retryInterval / 1000
  }

  func isExpired(_ now: WallTime) -> Bool { expires.milliseconds <= now.milliseconds }

  /// After a failure (2.3, 1).
  func extended(_ now: WallTime) -> AdaptyNetConfig {
    var extended = self
    extended.expires = now + retryInterval
    return extended
  }

  /// The main hosts of `cluster`, or of the default one where the answer does not name it.
  func hosts(_ cluster: AdaptyConfiguration.Cluster) -> [Location] {
    endpoints[cluster] ?? endpoints[.default] ?? []
  }

  /// As the store keeps it, in the form of an answer.
  var json: JSON {
    let listed = AdaptyConfiguration.Cluster.allCases.compactMap { cluster in
      endpoints[cluster].map { (cluster.rawValue, JSON.array($0.map { .string("\($0)") })) }
    }
    return [
      "event_blacklist": .array(eventBlacklist.map(JSON.string)), "api_endpoints": .object(JSONObject(listed)),
      "expires_at": .integer(expires.milliseconds), "retry_interval": .number("\(retryInterval * 1000)"),
    ]
  }
}

extension Location {
  /// A host alone means its usual path (AdaptySDK-iOS 3.17, `Backend+defaultBaseUrl.swift`).
  fileprivate var withBasePath: Location {
    var location = self
    if path == "/" { location.path = AdaptyCall.Server.basePath }
    location.query = nil
    return location
  }
}

extension JSON {
  /// The texts of an array of nothing else.
  fileprivate var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  /// A number that is not too large to count with.
  fileprivate var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }
}
