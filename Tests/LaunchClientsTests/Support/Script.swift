import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import Synchronization

/// Scripted vendors: the n-th call of a kind gets the n-th answer of its list, and the last one for ever after.
struct Script: Sendable {
  var answers: [VendorCallKind: [Answer]]

  /// Each call answered as a first launch hopes for, `latency` after the request.
  init(latency: Duration = .milliseconds(100)) {
    answers = Self.bodies.mapValues { [Answer($0, after: latency)] }
  }

  /// Vendors that cannot be reached.
  init(refusing: Bool) {
    self.init()
    for kind in answers.keys where refusing { cut(kind) }
  }

  subscript(kind: VendorCallKind) -> [Answer] {
    get { answers[kind] ?? [] }
    set { answers[kind] = newValue }
  }

  /// These calls find nobody.
  mutating func cut(_ kinds: VendorCallKind..., after delay: Duration = .milliseconds(50)) {
    for kind in kinds {
      answers[kind] = [Answer(parts: [.init(at: delay, .fault(.error(TransportError(.refused, during: .connect))))])]
    }
  }

  static let userID = "8a1e5c3f-2b90-4d67-a3c4-e7f01b6d9825"
  static let subscriptionID = "3d9b7e21-64fa-4c08-95d1-0a7c2e8b4f36"
  static let newSubscriptionID = "c5e2f08d-17ab-4936-8f4e-b06d3a9c7e12"
  static let adid = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

  private static let bodies: [VendorCallKind: JSON] = [
    .parameters: ["fba": false],
    .createUser: [
      "identity": ["onesignal_id": .string(userID)], "subscriptions": [["id": .string(subscriptionID)]],
      "properties": [:], "ryw_token": "ryw-1", "ryw_delay": 500,
    ],
    .messages: ["in_app_messages": [message("m1", trigger: "app_ready", "true")]],
    .features: ["features": []],
    .fetchUser: [
      "identity": ["onesignal_id": .string(userID)], "subscriptions": [["id": .string(subscriptionID)]],
      "properties": [:],
    ],
    .updateUser: ["properties": [:], "ryw_token": "ryw-2"],
    .identify: ["identity": ["onesignal_id": .string(userID), "external_id": "ann"]],
    .createSubscription: ["subscription": ["id": .string(newSubscriptionID)], "ryw_token": "ryw-3"],
    .updateSubscription: ["subscription": ["id": .string(subscriptionID)], "ryw_token": "ryw-4"],
    .content: ["html": "<p>Hello</p>"],
    .impression: ["success": true],
    .session: ["adid": .string(adid), "ask_in": 3000],
    .click: ["adid": .string(adid)],
    .info: ["adid": .string(adid)],
    .attribution: ["adid": .string(adid), "attribution": ["network": "Apple Ads", "campaign": " Autumn "]],
    .netConfig: netConfig(),
    .createProfile: profile(timestamp: 1, sources: []),
    .fetchProfile: profile(timestamp: 1, sources: []),
    .updateProfile: profile(timestamp: 1, sources: []),
    .crossPlacement: ["data": ["placement_with_variation_map": [:], "version": 1]],
    .products: ["data": []],
    .install: ["data": ["install_id": "i", "payload": "{}"]],
    .ipLookup: ["ip": "203.0.113.7"],
    .appleAds: profile(timestamp: 2, sources: ["apple_search_ads"]),
    .events: ["data": [:]],
    .segmented: paywall("segment"),
    .forced: paywall("forced"),
    .defaultPaywall: paywall("everyone"),
    .fallbackPaywall: paywall("fallback"),
    .motiSigUser: ["success": true, "userId": "sample-user"],
    .motiSigSubscription: ["success": true],
    .motiSigPing: ["success": true],
    .motiSigClick: ["success": true],
  ]

  static func message(_ id: String, trigger: String, _ value: String) -> JSON {
    [
      "id": .string(id), "variants": ["all": ["default": .string("\(id)-variant")]],
      "triggers": [[["property": .string(trigger), "operator": "equal", "value": .string(value)]]],
    ]
  }

  /// An hour's configuration with those members instead.
  static func netConfig(_ changes: JSONObject = [:]) -> JSON {
    var data: JSONObject = [
      "event_blacklist": [], "api_endpoints": ["default": ["https://api.adapty.io/api/v1"]],
      "expires_in": 3_600_000, "retry_interval": 60_000,
    ]
    for change in changes.members { data[change.key] = change.value }
    return ["data": .object(data)]
  }

  static func profile(
    timestamp: Int64, sources: [JSON], segment: String = "segment-1", id: String = Device.sample.adaptyProfileID,
    isTestUser: Bool = false
  ) -> JSON {
    [
      "data": [
        "attributes": [
          "profile_id": .string(id), "segment_hash": .string(segment), "timestamp": .integer(timestamp),
          "is_test_user": .bool(isTestUser), "applied_attribution_sources": .array(sources),
        ]
      ]
    ]
  }

  static func paywall(_ variation: String, createdAt: Int64 = 1) -> JSON {
    [
      "meta": [
        "placement": ["developer_id": "onboarding", "placement_audience_version_id": "v1"],
        "response_created_at": .integer(createdAt),
      ],
      "data": [["attributes": ["variation_id": .string(variation), "weight": 100, "paywall_name": "Paywall"]]],
    ]
  }

  /// Runs `body` in virtual time over these vendors.
  func run(
    horizon: Duration = .seconds(1000), _ body: @escaping @MainActor (Recording) async throws -> Void
  ) throws -> Observed {
    try Simulation.run(horizon: horizon) {
      let recording = Recording(transport())
      try await body(recording)
      return Observed(recording)
    }
  }

  private func transport() -> AnswerTransport {
    let counts = Mutex<[VendorCallKind: Int]>([:])
    return AnswerTransport { request in
      let kind = VendorCallKind(request)
      let answers = answers[kind] ?? []
      let count = counts.withLock { counts in
        counts[kind, default: 0] += 1
        return counts[kind, default: 0]
      }
      return answers.isEmpty ? Answer(head: ResponseHead(status: 404)) : answers[min(count, answers.count) - 1]
    }
  }
}

extension Answer {
  init(_ json: JSON, status: Int = 200, fields: Fields = [:], after delay: Duration = .milliseconds(100)) {
    self.init(head: ResponseHead(status: status, fields: fields), body: json.serialized, after: delay)
  }
}
