import LaunchClients
import LaunchJSON
import Testing

@Suite struct MotiSigNotificationTests {
  // vendors.md 4.4
  static let payloads: [(JSONObject, String?)] = [
    (["messageId": "a", "message_id": "b"], "a"),
    (["aps": ["messageId": "a"], "message_id": "b", "_motisig": ["messageId": "c"]], "a"),
    (["message_id": "b", "_motisig": ["messageId": "c"]], "b"),
    (["_motisig": ["messageId": "c"]], "c"),
    (["messageId": "", "aps": ["messageId": ""], "message_id": "b"], "b"),
    (["messageId": 7, "aps": "x", "_motisig": [1, 2]], nil),
    (["aps": ["alert": "Hello"]], nil),
    ([:], nil),
  ]

  @Test(arguments: payloads) func `the message is found in four places`(payload: JSONObject, id: String?) {
    #expect(MotiSigNotification(payload: payload)?.messageID == id)
  }
}
