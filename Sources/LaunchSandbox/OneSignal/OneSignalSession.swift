import LaunchHTTP
import LaunchJSON

/// A session that a newer build has reported (vendors.md 3.2, step 6).
struct OneSignalSession {
  let app: String
  let key: String
  let id: String
  var seconds: Int64 = 0
}

extension OneSignalSandbox {
  /// The same `idempotency_key` is the same session.
  mutating func createSession(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let body = try request.object()
    try body.check(
      [
        ("onesignal_id", .text), ("subscription_id", .text), ("device_type", .integer), ("start_time", .moment),
        ("idempotency_key", .text),
      ], areRequired: true)
    try body.check([("direct_attribution_id", .text)])
    let (app, user, key) = (request[0], try body.text("onesignal_id"), try body.text("idempotency_key"))
    let owner = try owner(of: body.text("subscription_id"), app: app)
    guard users[owner].id == user else { throw Refusal(404, "user_not_found", "no user has the onesignal_id \(user)") }
    let known = sessions.first { $0.app == app && $0.key == key }
    let session = known ?? OneSignalSession(app: app, key: key, id: inventedUUID("session", app, key))
    if known == nil { sessions.append(session) }
    return Reply(["data": ["session_id": .string(session.id)]], status: 202)
  }

  /// The duration is that of the whole session, so it never shrinks.
  mutating func updateSession(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = sessions.firstIndex { $0.app == request[0] && $0.id == request[1] }
    guard let index else { throw Refusal(404, "session_not_found", "no session \(request[1])") }
    let body = try request.object()
    try body.check([("duration_seconds", .count)], areRequired: true)
    try body.check([("end_time", .moment)])
    sessions[index].seconds = max(sessions[index].seconds, body["duration_seconds"]?.integer ?? 0)
    return Reply(["data": ["session_id": .string(request[1])]], status: 202)
  }
}
