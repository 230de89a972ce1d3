import LaunchClients
import LaunchJSON
import LaunchTrace
import Testing

/// Delivery of clicks on the virtual clock; answers take 100 ms (vendors.md 4.4).
@Suite struct MotiSigClickTests {
  private func registered() throws -> LaunchStore {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    return store
  }

  private func pending(_ store: LaunchStore) -> Int { store.entries(under: "motisig.click.").count }

  @Test func `a tap that started the app is taken down at once and sent when the server knows the user`() throws {
    let store = LaunchStore()
    let log = try MotiSigVendor().run(store: store) { app in
      app.client.initialize(launchPayload: ["aps": ["messageId": "m1"]])
      #expect(pending(store) == 1)
      try await app.sleep(300)
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.calls == ["300 POST /users", "400 POST /track/click"])
    #expect(log.bodies(of: "POST click") == [["userId": "u1", "messageId": "m1", "isForeground": false]])
    #expect(log.marks.prefix(2) == ["motisig initialize", "click recorded"])
    #expect(pending(store) == 0)
  }

  @Test func `clicks do not wait for other calls`() throws {
    let log = try MotiSigVendor().run(store: registered()) { app in
      app.client.initialize()
      try app.client.addTags(["a"])
      try app.client.addTags(["b"])
      app.tap("m1")
      app.tap("m2")
      await app.client.settle()
    }
    #expect(
      log.calls == [
        "0 POST /track/click", "0 POST /users/u1/tags", "100 POST /track/click", "100 POST /users/u1/tags",
      ])
  }

  /// The jitter comes from the device's seed: in these draws, in this order.
  @Test func `gaps double from 1 s to 30 s, each with its own jitter`() throws {
    var chance = Chance(seed: Device.sample.chanceSeed)
    let expected = (1...7).map { ClickQueue.backoff.wait(beforeRetry: $0, using: &chance) }
    let log = try MotiSigVendor(["POST click": [503]]).run(store: registered()) { app in
      app.client.initialize()
      app.tap("m1")
      try await app.sleep(130_000)
    }
    let times = log.requests.filter { MotiSigVendor.name(of: $0.request) == "POST click" }.map(\.at)
    let gaps = zip(times, times.dropFirst()).map { $0.0.microseconds.distance(to: $0.1.microseconds) }
    #expect(gaps.count >= 7)
    for (gap, wait) in zip(gaps, expected) {
      // The trace has whole microseconds.
      #expect(abs(gap - Int((wait + .milliseconds(100)) / .microseconds(1))) <= 1, "\(gap) \(wait)")
    }
  }

  @Test(arguments: [
    (200, false), (202, false), (0, true), (408, true), (429, true), (500, true), (503, true), (599, true),
    (400, false), (401, false), (404, false), (409, false), (410, false), (302, false),
  ]) func `no answer, 408, 429 and 5xx are tried again, nothing else is`(status: Int, isRetried: Bool) throws {
    let store = try registered()
    let log = try MotiSigVendor(["POST click": [status, 200]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      await app.client.settle(until: .now + .seconds(10))
    }
    #expect(log.clicks.count == (isRetried ? 2 : 1))
    #expect(log.marks.contains("click dropped") == (!isRetried && !(200...299).contains(status)))
    #expect(pending(store) == 0)
  }

  @Test func `the fiftieth attempt is the last`() throws {
    let store = try registered()
    let log = try MotiSigVendor(["POST click": [0]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      await app.client.settle(until: .now + .seconds(3000))
    }
    #expect(log.clicks.count == 50)
    #expect(log.marks.last == "click dropped")
    #expect(pending(store) == 0)
  }

  @Test func `one that fails holds back none that is due`() throws {
    let log = try MotiSigVendor(["POST click": [503, 200]]).run(store: registered()) { app in
      app.client.initialize()
      for message in ["m1", "m2", "m3"] { app.tap(message) }
      await app.client.settle(until: .now + .seconds(10))
    }
    #expect(log.clicks == ["m1", "m2", "m3", "m1"])
  }

  @Test func `a message is clicked once, in this launch and the next`() throws {
    let store = try registered()
    for _ in 1...2 {
      let log = try MotiSigVendor().run(store: store) { app in
        app.client.initialize(launchPayload: ["messageId": "m1"])
        app.tap("m1")
        await app.client.settle()
        app.tap("m1")
        await app.client.settle()
      }
      #expect(log.clicks.count == log.marks.count { $0 == "click recorded" })
      #expect(log.clicks.count <= 1)
    }
  }

  @Test func `what was not delivered leaves with the next launch, after the rest of its wait`() throws {
    let store = try registered()
    _ = try MotiSigVendor(["POST click": [503]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      try await app.sleep(200)
    }
    // 0.1 s: refused; the process ends at 0.2 s and comes back, by the clock, 0.5 s later.
    var device = Device.sample
    device.launchedAt.milliseconds += 700
    let due = store["motisig.click.1"]?["due"]?.integer ?? 0
    let log = try MotiSigVendor().run(store: store, device: device) { app in
      app.client.initialize()
      await app.client.settle()
    }
    #expect(log.times(of: "POST click") == [.milliseconds(due - device.launchedAt.milliseconds)])
  }

  @Test func `an attempt that the process does not survive counts, and puts the next one off`() throws {
    let store = try registered()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try await app.sleep(300)
      app.tap("m1")
      try await app.sleep(50)
      let start = Device.sample.launchedAt.milliseconds + 300
      #expect(store["motisig.click.1"]?["attempts"] == 1)
      #expect(store["motisig.click.1"]?["due"] == .integer(start + 1000))
    }
    var device = Device.sample
    device.launchedAt.milliseconds += 400
    let log = try MotiSigVendor(["POST click": [0]]).run(store: store, device: device) { app in
      app.client.initialize()
      await app.client.settle()
      #expect(store["motisig.click.1"]?["attempts"] == 2)
    }
    #expect(log.times(of: "POST click") == [.milliseconds(900)])
  }

  static let jumps: [Int64] = [-3_600_000, 3_600_000, 8 * 86_400_000, -1_796_019_645_000]

  @Test(arguments: jumps) func `whatever the clock did, a click is sent soon or given up for its age`(
    jump: Int64
  ) throws {
    let store = try registered()
    _ = try MotiSigVendor(["POST click": [0]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      try await app.sleep(20_000)
    }
    var device = Device.sample
    device.launchedAt.milliseconds += jump
    let log = try MotiSigVendor().run(store: store, device: device) { app in
      app.client.initialize()
      await app.client.settle()
    }
    let isTooOld = jump > 7 * 86_400_000
    #expect(log.clicks == (isTooOld ? [] : ["m1"]))
    #expect((log.times(of: "POST click").first ?? .zero) <= .seconds(36))
    #expect(pending(store) == 0)
  }

  @Test func `a click keeps its user through logout and the next launch`() throws {
    let store = try registered()
    _ = try MotiSigVendor(["POST click": [503]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      app.client.logout()
      try app.client.setUser("u2")
      app.tap("m2")
      try await app.sleep(300)
    }
    let log = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      await app.client.settle()
    }
    #expect(log.bodies(of: "POST click").map { $0["userId"] } == ["u1", "u2"])
  }

  @Test func `clicks wait while the server does not know their user`() throws {
    let store = LaunchStore()
    let first = try MotiSigVendor(["POST users": [500]]).run(store: store) { app in
      app.client.initialize(launchPayload: ["messageId": "m1"])
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(first.calls == ["0 POST /users"])
    let second = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try await app.sleep(1000)
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(second.calls == ["1000 POST /users", "1100 POST /track/click"])
  }

  @Test func `201 taps lose the oldest`() throws {
    let log = try MotiSigVendor().run { app in
      app.client.initialize()
      for number in 1...201 { app.tap("m\(number)") }
      try app.client.setUser("u1")
      await app.client.settle()
    }
    #expect(log.clicks == (2...201).map { "m\($0)" })
    #expect(log.marks.count { $0 == "click dropped" } == 1)
  }

  @Test func `settling without a deadline waits for one retry and leaves the rest to the next launch`() throws {
    let store = try registered()
    let log = try MotiSigVendor(["POST click": [503]]).run(store: store) { app in
      app.client.initialize()
      app.tap("m1")
      try await app.sleep(500)
      await app.client.settle()
    }
    #expect(log.clicks.count == 2)
    #expect(pending(store) == 1)
  }
}
