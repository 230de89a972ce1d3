import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Synchronization
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

  @Test mutating func `a lost subscription is made anew, one that the user has is not`() throws {
    let created = try create()
    sandbox.deleteSubscriptions()
    let path = "/users/by/onesignal_id/\(user(created))"
    #expect(try sandbox.respond(to: OneSignal.get(path)).json?["subscriptions"] == [])
    #expect(try sandbox.respond(to: OneSignal.get("/subscriptions/\(subscription(created))/iams")).status == 404)
    let push: JSON = ["type": "iOSPush", "enabled": true, "token": "ab12"]
    let made = try sandbox.respond(to: OneSignal.send("POST", "\(path)/subscriptions", ["subscription": push]))
    #expect(made.status == 201)
    let id = try #require(made.json?["subscription"]?["id"]?.string)
    #expect(id != subscription(created))
    #expect(made.json?["ryw_token"]?.string != nil)
    #expect(try sandbox.respond(to: OneSignal.get("/subscriptions/\(id)/iams")).status == 200)
    let again = try sandbox.respond(to: OneSignal.send("POST", "\(path)/subscriptions", ["subscription": push]))
    #expect(again.status == 202)
    #expect(again.json?["subscription"] == nil)
  }

  @Test mutating func `an anonymous user takes an external id that is free, and only then`() throws {
    let ann = user(sandbox.respond(to: try OneSignal.send("POST", "/users", ["identity": ["external_id": "ann"]])))
    let id = user(try create())
    func identify(_ name: String) throws -> Request {
      try OneSignal.send("PATCH", "/users/by/onesignal_id/\(id)/identity", ["identity": ["external_id": .string(name)]])
    }
    #expect(
      sandbox.respond(to: try identify("ann")).summary
        == #"409 {"errors":[{"code":"user-2","title":"another user has this external_id"}]}"#)
    let answer = sandbox.respond(to: try identify("bob"))
    #expect(answer.status == 200)
    #expect(answer.json?["identity"]?["external_id"] == "bob")
    #expect(user(try sandbox.respond(to: OneSignal.get("/users/by/external_id/bob"))) == id)
    #expect(user(try sandbox.respond(to: OneSignal.get("/users/by/external_id/ann"))) == ann)
  }

  @Test mutating func `a subscription goes with the user who names it last`() throws {
    let first = try create()
    let id = subscription(first)
    let second = try sandbox.respond(
      to: OneSignal.send(
        "POST", "/users",
        ["identity": ["external_id": "ann"], "subscriptions": [["id": .string(id), "type": "iOSPush"]]]))
    #expect(second.json?["subscriptions"]?.array?.map { $0["id"] } == [.string(id)])
    let former = try sandbox.respond(to: OneSignal.get("/users/by/onesignal_id/\(user(first))"))
    #expect(former.json?["subscriptions"] == [])
  }

  @Test mutating func `deleted users are gone, and their ids are not given twice`() throws {
    let first = user(try create())
    sandbox.deleteUsers()
    #expect(try sandbox.respond(to: OneSignal.get("/users/by/onesignal_id/\(first)")).status == 404)
    #expect(user(try create()) != first)
  }

  // step 6 of newer builds
  @Test mutating func `a session is one for each key, and only grows`() throws {
    let created = try create()
    let body: JSON = [
      "onesignal_id": .string(user(created)), "subscription_id": .string(subscription(created)), "device_type": 0,
      "start_time": "2026-01-02T03:04:05Z", "idempotency_key": "k1",
    ]
    let first = try sandbox.respond(to: OneSignal.send("POST", "/sessions", body))
    #expect(first.status == 202)
    let id = try #require(first.json?["data"]?["session_id"]?.string)
    #expect(try sandbox.respond(to: OneSignal.send("POST", "/sessions", body)).json == first.json)
    let update: JSON = ["duration_seconds": 31, "end_time": 1_767_323_045]
    #expect(try sandbox.respond(to: OneSignal.send("PATCH", "/sessions/\(id)", update)).status == 202)
    #expect(try sandbox.respond(to: OneSignal.send("PATCH", "/sessions/none", update)).status == 404)
  }

  @Test mutating func `features are those it was told, for a version of six digits`() throws {
    sandbox.features = ["a_feature"]
    #expect(
      try sandbox.respond(to: OneSignal.get("/sdk/features/ios/050601")).summary == #"200 {"features":["a_feature"]}"#)
    #expect(try sandbox.respond(to: OneSignal.get("/sdk/features/ios/5.6.1")).status == 400)
  }

  @Test mutating func `pages and clicks count like impressions`() throws {
    let player = subscription(try create())
    let url = "https://api.onesignal.com/in_app_messages/\(InAppMessage.appReady.id)"
    let seen: JSONObject = [
      "device_type": 0, "player_id": .string(player), "app_id": "7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34",
      "variant_id": .string(InAppMessage.appReady.variantID),
    ]
    let more: [(String, JSONObject)] = [
      ("pageImpression", ["page_id": "p1"]), ("click", ["click_id": "c1", "first_click": true]),
    ]
    for (call, members) in more {
      let whole = JSON.object(JSONObject(seen.members + members.members))
      #expect(try sandbox.respond(to: OneSignal.send("POST", "\(url)/\(call)", whole)).status == 200)
      #expect(try sandbox.respond(to: OneSignal.send("POST", "\(url)/\(call)", .object(seen))).status == 400)
    }
  }

  // vendors.md 3.4
  @Test mutating func `within the limits a user is asked for once a second`() throws {
    let clock = Clock()
    sandbox.limits = OneSignalLimits(now: clock.now)
    let path = "/users/by/onesignal_id/\(user(try create()))"
    let another = "/users/by/onesignal_id/\(user(try create()))"
    func status(_ path: String) throws -> Int? { try sandbox.respond(to: OneSignal.get(path)).status }
    #expect([try status(path), try status(path), try status(another)] == [200, 429, 200])
    #expect(try sandbox.respond(to: OneSignal.get(path)).head?.fields["Retry-After"] == "1")
    clock.advance(by: .milliseconds(999))
    #expect(try status(path) == 429)
    clock.advance(by: .milliseconds(1))
    #expect(try status(path) == 200)
  }

  @Test mutating func `without limits it may be asked for at any rate`() throws {
    let path = "/users/by/onesignal_id/\(user(try create()))"
    let tags = JSON.object(JSONObject((0...100).map { ("k\($0)", "v") }))
    for _ in 0..<3 {
      let answer = try sandbox.respond(to: OneSignal.send("PATCH", path, ["properties": ["tags": tags]]))
      #expect(answer.status == 202)
    }
  }

  static let schema: [(path: String, body: JSON, title: String)] = [
    ("POST /users", ["identity": ["external_id": ""]], "external_id has to be a non-empty string"),
    ("POST /users", ["identity": ["external_id": 7]], "external_id has to be a non-empty string"),
    ("POST /users", ["identity": ["onesignal_id": "x"]], "onesignal_id cannot be chosen"),
    ("POST /users", ["subscriptions": [["enabled": true]]], "type has to be a non-empty string"),
    ("POST /users", ["subscriptions": [["type": "iOSPush", "enabled": 1]]], "enabled has to be true or false"),
    ("POST /users", ["subscriptions": [["type": "iOSPush", "test_type": "1"]]], "test_type has to be an integer"),
    ("POST /users", ["identity": [:], "properties": ["language": 1]], "language has to be a non-empty string"),
    (
      "POST /users", ["identity": [:], "refresh_device_metadata": 1], "refresh_device_metadata has to be true or false"
    ),
    ("PATCH USER/identity", [:], "identity has to be an object"),
    ("PATCH USER/identity", ["identity": [:]], "identity has to name an id"),
    ("POST USER/subscriptions", ["subscription": [:]], "type has to be a non-empty string"),
    ("PATCH USER", ["properties": ["lat": "x"]], "lat has to be a number"),
    ("PATCH USER", ["deltas": ["session_time": -1]], "session_time has to be a non-negative integer"),
    ("PATCH SUBSCRIPTION", ["subscription": ["notification_types": "1"]], "notification_types has to be an integer"),
    ("POST /sessions", [:], "onesignal_id has to be a non-empty string"),
  ]

  @Test(arguments: schema)
  mutating func `every body is checked`(path: String, body: JSON, title: String) throws {
    let created = try create()
    let parts = path.split(separator: " ", maxSplits: 1).map(String.init)
    let target = parts[1].replacing("USER", with: "/users/by/onesignal_id/\(user(created))")
      .replacing("SUBSCRIPTION", with: "/subscriptions/\(subscription(created))")
    let answer = try sandbox.respond(to: OneSignal.send(parts[0], target, body))
    #expect(answer.status == 400)
    #expect(answer.json?["errors"]?[0]?["title"]?.string == title)
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
    sandbox.limits = OneSignalLimits(now: Self.clock())
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

  /// A clock that lets a second pass each time it is read.
  private static func clock() -> @Sendable () -> ContinuousClock.Instant {
    let clock = Clock()
    return {
      clock.advance(by: .seconds(1))
      return clock.now()
    }
  }

  private mutating func create() throws -> Answer {
    try sandbox.respond(to: OneSignal.send("POST", "/users", OneSignal.user))
  }

  private func user(_ answer: Answer) -> String { answer.json?["identity"]?["onesignal_id"]?.string ?? "no user" }
  private func subscription(_ answer: Answer) -> String { answer.json?["subscriptions"]?[0]?["id"]?.string ?? "none" }
}

/// A clock that goes on when it is told to.
private final class Clock: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  @Sendable func now() -> ContinuousClock.Instant { instant.withLock { $0 } }
  func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
