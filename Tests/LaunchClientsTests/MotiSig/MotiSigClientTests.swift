import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 4.3 and 4.4 on the virtual clock; answers take 100 ms.
@Suite struct MotiSigClientTests {
  @Test func `a first launch sends nothing before there is a user`() throws {
    let log = try MotiSigVendor().run(scenario: .token(after: .milliseconds(200))) { app in
      app.client.initialize()
      app.client.initialize()
      app.client.didBecomeActive()
      try await app.sleep(3000)
      app.client.didEnterBackground()
      await app.client.settle()
    }
    #expect(log.calls == [])
    #expect(log.marks == ["motisig initialize", "push prompt", "push token"])
  }

  @Test func `calls go out one at a time in the order of the app's, the user first`() throws {
    let log = try MotiSigVendor().run { app in
      let client = app.client
      client.initialize()
      try client.setUser("u1")
      try client.addTags(["a"])
      try client.updateUser(MotiSigProfile(firstName: "Ada"))
      try client.trackEvent("opened")
      try client.removeTags(["a"])
      try client.setAttributes(["n": 1])
      try client.removeAttributes(["n"])
      await client.settle()
    }
    #expect(
      log.calls == [
        "0 POST /users", "100 POST /users/u1/tags", "200 PATCH /users/u1", "300 POST /events",
        "400 DELETE /users/u1/tags", "500 POST /users/u1/attributes", "600 DELETE /users/u1/attributes",
      ])
  }

  @Test func `each call keeps the user of its moment, and a logout drops nothing`() throws {
    let log = try MotiSigVendor().run { app in
      let client = app.client
      client.initialize()
      try client.setUser("u1")
      try client.addTags(["a"])
      client.logout()
      try client.setUser("u2")
      try client.trackEvent("opened")
      await client.settle()
      #expect(app.store["motisig.user"] == "u2")
    }
    #expect(log.calls == ["0 POST /users", "100 POST /users/u1/tags", "200 POST /users", "300 POST /events"])
    #expect(log.bodies(of: "POST users").map { $0["id"] } == ["u1", "u2"])
    #expect(log.bodies(of: "POST events").map { $0["userId"] } == ["u2"])
    #expect(log.marks.filter { $0.hasPrefix("motisig ") }.count == 4)
  }

  @Test(arguments: [0, 400, 404, 429, 500, 503]) func `a call that fails is not tried again, and the next follows`(
    status: Int
  ) throws {
    let log = try MotiSigVendor(["POST tags": [status, 200]]).run { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try app.client.addTags(["a"])
      try app.client.trackEvent("opened")
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "100 POST /users/u1/tags", "200 POST /events"])
  }

  @Test(arguments: [(200, true), (201, true), (409, true), (400, false), (404, false), (500, false), (0, false)])
  func `a user is there when the server has taken it or knows it already`(status: Int, isKept: Bool) throws {
    let store = LaunchStore()
    let log = try MotiSigVendor(["POST users": [status]]).run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
      #expect(((try? app.client.addTags(["a"])) != nil) == isKept)
      await app.client.settle()
    }
    #expect(log.calls.count == (isKept ? 2 : 1))
    #expect(store["motisig.user"] == (isKept ? "u1" : nil))
  }

  @Test func `an answer about an earlier user does not take the present one away`() throws {
    let log = try MotiSigVendor(["POST users": [500, 200]]).run { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try app.client.setUser("u2")
      await app.client.settle()
      try app.client.trackEvent("opened")
      await app.client.settle()
    }
    #expect(log.bodies(of: "POST events").map { $0["userId"] } == ["u2"])
  }

  @Test func `without a user or before the start a call fails where it is made`() throws {
    let log = try MotiSigVendor().run { app in
      let client = app.client
      #expect(throws: ClientError.missing("initialize")) { try client.setUser("u1") }
      #expect(throws: ClientError.missing("initialize")) { try client.addTags(["a"]) }
      client.didReceiveTap(["messageId": "m1"])
      client.didBecomeActive()
      client.didEnterBackground()
      client.didRegisterForPush(token: "0a")
      client.logout()
      client.initialize()
      #expect(throws: ClientError.missing("setUser")) { try client.trackEvent("opened") }
      try client.setUser("")
      #expect(throws: ClientError.missing("setUser")) { try client.removeTags([]) }
      await client.settle()
    }
    #expect(log.events.count == 2)
  }

  @Test func `a later launch knows its user and says nothing new`() throws {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    let log = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.addTags(["a"])
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users/u1/tags"])
  }

  @Test func `a process that died before the answer about its user asks again`() throws {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try await app.sleep(50)
    }
    let log = try MotiSigVendor(["POST users": [409]]).run(store: store) { app in
      app.client.initialize()
      app.client.didBecomeActive()
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "100 POST /users/u1/ping"])
  }

  @Test func `a request that is never answered is given up after 30 s`() throws {
    let log = try MotiSigVendor(latency: .seconds(100)).run { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try app.client.addTags(["a"])
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "30000 POST /users/u1/tags"])
  }

  @Test(arguments: ["", "null", "[1e999]", "{\"success\":\"no\"}", "<html>", "\u{0}", #"{"error":{}}"#])
  func `the status alone counts, whatever the body says`(body: String) throws {
    for status in [200, 204, 299, 400, 503] {
      var vendor = MotiSigVendor(["POST users": [status], "POST click": [status, 200]])
      vendor.body = Array(body.utf8)
      let log = try vendor.run { app in
        app.client.initialize(launchPayload: ["messageId": "m1"])
        try app.client.setUser("u1")
        await app.client.settle()
      }
      #expect(log.clicks.count == (status < 300 ? 1 : 0))
    }
  }

  @Test(
    arguments: [
      ["motisig.user": 7, "motisig.token": [], "motisig.registered": "u1", "motisig.subscription": [1]],
      [
        "motisig.click.x": [:], "motisig.click.1": "m", "motisig.click.9223372036854775807": ["message": "m1"],
        "motisig.clicks": ["a", 7],
      ],
      [
        "motisig.user": "u1", "motisig.registered": [1, "u1"],
        "motisig.click.4": [
          "message": "m1", "user": "u1", "recorded": .integer(.min), "due": .integer(.max), "attempts": .integer(.min),
        ],
      ],
    ] as [JSONObject]) func `a store that others have written traps nobody`(entries: JSONObject) throws
  {
    let store = LaunchStore()
    for entry in entries.members { store.set(entry.key, entry.value) }
    let log = try MotiSigVendor().run(store: store) { app in
      app.client.initialize(launchPayload: ["messageId": "new"])
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.clicks.contains("new"))
    #expect(store.entries(under: "motisig.click.").isEmpty)
  }

  @Test func `settling ends at its deadline, and the call goes on`() throws {
    let log = try MotiSigVendor(latency: .seconds(3)).run { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try app.client.addTags(["a"])
      await app.client.settle(until: .now + .seconds(1))
      app.marks.mark("settled")
      await app.client.settle()
      app.marks.mark("quiet")
    }
    #expect(log.times(ofMark: "settled") == [.seconds(1)])
    #expect(log.times(ofMark: "quiet") == [.seconds(6)])
  }

  @Test func `stopping cancels what is under way and changes nothing on the device`() throws {
    let store = LaunchStore()
    let log = try MotiSigVendor().run(store: store) { app in
      app.client.initialize(launchPayload: ["messageId": "m1"])
      try app.client.setUser("u1")
      try app.client.addTags(["a"])
      try await app.sleep(50)
      app.client.stop()
      try await app.sleep(5000)
    }
    #expect(log.calls == ["0 POST /users"])
    #expect(store["motisig.user"] == "u1")
    #expect(store.entries(under: "motisig.click.").count == 1)
  }
}
