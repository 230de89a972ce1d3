public import LaunchJSON

/// A user as a MotiSig stand-in knows it.
public struct MotiSigUser: Hashable, Sendable {
  private static let names = ["firstName", "lastName", "email", "timezone", "locale"]

  public let project: String
  public let id: String
  /// Names, address, zone and locale, as far as they were told.
  public private(set) var profile: JSONObject = [:]
  /// In the order in which they were added, each once.
  public private(set) var tags: [String] = []
  public private(set) var attributes: JSONObject = [:]
  /// Platform, type, token, and if told, permission and enabled; one a token.
  public private(set) var subscriptions: [JSONObject] = []

  /// - Throws: 400 when the body is not what the description has for POST `/users`.
  init(project: String, _ body: JSONObject) throws(Refusal) {
    self.project = project
    id = try body.string("id")
    try take(profile: body)
    add(tags: try body.optionalStrings("tags"))
    attributes = try body.optionalObject("customAttributes")
    let groups = try body.optionalObject("pushSubscriptions")
    for group in groups.members {
      let lists = try groups.object(group.key)
      for list in lists.members { _ = try lists.array(list.key) }
    }
  }

  /// PATCH `/users/{id}`, which knows no other members.
  mutating func update(_ body: JSONObject) throws(Refusal) {
    try body.requireOnly(Self.names)
    try take(profile: body)
  }

  mutating func add(tags: [String]) {
    for tag in tags where !self.tags.contains(tag) { self.tags.append(tag) }
  }

  mutating func remove(tags: [String]) { self.tags.removeAll(where: tags.contains) }

  mutating func set(_ attributes: JSONObject) {
    for attribute in attributes.members { self.attributes[attribute.key] = attribute.value }
  }

  mutating func remove(attributes keys: [String]) {
    for key in keys { attributes[key] = nil }
  }

  mutating func add(_ body: MotiSigPushBody) {
    if let index = index(of: body) { subscriptions[index] = body.members } else { subscriptions.append(body.members) }
  }

  mutating func update(_ body: MotiSigPushBody) throws(Refusal) {
    let index = try known(body)
    for member in body.members.members { subscriptions[index][member.key] = member.value }
  }

  mutating func remove(_ body: MotiSigPushBody) throws(Refusal) { subscriptions.remove(at: try known(body)) }

  /// What GET `/users/{id}` tells.
  var document: JSON {
    var user: JSONObject = ["id": .string(id)]
    user.members += profile.members
    user["tags"] = .array(tags.map(JSON.string))
    user["customAttributes"] = .object(attributes)
    user["pushSubscriptions"] = .array(subscriptions.map(JSON.object))
    return .object(user)
  }

  private mutating func take(profile body: JSONObject) throws(Refusal) {
    for name in Self.names {
      if let text = try body.optionalString(name) { profile[name] = .string(text) }
    }
  }

  private func known(_ body: MotiSigPushBody) throws(Refusal) -> Int {
    guard let index = index(of: body) else { throw Refusal(404, "not_found", "the user has no such subscription") }
    return index
  }

  private func index(of body: MotiSigPushBody) -> Int? {
    subscriptions.firstIndex { $0["token"]?.string == body.token }
  }
}
