import LaunchClients
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import LaunchHTTP
import Synchronization
import Testing

/// The known defects of SDK 1.0.2 (vendors.md 4.3 and 4.4, Q14); answers take 100 ms.
@Suite struct MotiSigFaithfulTests {
  @Test func `right after the first setUser there is no user`() throws {
    let log = try MotiSigVendor().run(mode: .faithful) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      #expect(throws: ClientError.missing("setUser")) { try app.client.addTags(["a"]) }
      try await app.sleep(1)
      try app.client.addTags(["b"])
      await app.client.settle()
    }
    #expect(log.calls == ["0 POST /users", "100 POST /users/u1/tags"])
    #expect(log.bodies(of: "POST tags") == [["tags": ["b"]]])
  }

  @Test func `once a user is stored, calls have it`() throws {
    let log = try MotiSigVendor().run(mode: .faithful) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
      try app.client.setUser("u2")
      try app.client.addTags(["a"])
      await app.client.settle()
    }
    // The second call finds the user of before.
    #expect(log.calls == ["0 POST /users", "100 POST /users", "200 POST /users/u1/tags"])
  }

  @Test func `a click leaves before its user, is refused, and is lost`() throws {
    func clicks(_ mode: MotiSigClient.Mode) throws -> (calls: [String], taken: Int) {
      try Simulation.run {
        let sandbox = Mutex(MotiSigSandbox())
        let recording = Recording(AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } })
        let app = await MotiSigApp(
          recording: recording, mode: mode, store: LaunchStore(), scenario: .withoutToken, device: .sample,
          pingInterval: MotiSigClient.pingInterval, baseURL: MotiSigClient.baseURL)
        await app.client.initialize(launchPayload: ["messageId": "m1"])
        try await app.client.setUser("u1")
        await app.client.settle()
        return (MotiSigLog(events: recording.events).calls, sandbox.withLock { $0.clicks.count })
      }
    }
    let faithful = try clicks(.faithful)
    #expect(faithful.calls == ["0 POST /track/click", "0 POST /users"])
    #expect(faithful.taken == 0)
    let promised = try clicks(.promised)
    #expect(promised.calls.map { $0.split(separator: " ").last } == ["/users", "/track/click"])
    #expect(promised.taken == 1)
  }

  @Test func `without a user a click looks for one again and again, a bounded number of times`() throws {
    func spins(_ mode: MotiSigClient.Mode) throws -> (Int, Int) {
      let counts = Mutex((0, 0))
      _ = try MotiSigVendor().run(mode: mode) { app in
        app.client.initialize(launchPayload: ["messageId": "m1"])
        try await app.sleep(1005)
        let early = app.client.spins
        try await app.sleep(86_400_000)
        counts.withLock { $0 = (early, app.client.spins) }
      }
      return counts.withLock { $0 }
    }
    #expect(try spins(.faithful) == (101, 1000))
    #expect(try spins(.promised) == (0, 0))
  }

  @Test func `a spinning click still leaves with the first user, and settling does not wait for it`() throws {
    let log = try MotiSigVendor().run(mode: .faithful) { app in
      app.client.initialize(launchPayload: ["messageId": "m1"])
      try await app.sleep(20_000)
      await app.client.settle()
      app.marks.mark("settled")
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.times(ofMark: "settled") == [.seconds(20)])
    #expect(log.calls == ["20000 POST /track/click", "20000 POST /users"])
  }

  @Test func `after a logout clicks go out in the name of the next user`() throws {
    let log = try MotiSigVendor(["POST click": [503, 200]]).run(mode: .faithful) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      try await app.sleep(200)
      app.tap("m1")
      try await app.sleep(200)
      app.client.logout()
      try await app.sleep(5000)
      try app.client.setUser("u2")
      await app.client.settle()
    }
    #expect(log.bodies(of: "POST click").map { $0["userId"] } == ["u1", "u2"])
  }
}
