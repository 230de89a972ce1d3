import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

/// What OneSignal's stand-in knows beside users and tags: vendors.md 3.2, steps 1, 5 and 6, and the limits of 3.4.
@Suite struct OneSignalRecordsTests {
  var sandbox = OneSignalSandbox()

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

  private mutating func create() throws -> Answer {
    try sandbox.respond(to: OneSignal.send("POST", "/users", OneSignal.user))
  }

  private func user(_ answer: Answer) -> String { answer.json?["identity"]?["onesignal_id"]?.string ?? "no user" }
  private func subscription(_ answer: Answer) -> String { answer.json?["subscriptions"]?[0]?["id"]?.string ?? "none" }
}
