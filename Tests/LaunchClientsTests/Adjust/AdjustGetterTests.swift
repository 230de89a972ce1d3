import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 1.6, "getter trap", on the virtual clock: sessions take 100 ms, attributions 3.2 s.
@Suite struct AdjustGetterTests {
  private func run(
    _ script: Script = Script(), _ body: @escaping @MainActor (AdjustClient, Recording) async throws -> Void
  ) throws -> Observed {
    try script.run { recording in
      let client = AdjustLaunches(recording).client()
      try await body(client, recording)
      client.stop()
    }
  }

  private func configuration(_ getter: AdjustConfiguration.Getter) -> AdjustConfiguration {
    var configuration = AdjustConfiguration(environment: .sandbox)
    configuration.getter = getter
    return configuration
  }

  @Test func `version 4 gives what there is`() throws {
    _ = try run { client, _ in
      #expect(try await client.adid() == nil)
      client.initSDK(self.configuration(.immediate))
      #expect(try await client.adid() == nil)
      #expect(try await client.attribution() == nil)
      try await sleep(.milliseconds(101))
      #expect(try await client.adid() == Script.adid)
    }
  }

  @Test func `version 5 holds until there is something, for everybody who asks`() throws {
    let observed = try run { client, recording in
      client.initSDK(self.configuration(.holding))
      let readers = (1...3).map { number in
        Task {
          try await sleep(.milliseconds(10 * number))
          #expect(try await client.adid() == Script.adid)
          recording.mark("adid")
        }
      }
      #expect(try await client.attribution()?.network == "Apple Ads")
      recording.mark("attribution")
      for reader in readers { try await reader.value }
    }
    #expect(observed.times(of: "adid") == Array(repeating: .milliseconds(100), count: 3))
    #expect(observed.times(of: "attribution") == [.milliseconds(3200)])
  }

  @Test(arguments: [
    (Duration.milliseconds(99), Duration.milliseconds(99), false), (.milliseconds(101), .milliseconds(100), true),
    (.zero, .zero, false), (.seconds(-1), .zero, false),
  ])
  func `with an end they wait no longer, whatever the version`(
    timeout: Duration, waited: Duration, isThere: Bool
  ) throws {
    for getter in [AdjustConfiguration.Getter.immediate, .holding] {
      let observed = try run { client, recording in
        client.initSDK(self.configuration(getter))
        let adid = try await client.adid(timeout: timeout)
        recording.mark("adid")
        #expect((adid != nil) == isThere)
        let attribution = try await client.attribution(timeout: .milliseconds(50))
        recording.mark("attribution")
        #expect(attribution == nil)
      }
      #expect(observed.times(of: "adid") == [waited])
      #expect(observed.times(of: "attribution") == [waited + .milliseconds(50)])
    }
  }

  @Test func `offline a held getter ends only with its task, or with the client`() throws {
    let observed = try run(Script(refusing: true)) { client, recording in
      client.initSDK(self.configuration(.holding))
      let cancelled = Task { try await client.adid() }
      let stopped = Task { try await client.attribution() }
      let early = Task { try await client.adid() }
      early.cancel()
      await #expect(throws: CancellationError.self) { try await early.value }
      try await sleep(.seconds(300))
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      recording.mark("cancelled")
      client.stop()
      await #expect(throws: CancellationError.self) { try await stopped.value }
      recording.mark("stopped")
    }
    #expect(observed.times(of: "cancelled") == [.seconds(300)])
    #expect(observed.times(of: "stopped") == [.seconds(300)])
  }

  @Test func `a getter cancelled at any moment ends at that moment`() throws {
    for milliseconds in stride(from: 0, through: 200, by: 5) {
      let observed = try run { client, recording in
        client.initSDK(self.configuration(.holding))
        let reader = Task { try await client.adid(timeout: .milliseconds(150)) }
        try await sleep(.milliseconds(milliseconds))
        reader.cancel()
        let outcome = await reader.result
        recording.mark("ended")
        if case .failure(let error) = outcome { #expect(error is CancellationError) }
        if milliseconds != 100 { #expect(((try? outcome.get()) != nil) == (milliseconds > 100)) }
      }
      #expect(observed.times(of: "ended") == [.milliseconds(milliseconds)])
    }
  }
}
