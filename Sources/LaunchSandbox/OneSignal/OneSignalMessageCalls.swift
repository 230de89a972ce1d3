import LaunchHTTP
import LaunchJSON

/// The calls about in-app messages: vendors.md 3.2, steps 3 and 5.
extension OneSignalSandbox {
  /// Step 3.
  mutating func listMessages(_ request: RoutedRequest) throws(Refusal) -> Reply {
    _ = try owner(of: request[1], app: request[0])
    for name in ["OneSignal-Session-Duration", "OneSignal-Retry-Count"] {
      guard let value = request.header(name) else { continue }
      guard let number = Int64(value), number >= 0 else {
        throw Refusal(400, "invalid_request", "\(name) has to be a whole number")
      }
    }
    if lateReads > 0, request.header("OneSignal-RYW-Token") != nil {
      lateReads -= 1
      throw Refusal(
        425, "too_early", "the write behind this token has not arrived yet",
        fields: ["Retry-After": "1", "OneSignal-Retry-Limit": "3"])
    }
    return Reply(["in_app_messages": .array(messages.map(\.listing))])
  }

  /// Step 5.
  func page(_ request: RoutedRequest) throws(Refusal) -> Reply {
    guard request.query["app_id"]?.isEmpty == false else { throw Refusal(400, "invalid_request", "app_id is missing") }
    let message = try message(request[0])
    guard message.variantID == request[1] else { throw Refusal(404, "not_found", "no variant \(request[1])") }
    return Reply(message.page)
  }

  /// Step 5: the message was seen, or one of its pages, or something on it was clicked.
  mutating func impression(
    _ request: RoutedRequest, also more: [(key: String, kind: JSONKind)]
  ) throws(Refusal) -> Reply {
    let message = try message(request[0])
    let body = try request.object()
    try body.check(
      [("app_id", .text), ("player_id", .text), ("device_type", .integer), ("variant_id", .text)] + more,
      areRequired: true)
    guard body["variant_id"]?.string == message.variantID else {
      throw Refusal(400, "invalid_request", "variant_id is no variant of this message")
    }
    _ = try owner(of: body.text("player_id"), app: body.text("app_id"))
    return Reply(["success": true])
  }

  private func message(_ id: String) throws(Refusal) -> InAppMessage {
    guard let message = messages.first(where: { $0.id == id }) else {
      throw Refusal(404, "not_found", "no message \(id)")
    }
    return message
  }
}
