import LaunchJSON

/// What the Adapty stand-in remembers about a profile.
struct AdaptyProfile {
  let id: String
  private var customerUserID: JSON
  private var customAttributes: JSONObject = [:]
  private(set) var sources: [String] = []
  /// Counts what a client can see change.
  private var revision: Int64 = 0

  init(id: String, customerUserID: String?) {
    self.id = id
    self.customerUserID = customerUserID.map(JSON.string) ?? .null
  }

  var isAttributed: Bool { !sources.isEmpty }

  func isNamed(_ customer: String) -> Bool { customerUserID.string == customer }

  /// The app has learnt who the user is.
  mutating func name(_ customer: String) {
    if isNamed(customer) { return }
    customerUserID = .string(customer)
    revision &+= 1
  }

  /// Changes whenever the profile moves to another audience.
  var segmentHash: String { inventedHex("segment", sources.joined(separator: ",")) }

  mutating func apply(source: String) {
    if sources.contains(source) { return }
    sources.append(source)
    revision &+= 1
  }

  /// Takes over what a client may change and see again; the rest of the attributes is accepted and not kept.
  mutating func update(_ attributes: JSONObject) {
    guard let changes = attributes["custom_attributes"]?.object else { return }
    let before = customAttributes
    for change in changes.members {
      if change.value.isNull { customAttributes[change.key] = nil } else { customAttributes[change.key] = change.value }
    }
    if customAttributes != before { revision &+= 1 }
  }

  /// The profile as answers carry it (vendors.md 2.3, step 2).
  var document: JSON {
    [
      "data": [
        "type": "adapty_analytics_profile", "id": .string(id),
        "attributes": [
          "profile_id": .string(id), "customer_user_id": customerUserID, "segment_hash": .string(segmentHash),
          "timestamp": .integer(AdaptySandbox.epoch &+ revision), "is_test_user": false,
          "custom_attributes": .object(customAttributes), "paid_access_levels": [:], "subscriptions": [:],
          "non_subscriptions": [:], "applied_attribution_sources": .array(sources.map(JSON.string)),
        ],
      ]
    ]
  }
}
