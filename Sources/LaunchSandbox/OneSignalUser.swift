import LaunchJSON

/// What the OneSignal stand-in remembers about a user.
struct OneSignalUser {
  let app: String
  /// `onesignal_id`, and `external_id` after a login.
  private(set) var identity: JSONObject
  private(set) var properties: JSONObject = [:]
  private(set) var subscriptions: [JSONObject] = []

  init(app: String, number: Int, identity: JSONObject) {
    self.app = app
    self.identity = identity
    self.identity["onesignal_id"] = .string(inventedUUID("user", app, "\(number)"))
  }

  /// The user as creating and fetching return it.
  var document: JSONObject {
    [
      "identity": .object(identity), "subscriptions": .array(subscriptions.map(JSON.object)),
      "properties": .object(properties),
    ]
  }

  /// Takes over each property; tags are merged one by one, and an empty or null tag is removed.
  mutating func update(properties changes: JSONObject) throws(Refusal) {
    var merged = properties
    for change in changes.members where change.key != "tags" { merged[change.key] = change.value }
    if changes["tags"] != nil {
      let tags = try changes.object("tags")
      // documentation.onesignal.com, rate limits: 100 property changes a request.
      if tags.members.count > 100 { throw Refusal(400, "invalid_request", "more than 100 tags in one request") }
      merged["tags"] = .object(try merging(tags, into: merged["tags"]?.object ?? [:]))
    }
    properties = merged
  }

  /// Counts sessions and time; deltas of other kinds are accepted and not kept.
  mutating func add(deltas: JSONObject) throws(Refusal) {
    var counted = properties
    for key in ["session_count", "session_time"] {
      guard let delta = deltas[key] else { continue }
      guard let number = delta.integer else { throw Refusal(400, "invalid_request", "\(key) has to be an integer") }
      counted[key] = .integer((counted[key]?.integer ?? 0) &+ number)
    }
    properties = counted
  }

  /// Adds a subscription, or changes the one with this id; returns it as it is now.
  @discardableResult
  mutating func add(_ change: JSONObject, id: String? = nil) -> JSONObject {
    let given = id ?? change["id"]?.string
    let index = subscriptions.firstIndex { $0["id"]?.string == given }
    let fresh = JSON.string(
      inventedUUID("subscription", app, identity["onesignal_id"]?.string ?? "", "\(subscriptions.count)"))
    var subscription: JSONObject = index.map { subscriptions[$0] } ?? ["id": given.map(JSON.string) ?? fresh]
    for key in ["type", "token", "enabled", "notification_types"] {
      if let value = change[key] { subscription[key] = value }
    }
    if let index { subscriptions[index] = subscription } else { subscriptions.append(subscription) }
    return subscription
  }
}

private func merging(_ changes: JSONObject, into tags: JSONObject) throws(Refusal) -> JSONObject {
  var tags = tags
  for change in changes.members {
    switch change.value {
    case .string(""), .null: tags[change.key] = nil
    case .string: tags[change.key] = change.value
    default: throw Refusal(400, "invalid_request", "the tag \(change.key) has to be a string")
    }
  }
  return tags
}
