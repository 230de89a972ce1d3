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
  static let adid = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"

  private static let bodies: [VendorCallKind: JSON] = [
    .parameters: ["fba": false],
    .createUser: [
      "identity": ["onesignal_id": .string(userID)], "subscriptions": [["id": .string(subscriptionID)]],
      "properties": [:], "ryw_token": "ryw-1", "ryw_delay": 500,
    ],
    .messages: ["in_app_messages": [message("m1", trigger: "app_ready", "true")]],
    .updateUser: ["properties": [:], "ryw_token": "ryw-2"],
    .content: ["html": "<p>Hello</p>"],
    .impression: ["success": true],
    .session: ["adid": .string(adid), "ask_in": 3000],
    .click: ["adid": .string(adid)],
    .info: ["adid": .string(adid)],
    .attribution: ["adid": .string(adid), "attribution": ["network": "Apple Ads", "campaign": " Autumn "]],
    .netConfig: ["data": ["event_blacklist": []]],
    .createProfile: profile(timestamp: 1, sources: []),
    .updateProfile: profile(timestamp: 3, sources: ["apple_search_ads"]),
    .products: ["data": []],
    .appleAds: profile(timestamp: 2, sources: ["apple_search_ads"]),
    .events: ["data": [:]],
    .segmented: paywall("segment"),
    .defaultPaywall: paywall("everyone"),
  ]

  static func message(_ id: String, trigger: String, _ value: String) -> JSON {
    [
      "id": .string(id), "variants": ["all": ["default": .string("\(id)-variant")]],
      "triggers": [[["property": .string(trigger), "operator": "equal", "value": .string(value)]]],
    ]
  }

  static func profile(timestamp: Int64, sources: [JSON], segment: String = "segment-1") -> JSON {
    [
      "data": [
        "attributes": [
          "profile_id": .string(Device.sample.adaptyProfileID), "segment_hash": .string(segment),
          "timestamp": .integer(timestamp), "applied_attribution_sources": .array(sources),
        ]
      ]
    ]
  }

  static func paywall(_ variation: String) -> JSON {
    [
      "meta": ["placement": ["developer_id": "onboarding", "placement_audience_version_id": "v1"]],
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
