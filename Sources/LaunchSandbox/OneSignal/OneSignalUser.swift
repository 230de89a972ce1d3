import LaunchJSON

/// What the OneSignal stand-in remembers about a user.
struct OneSignalUser {
  let app: String
  /// `onesignal_id`, and `external_id` after a login.
  private(set) var identity: JSONObject
  private(set) var properties: JSONObject = [:]
  var subscriptions: [JSONObject] = []
  /// How many subscriptions the user was given ids for.
  private var given = 0

  init(app: String, number: Int, identity: JSONObject) {
    self.app = app
    self.identity = identity
    self.identity["onesignal_id"] = .string(inventedUUID("user", app, "\(number)"))
  }

  /// The `onesignal_id`.
  var id: String { identity["onesignal_id"]?.string ?? "" }

  /// The user as creating and fetching return it.
  var document: JSONObject {
    [
      "identity": .object(identity), "subscriptions": .array(subscriptions.map(JSON.object)),
      "properties": .object(properties),
    ]
  }

  func has(_ subscription: String) -> Bool { subscriptions.contains { $0["id"]?.string == subscription } }

  /// Each label of an identity names something; only the server gives `onesignal_id`s.
  static func check(identity: JSONObject) throws(Refusal) {
    for label in identity.members {
      _ = try identity.text(label.key)
      if label.key == "onesignal_id" { throw Refusal(400, "invalid_request", "onesignal_id cannot be chosen") }
    }
  }

  /// Takes over the labels of `changes`.
  mutating func identify(as changes: JSONObject) {
    for label in changes.members { identity[label.key] = label.value }
  }

  /// Takes over each property; tags are merged one by one, and an empty or null tag is removed.
  mutating func update(properties changes: JSONObject, limits: OneSignalLimits?) throws(Refusal) {
    try changes.check([
      ("language", .text), ("timezone_id", .text), ("tags", .object), ("lat", .number), ("long", .number),
    ])
    let tags = try changes.optionalObject("tags")
    let others = changes.members.filter { $0.key != "tags" }
    try limits?.admit(propertyChanges: others.count + tags.members.count)
    var merged = properties
    for change in others { merged[change.key] = change.value }
    if changes["tags"] != nil { merged["tags"] = .object(try merging(tags, into: merged["tags"]?.object ?? [:])) }
    properties = merged
  }

  /// Counts sessions and time; deltas of other kinds are accepted and not kept.
  mutating func add(deltas: JSONObject) throws(Refusal) {
    try deltas.check([("session_count", .count), ("session_time", .count)])
    for key in ["session_count", "session_time"] {
      guard let number = deltas[key]?.integer else { continue }
      properties[key] = .integer((properties[key]?.integer ?? 0) &+ number)
    }
  }

  /// Adds a subscription, or changes the one with its id; returns it as it is now.
  @discardableResult
  mutating func add(_ subscription: JSONObject) throws(Refusal) -> JSONObject {
    _ = try subscription.text("type")
    if let id = subscription["id"]?.string, has(id) { return try change(subscription, id: id) }
    try Self.check(subscription: subscription)
    given += 1
    let fresh = inventedUUID("subscription", app, id, "\(given)")
    var made: JSONObject = ["id": .string(subscription["id"]?.string ?? fresh)]
    Self.apply(subscription, to: &made)
    subscriptions.append(made)
    return made
  }

  /// Changes the subscription with this id; returns it as it is now.
  mutating func change(_ change: JSONObject, id: String) throws(Refusal) -> JSONObject {
    try Self.check(subscription: change)
    var changed: JSONObject = ["id": .string(id)]
    for index in subscriptions.indices where subscriptions[index]["id"]?.string == id {
      Self.apply(change, to: &subscriptions[index])
      changed = subscriptions[index]
    }
    return changed
  }

  /// vendors.md 3.2, steps 2 and 6.
  private static func check(subscription: JSONObject) throws(Refusal) {
    try subscription.check([
      ("id", .text), ("type", .text), ("token", .string), ("enabled", .flag), ("notification_types", .integer),
      ("device_os", .text), ("sdk", .text), ("device_model", .text), ("app_version", .text), ("net_type", .integer),
      ("test_type", .integer),
    ])
  }

  private static func apply(_ change: JSONObject, to subscription: inout JSONObject) {
    for key in ["type", "token", "enabled", "notification_types"] {
      if let value = change[key] { subscription[key] = value }
    }
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
