import LaunchClients
import Testing

/// Vendors.md 4.3 and 4.4; answers take 100 ms.
@Suite struct MotiSigPingTests {
  private func later(
    _ vendor: MotiSigVendor = MotiSigVendor(), interval: Duration = MotiSigClient.pingInterval,
    _ body: @escaping @MainActor (MotiSigApp) async throws -> Void
  ) throws -> [Duration] {
    let store = LaunchStore()
    _ = try MotiSigVendor().run(store: store) { app in
      app.client.initialize()
      try app.client.setUser("u1")
      await app.client.settle()
    }
    return try vendor.run(store: store, pingInterval: interval) { app in
      app.client.initialize()
      try await body(app)
    }.times(of: "POST ping")
  }

  @Test func `the app pings when it becomes active, then every 60 s, and when it leaves`() throws {
    let times = try later { app in
      try await app.sleep(450)
      app.client.didBecomeActive()
      app.client.didBecomeActive()
      try await app.sleep(150_000)
      app.client.didEnterBackground()
      try await app.sleep(100_000)
      app.client.didBecomeActive()
      try await app.sleep(61_000)
    }
    #expect(
      times == [450, 60_450, 120_450, 150_450, 250_450, 310_450].map { Duration.milliseconds($0) })
  }

  @Test(arguments: [
    (Duration.seconds(7), Duration.seconds(7)), (.zero, .seconds(1)), (.seconds(-5), .seconds(1)),
    (.seconds(86_400), .seconds(86_400)), (.seconds(1_000_000), .seconds(86_400)),
  ]) func `the interval is between a second and a day`(wanted: Duration, real: Duration) throws {
    let times = try later(interval: wanted) { app in
      app.client.didBecomeActive()
      try await Task.sleep(for: .seconds(86_401) < real * 3 ? .seconds(86_401) : real * 3)
    }
    #expect(times.prefix(2) == [.zero, real])
  }

  @Test func `a ping without an answer is sent once more after 1.5 s, and not a third time`() throws {
    let times = try later(MotiSigVendor(["POST ping": [0]])) { app in
      app.client.didBecomeActive()
      try await app.sleep(30_000)
    }
    #expect(times == [.zero, .milliseconds(1600)])
  }

  @Test(arguments: [400, 429, 500]) func `a ping that is refused is not`(status: Int) throws {
    let times = try later(MotiSigVendor(["POST ping": [status]])) { app in
      app.client.didBecomeActive()
      try await app.sleep(30_000)
    }
    #expect(times == [.zero])
  }

  @Test func `pings do not pile up behind a call that takes long`() throws {
    let times = try later(MotiSigVendor(latency: .milliseconds(20_500)), interval: .seconds(1)) { app in
      app.client.didBecomeActive()
      try await app.sleep(61_000)
    }
    #expect(times == [.zero, .seconds(21), .seconds(42)])
  }

  @Test func `settling ends the pings`() throws {
    let times = try later { app in
      app.client.didBecomeActive()
      await app.client.settle()
      try await app.sleep(200_000)
    }
    #expect(times == [.zero])
  }
}
