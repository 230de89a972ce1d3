package import LaunchHTTP
package import LaunchJSON

/// MotiSig's requests, byte for byte (vendors.md 4.1 and 4.2).
package struct MotiSigRequests: Hashable, Sendable {
  package static let base = Location(scheme: "https", host: "api.motisig.ai", path: "/client")
  /// Vendors.md 4.1.
  package static let timeout = Duration.seconds(30)

  private let sdkKey: String
  private let projectID: String
  private let device: Device
  private let base: Location

  /// - Parameter base: What stands before the paths; a slash at its end counts as none.
  package init(credentials: Credentials, device: Device, base: Location = Self.base) {
    sdkKey = credentials.motiSigSDKKey
    projectID = credentials.motiSigProjectID
    self.device = device
    self.base = base
  }

  /// What stands before the path of a call to `location`; nil when that is none of a launch's.
  package static func base(of location: Location) -> Location? {
    let segments = location.path.split(separator: "/", omittingEmptySubsequences: false)
    guard let place = segments.firstIndex(where: { ["users", "events", "track"].contains($0) }) else { return nil }
    let path = segments[..<place].joined(separator: "/")
    return Location(scheme: location.scheme, host: location.host, port: location.port, path: path.isEmpty ? "/" : path)
  }

  package func createUser(_ id: String, _ profile: MotiSigProfile) -> Request {
    var body = JSONObject([("id", .string(id)), ("platform", "ios")] + place)
    body.members += profile.names
    if !profile.tags.isEmpty { body["tags"] = .array(profile.tags.map(JSON.string)) }
    if !profile.customAttributes.isEmpty { body["customAttributes"] = .object(profile.customAttributes) }
    return request("POST", ["users"], .object(body))
  }

  /// Tags and attributes of the profile have calls of their own.
  package func updateUser(_ id: String, _ profile: MotiSigProfile) -> Request {
    request("PATCH", ["users", id], .object(JSONObject(profile.names + JSONObject(place).members)))
  }

  package func addTags(_ tags: [String], to userID: String) -> Request {
    request("POST", ["users", userID, "tags"], ["tags": .array(tags.map(JSON.string))])
  }

  package func removeTags(_ tags: [String], from userID: String) -> Request {
    request("DELETE", ["users", userID, "tags"], ["tags": .array(tags.map(JSON.string))])
  }

  package func setAttributes(_ attributes: JSONObject, of userID: String) -> Request {
    request("POST", ["users", userID, "attributes"], ["attributes": .object(attributes)])
  }

  package func removeAttributes(_ keys: [String], of userID: String) -> Request {
    request("DELETE", ["users", userID, "attributes"], ["keys": .array(keys.map(JSON.string))])
  }

  /// Add and update carry the permission; a removal names the token only.
  package func change(_ change: MotiSigSubscription.Change) -> Request {
    switch change {
    case .add(let subscription): subscriptions("POST", subscription, isWhole: true)
    case .update(let subscription): subscriptions("PATCH", subscription, isWhole: true)
    case .remove(let subscription): subscriptions("DELETE", subscription, isWhole: false)
    }
  }

  package func ping(_ userID: String) -> Request { request("POST", ["users", userID, "ping"], nil) }

  package func event(_ name: String, data: JSON?, by userID: String) -> Request {
    var body: JSONObject = ["userId": .string(userID), "eventName": .string(name)]
    body["eventData"] = data
    return request("POST", ["events"], .object(body))
  }

  /// - Parameter isForeground: Whether the app was on the screen at the tap; nil when that is not known.
  package func click(on messageID: String, by userID: String, isForeground: Bool?) -> Request {
    var body: JSONObject = ["userId": .string(userID), "messageId": .string(messageID)]
    if let isForeground { body["isForeground"] = .bool(isForeground) }
    return request("POST", ["track", "click"], .object(body))
  }

  private var place: [(String, JSON)] {
    [("timezone", .string(device.timeZone)), ("locale", .string(device.locale))]
  }

  private func subscriptions(_ method: String, _ subscription: MotiSigSubscription, isWhole: Bool) -> Request {
    var body: JSONObject = ["devicePlatform": "ios", "pushType": "apns", "token": .string(subscription.token)]
    if isWhole {
      body["permission"] = .string(subscription.permission.rawValue)
      body["enabled"] = .bool(subscription.permission == .granted)
    }
    return request(method, ["users", subscription.userID, "push-subscriptions"], .object(body))
  }

  /// The SDK encodes each segment, and its URL type encodes the result once more: `a@b.c` leaves as `a%2540b.c`
  /// (vendors.md 4.1).
  private func request(_ method: String, _ segments: [String], _ body: JSON?) -> Request {
    var location = base
    while location.path.last == "/" { location.path.removeLast() }
    for segment in segments { location.path += "/" + segment.percentEncoded.percentEncoded }
    return Request(
      method: method, location: location,
      fields: ["X-API-Key": sdkKey, "X-Project-ID": projectID, "Content-Type": "application/json"],
      body: body?.serialized ?? [], timeout: Self.timeout)
  }
}
