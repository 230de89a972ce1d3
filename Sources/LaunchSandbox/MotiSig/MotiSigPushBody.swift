import LaunchJSON

/// The body of the three calls for push subscriptions (vendors.md 4.2).
struct MotiSigPushBody {
  private static let keys = ["devicePlatform", "pushType", "token"]
  private static let changes = ["permission", "enabled"]

  let token: String
  /// Platform, type and token, and what of permission and enabled is there.
  let members: JSONObject

  /// - Parameter isStrict: Whether other members are a mistake, as in an update.
  init(_ body: JSONObject, isStrict: Bool = false) throws(Refusal) {
    _ = try body.word("devicePlatform", of: ["ios", "android", "web"])
    _ = try body.word("pushType", of: ["expo", "fcm", "apns"])
    token = try body.text("token")
    if body["permission"] != nil { _ = try body.word("permission", of: ["granted", "declined", "unknown"]) }
    _ = try body.optionalBool("enabled")
    if isStrict { try body.requireOnly(Self.keys + Self.changes) }
    members = JSONObject((Self.keys + Self.changes).compactMap { key in body[key].map { (key, $0) } })
  }
}
