import LaunchClients
import LaunchJSON
import Testing

/// Vendors.md 4.3; answers take 100 ms.
@Suite struct MotiSigPushTests {
  private let path = "/users/u1/push-subscriptions"

  @Test func `a token that comes after the user is sent when it comes`() throws {
    let log = try MotiSigVendor().run(scenario: .token(after: .milliseconds(700))) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "700 POST \(path)"])
    #expect(
      log.bodies(of: "POST push-subscriptions") == [
        [
          "devicePlatform": "ios", "pushType": "apns", "token": .string(Device.sample.pushToken),
          "permission": "granted", "enabled": true,
        ]
      ])
  }

  @Test func `one that was there before follows the user`() throws {
    let log = try MotiSigVendor().run(scenario: .token(after: .milliseconds(100), .declined)) { app in
      app.client.initialize(skipPermissionRequest: true)
      try await app.sleep(500)
      try app.client.setUser("u1")
      try app.client.addTags(["a"])
      await app.client.settle()
    }
    #expect(log.calls == ["500 POST /users", "600 POST \(path)", "700 POST /users/u1/tags"])
    #expect(log.bodies(of: "POST push-subscriptions").map { $0["enabled"] } == [false])
    #expect(log.marks.first { $0 == "push prompt" } == nil)
  }

  @Test func `the token is asked for when the user has answered the prompt`() throws {
    var scenario = LaunchScenario.firstLaunch
    scenario.push = .prompt(.declined, after: .seconds(2), tokenAfter: .milliseconds(300))
    let log = try MotiSigVendor().run(scenario: scenario) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "2300 POST \(path)"])
    #expect(log.bodies(of: "POST push-subscriptions").map { $0["permission"] } == ["declined"])
    #expect(log.times(ofMark: "system prompt closed") == [.seconds(2)])
  }

  /// A first launch with a token, and what the second one sends.
  private func second(
    _ mode: MotiSigClient.Mode, first: MotiSigVendor = MotiSigVendor(), device: Device = .sample,
    scenario: LaunchScenario = .token(after: .milliseconds(200)), setsUser: Bool = false
  ) throws -> [String] {
    let store = LaunchStore()
    _ = try first.run(mode: mode, store: store, scenario: .token(after: .milliseconds(200))) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    return try MotiSigVendor().run(mode: mode, store: store, scenario: scenario, device: device) { app in
      app.client.initialize()
      try await app.sleep(1000)
      if setsUser { try app.client.setUser("u1") }
      await app.client.settle()
    }.calls
  }

  @Test func `a later launch has nothing to tell about the same token`() throws {
    #expect(try second(.promised) == [])
    #expect(try second(.promised, setsUser: true) == ["1000 POST /users"])
  }

  @Test func `the SDK sends it from disk, from the callback and after setUser`() throws {
    #expect(
      try second(.faithful, setsUser: true) == [
        "0 POST \(path)", "200 POST \(path)", "1000 POST /users", "1100 POST \(path)",
      ])
  }

  @Test(arguments: MotiSigClient.Mode.allCases)
  func `a changed token is removed before the new one is added`(mode: MotiSigClient.Mode) throws {
    var device = Device.sample
    device.pushToken = "beef"
    let calls = try second(mode, device: device)
    #expect(calls.suffix(2) == ["200 DELETE \(path)", "300 POST \(path)"])
    #expect(calls.count == (mode == .promised ? 2 : 3))
  }

  @Test func `the removal may fail`() throws {
    let log = try MotiSigVendor(["DELETE push-subscriptions": [0]]).run { app in
      app.client.initialize()
      try app.client.setUser("u1")
      app.client.didRegisterForPush(token: "aa")
      app.client.didRegisterForPush(token: "aa")
      app.client.didRegisterForPush(token: "bb")
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "100 POST \(path)", "200 DELETE \(path)", "300 POST \(path)"])
    #expect(log.bodies(of: "POST push-subscriptions").map { $0["token"] } == ["aa", "bb"])
    #expect(log.bodies(of: "DELETE push-subscriptions").map { $0["token"] } == ["aa"])
  }

  @Test func `a process that died between the removal and the addition does both again`() throws {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      app.client.didRegisterForPush(token: "aa")
      await app.client.settle()
      app.client.didRegisterForPush(token: "bb")
      try await app.sleep(150)
    }
    let log = try MotiSigVendor(["DELETE push-subscriptions": [404]]).run(store: store) { app in
      app.client.initialize()
      await app.client.settle()
    }
    #expect(log.calls == ["0 DELETE \(path)", "100 POST \(path)"])
  }

  @Test(arguments: [0, 400, 503]) func `an addition that failed is made at the next opportunity`(status: Int) throws {
    let first = MotiSigVendor(["POST push-subscriptions": [status]])
    #expect(try second(.promised, first: first) == ["0 POST \(path)"])
  }

  @Test(arguments: MotiSigClient.Mode.allCases)
  func `a permission that has changed is one PATCH at the front`(mode: MotiSigClient.Mode) throws {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(mode: mode, store: store, scenario: .token(after: .zero)) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    store.set("motisig.token", nil)
    let log = try MotiSigVendor().run(mode: mode, store: store, scenario: .token(after: nil, .declined)) { app in
      app.client.initialize()
      store.set("motisig.token", .string(Device.sample.pushToken))
      app.client.didBecomeActive()
      app.client.didEnterBackground()
      app.client.didBecomeActive()
      await app.client.settle()
    }
    #expect(log.calls.filter { $0.contains("push") } == ["0 PATCH \(path)"])
    #expect(
      log.bodies(of: "PATCH push-subscriptions").map { [$0["permission"], $0["enabled"]] } == [["declined", false]])
  }

  @Test func `nobody's subscription is sent for a user that the server has refused`() throws {
    let vendor = MotiSigVendor(["POST users": [500]])
    let scenario = LaunchScenario.token(after: .milliseconds(50))
    func log(_ mode: MotiSigClient.Mode) throws -> [String] {
      try vendor.run(mode: mode, scenario: scenario) { app in
        app.client.initialize()
        try await app.sleep(60)
        try app.client.setUser("u1")
        await app.client.settle()
      }.calls
    }
    #expect(try log(.promised) == ["60 POST /users"])
    // The SDK has queued it already.
    #expect(try log(.faithful) == ["60 POST /users", "160 POST \(path)"])
  }

  @Test func `another user on the same device gets a subscription of its own`() throws {
    let log = try MotiSigVendor().run(scenario: .token(after: .zero)) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
      app.client.logout()
      try app.client.setUser("u2")
      await app.client.settle()
    }
    #expect(
      log.calls == [
        "0 POST /users", "100 POST \(path)", "200 POST /users", "300 POST /users/u2/push-subscriptions",
      ])
  }

  static let changes: [(MotiSigSubscription?, [MotiSigSubscription.Change])] = {
    let wanted = MotiSigSubscription(userID: "u1", token: "aa", permission: .granted)
    var (other, old, asked) = (wanted, wanted, wanted)
    (other.userID, old.token, asked.permission) = ("u2", "bb", .unknown)
    return [
      (nil, [.add(wanted)]), (other, [.add(wanted)]), (old, [.remove(old), .add(wanted)]), (asked, [.update(wanted)]),
      (wanted, []),
    ]
  }()

  @Test(arguments: changes) func `what is known decides what is sent`(
    known: MotiSigSubscription?, changes: [MotiSigSubscription.Change]
  ) {
    #expect(MotiSigSubscription(userID: "u1", token: "aa", permission: .granted).changes(from: known) == changes)
  }
}
