package import LaunchJSON

/// The payload of a push notification, as far as a tap on it matters.
package struct MotiSigNotification: Hashable, Sendable {
  /// What the message is known by: the first non-empty text among `messageId`, `aps.messageId`, `message_id` and
  /// `_motisig.messageId` (vendors.md 4.4).
  package let messageID: String

  /// Nil when the notification is nobody's message.
  package init?(payload: JSONObject) {
    let candidates = [
      payload["messageId"], payload["aps"]?["messageId"], payload["message_id"], payload["_motisig"]?["messageId"],
    ]
    guard let id = candidates.lazy.compactMap({ $0?.string?.nonEmpty }).first else { return nil }
    messageID = id
  }
}
