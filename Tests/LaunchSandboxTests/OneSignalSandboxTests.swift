import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

@Suite struct OneSignalSandboxTests {
  var sandbox = OneSignalSandbox()

  // vendors.md 3.2, step 1
  @Test mutating func `parameters have the fields the SDK reads`() throws {
    let answer = try sandbox.respond(to: OneSignal.get("/ios_params.js"))
    #expect(answer.status == 200)
    for flag in ["jwt_required", "uses_provisional_auth", "receive_receipts_enable", "location_shared", "fba"] {
      #expect(answer.json?[flag]?.bool != nil)
    }
    let outcomes = answer.json?["outcomes"]
    #expect(outcomes?["indirect"]?["notification_attribution"]?["limit"]?.integer != nil)
    #expect(outcomes?["v2_enabled"] == true)
  }

  // step 2
  @Test mutating func `creating a user returns the ids`() throws {
    let answer = try create()
    #expect(
      answer.summary == """
        201 {"identity":{"onesignal_id":"\(user(answer))"},"subscriptions":[{"id":"\(subscription(answer))",\
        "type":"iOSPush","enabled":true,"notification_types":-18}],"properties":{"language":"en",\
        "timezone_id":"Europe/Paris"},"ryw_token":"\(answer.json?["ryw_token"]?.string ?? "")","ryw_delay":500}
        """)
    #expect(user(answer).split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    #expect(user(answer) != subscription(answer))
  }

  @Test mutating func `a taken external id leads to its user`() throws {
    let named = try OneSignal.send("POST", "/users", ["identity": ["external_id": "ann"]])
    let first = sandbox.respond(to: named)
    #expect(user(try create()) != user(first))
    let again = sandbox.respond(to: named)
    #expect(again.status == 200)
    #expect(user(again) == user(first))
    let fetched = try sandbox.respond(to: OneSignal.get("/users/by/external_id/ann"))
    #expect(user(fetched) == user(first))
  }

  // step 3
  @Test mutating func `the list offers the message of the launch`() throws {
    let path = "/subscriptions/\(subscription(try create()))/iams"
    let answer = try sandbox.respond(to: OneSignal.get(path, ["OneSignal-RYW-Token": "any"]))
    let message = answer.json?["in_app_messages"]?[0]
    #expect(message?["id"]?.string == InAppMessage.appReady.id)
    #expect(message?["variants"]?["all"]?["default"]?.string == InAppMessage.appReady.variantID)
    let trigger = message?["triggers"]?[0]?[0]
    #expect(trigger?["property"] == "app_ready")
    #expect(trigger?["operator"] == "equal")
    #expect(trigger?["value"] == "true")
  }

  // vendors.md 3.4
  @Test mutating func `a late server asks for patience as often as told`() throws {
    sandbox.lateReads = 2
    let path = "/subscriptions/\(subscription(try create()))/iams"
    let withToken = try OneSignal.get(path, ["OneSignal-RYW-Token": "any"])
    #expect(try sandbox.respond(to: OneSignal.get(path)).status == 200)
    let late = sandbox.respond(to: withToken)
    #expect(late.status == 425)
    #expect(late.head?.fields["Retry-After"] == "1")
    #expect(late.head?.fields["OneSignal-Retry-Limit"] == "3")
    #expect([sandbox.respond(to: withToken).status, sandbox.respond(to: withToken).status] == [425, 200])
  }

  // step 4
  @Test mutating func `tags are merged and an empty one is removed`() throws {
    let created = try create()
    let path = "/users/by/onesignal_id/\(user(created))"
    let first = try sandbox.respond(
      to: OneSignal.send("PATCH", path, ["properties": ["tags": ["mmp_id": "0a", "idfv": "AA"]]]))
    #expect(first.status == 202)
    #expect(first.json?["properties"]?["tags"] == ["mmp_id": "0a", "idfv": "AA"])
    #expect(first.json?["ryw_delay"] == 500)
    #expect(first.json?["ryw_token"] != created.json?["ryw_token"])
    let second = try sandbox.respond(
      to: OneSignal.send("PATCH", path, ["properties": ["tags": ["idfv": "", "campaign": "Autumn"]]]))
    #expect(second.json?["properties"]?["tags"] == ["mmp_id": "0a", "campaign": "Autumn"])
    _ = try sandbox.respond(to: OneSignal.send("PATCH", path, ["deltas": ["session_count": 1, "session_time": 12]]))
    let fetched = try sandbox.respond(to: OneSignal.get(path))
    #expect(
      fetched.json?["properties"] == [
        "language": "en", "timezone_id": "Europe/Paris", "tags": ["mmp_id": "0a", "campaign": "Autumn"],
        "session_count": 1, "session_time": 12,
      ])
    #expect(fetched.json?["subscriptions"] == created.json?["subscriptions"])
  }

  // step 5
  @Test mutating func `a page comes in pieces and its impression counts`() throws {
    let player = subscription(try create())
    let message = InAppMessage.appReady
    let url = "https://onesignal.com/in_app_messages/\(message.id)"
    let page = try sandbox.respond(to: Request("GET", "\(url)/variants/\(message.variantID)/html?app_id=a"))
    #expect(page.json?["html"]?.string == message.html)
    #expect(page.parts.count == 8)
    #expect(page.parts.map(\.offset) == page.parts.map(\.offset).sorted())
    let impression = try OneSignal.send(
      "POST", "\(url)/impression",
      [
        "device_type": 0, "player_id": .string(player), "app_id": "7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34",
        "variant_id": .string(message.variantID),
      ])
    #expect(sandbox.respond(to: impression).summary == #"200 {"success":true}"#)
  }

  // step 6
  @Test mutating func `a subscription takes its token`() throws {
    let id = subscription(try create())
    let answer = try sandbox.respond(
      to: OneSignal.send("PATCH", "/subscriptions/\(id)", ["subscription": ["token": "ab12", "notification_types": 1]]))
    #expect(answer.status == 202)
    #expect(
      answer.json?["subscription"] == [
        "id": .string(id), "type": "iOSPush", "enabled": true, "notification_types": 1, "token": "ab12",
      ])
  }

  static let refusals: [(String, String, JSON, String)] = [
    (
      "POST", "/users", [:],
      #"400 {"errors":[{"code":"invalid_request","title":"a user needs an identity or a subscription"}]}"#
    ),
    ("POST", "/users", [1], #"400 {"errors":[{"code":"invalid_json","title":"the body is no JSON object"}]}"#),
    (
      "POST", "/users", ["identity": 1],
      #"400 {"errors":[{"code":"invalid_request","title":"identity has to be an object"}]}"#
    ),
    (
      "POST", "/users", ["identity": [:], "subscriptions": [1]],
      #"400 {"errors":[{"code":"invalid_request","title":"a subscription has to be an object"}]}"#
    ),
    (
      "POST", "/users", ["subscriptions": [:]],
      #"400 {"errors":[{"code":"invalid_request","title":"subscriptions has to be an array"}]}"#
    ),
    (
      "PATCH", "/users/by/onesignal_id/nobody", ["properties": [:]],
      #"404 {"errors":[{"code":"user_not_found","title":"no user has the onesignal_id nobody"}]}"#
    ),
    (
      "GET", "/subscriptions/none/iams", [:],
      #"404 {"errors":[{"code":"subscription_not_found","title":"no subscription none"}]}"#
    ),
    (
      "DELETE", "https://api.onesignal.com/apps/a/users", [:],
      #"405 {"errors":[{"code":"method_not_allowed","title":"DELETE is not a method of /apps/a/users"}]}"#
    ),
    (
      "GET", "https://onesignal.com/in_app_messages/x/variants/y/html", [:],
      #"400 {"errors":[{"code":"invalid_request","title":"app_id is missing"}]}"#
    ),
    (
      "GET", "https://onesignal.com/in_app_messages/x/variants/y/html?app_id=a", [:],
      #"404 {"errors":[{"code":"not_found","title":"no message x"}]}"#
    ),
    (
      "GET", "https://onesignal.com/", [:],
      #"404 {"errors":[{"code":"not_found","title":"onesignal.com has nothing at /"}]}"#
    ),
  ]

  @Test(arguments: refusals)
  func `a wrong request is refused`(_ method: String, _ path: String, _ body: JSON, _ summary: String) throws {
    var sandbox = OneSignalSandbox()
    #expect(try sandbox.respond(to: OneSignal.send(method, path, body)).summary == summary)
  }

  static let wrongUpdates: [(JSON, String)] = [
    ([:], "an update needs properties or deltas"),
    (["properties": ["tags": ["a": 1]]], "the tag a has to be a string"),
    (
      ["properties": ["tags": ["a": "1"]], "deltas": ["session_count": "1"]],
      "session_count has to be a non-negative integer"
    ),
    (["properties": ["tags": 1]], "tags has to be an object"),
    (["deltas": ["session_count": "1"]], "session_count has to be a non-negative integer"),
    (
      ["properties": ["tags": .object(JSONObject((0...100).map { ("k\($0)", "v") }))]],
      "more than 100 property changes in one request"
    ),
  ]

  @Test(arguments: wrongUpdates) mutating func `a wrong update changes nothing`(_ body: JSON, _ title: String) throws {
    sandbox.limits = OneSignalLimits(now: Clock.ticking)
    let path = "/users/by/onesignal_id/\(user(try create()))"
    let before = try sandbox.respond(to: OneSignal.get(path)).text
    let answer = try sandbox.respond(to: OneSignal.send("PATCH", path, body))
    #expect(answer.status == 400)
    #expect(answer.json?["errors"]?[0]?["title"]?.string == title)
    #expect(try sandbox.respond(to: OneSignal.get(path)).text == before)
  }

  @Test mutating func `broken JSON and another content type are refused`() throws {
    var request = try OneSignal.send("POST", "/users", OneSignal.user)
    request.body = Body(request.body.bytes.dropLast())
    #expect(
      sandbox.respond(to: request).text.hasPrefix(#"{"errors":[{"code":"invalid_json","title":"the body is no JSON: "#))
    request.fields["Content-Type"] = nil
    #expect(sandbox.respond(to: request).status == 415)
  }

  @Test mutating func `the users of two apps do not mix`() throws {
    let id = user(try create())
    let url = "https://api.onesignal.com/apps/other/users/by/onesignal_id/\(id)"
    #expect(try sandbox.respond(to: Request("GET", url)).status == 404)
  }

  private mutating func create() throws -> Answer {
    try sandbox.respond(to: OneSignal.send("POST", "/users", OneSignal.user))
  }

  private func user(_ answer: Answer) -> String { answer.json?["identity"]?["onesignal_id"]?.string ?? "no user" }
  private func subscription(_ answer: Answer) -> String { answer.json?["subscriptions"]?[0]?["id"]?.string ?? "none" }
}
