import LaunchHTTP
import LaunchJSON

/// The calls about users and subscriptions: vendors.md 3.2, steps 2, 4 and 6, and 3.3.
extension OneSignalSandbox {
  /// Step 2. An `external_id` that is taken leads to the user who has it, and the subscriptions move there.
  mutating func createUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let body = try request.object()
    try body.check([
      ("identity", .object), ("properties", .object), ("subscriptions", .array), ("refresh_device_metadata", .flag),
    ])
    let identity = try body.optionalObject("identity")
    guard body["identity"] != nil || body["subscriptions"] != nil else {
      throw Refusal(400, "invalid_request", "a user needs an identity or a subscription")
    }
    try OneSignalUser.check(identity: identity)
    let app = request[0]
    let known = identity["external_id"].flatMap { external in
      users.firstIndex { $0.app == app && $0.identity["external_id"] == external }
    }
    var user = known.map { users[$0] } ?? OneSignalUser(app: app, number: created + 1, identity: identity)
    try user.update(properties: body.optionalObject("properties"), limits: limits)
    for subscription in body["subscriptions"]?.array ?? [] {
      guard let subscription = subscription.object else {
        throw Refusal(400, "invalid_request", "a subscription has to be an object")
      }
      try user.add(subscription)
    }
    take(user.subscriptions, from: app)
    if let known { users[known] = user } else { users.append(user) }
    if known == nil { created += 1 }
    return Reply(.object(written(user.document)), status: known == nil ? 201 : 200)
  }

  /// vendors.md 3.3.
  mutating func fetchUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    Reply(.object(users[try index(of: request)].document))
  }

  /// Step 4.
  mutating func updateUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request)
    let body = try request.object()
    try body.check([("properties", .object), ("deltas", .object), ("refresh_device_metadata", .flag)])
    guard body["properties"] != nil || body["deltas"] != nil else {
      throw Refusal(400, "invalid_request", "an update needs properties or deltas")
    }
    var user = users[index]
    try user.update(properties: body.optionalObject("properties"), limits: limits)
    try user.add(deltas: body.optionalObject("deltas"))
    users[index] = user
    return Reply(.object(written(["properties": .object(user.properties)])), status: 202)
  }

  /// Step 6: an id that somebody else has is a conflict.
  mutating func identify(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request)
    let identity = try request.object().object("identity")
    guard !identity.isEmpty else { throw Refusal(400, "invalid_request", "identity has to name an id") }
    try OneSignalUser.check(identity: identity)
    for other in users.indices where other != index && users[other].app == request[0] {
      for label in identity.members where users[other].identity[label.key] == label.value {
        throw Refusal(409, "user-2", "another user has this \(label.key)")
      }
    }
    users[index].identify(as: identity)
    return Reply(["identity": .object(users[index].identity)])
  }

  /// Step 6. What the user has already is no error, and is not returned.
  mutating func createSubscription(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request)
    let wanted = try request.object().object("subscription")
    if let token = wanted["token"]?.string, !token.isEmpty,
      users[index].subscriptions.contains(where: { $0["type"] == wanted["type"] && $0["token"]?.string == token })
    {
      return Reply(.object(written([:])), status: 202)
    }
    var user = users[index]
    let subscription = try user.add(wanted)
    take([subscription], from: request[0])
    users[index] = user
    return Reply(.object(written(["subscription": .object(subscription)])), status: 201)
  }

  /// Step 6.
  mutating func updateSubscription(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try owner(of: request[1], app: request[0])
    let change = try request.object().object("subscription")
    let subscription = try users[index].change(change, id: request[1])
    return Reply(.object(written(["subscription": .object(subscription)])), status: 202)
  }

  /// A subscription belongs to one user: the one who named it last.
  private mutating func take(_ subscriptions: [JSONObject], from app: String) {
    let ids = Set(subscriptions.compactMap { $0["id"]?.string })
    for index in users.indices where users[index].app == app {
      users[index].subscriptions.removeAll { ids.contains($0["id"]?.string ?? "") }
    }
  }
}
