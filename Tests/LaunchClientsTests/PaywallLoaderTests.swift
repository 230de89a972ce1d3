import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Launch-flow.md section 5 on the virtual clock. The load begins at 1 s; the attribution arrives as each test says.
@Suite struct PaywallLoaderTests {
  private func run(
    _ mode: PaywallLoader.Mode, edition: LaunchEdition = .published, attributedAfter: Duration,
    timeout: Duration = LaunchNumbers.paywallTimeout, _ script: Script = Script(),
    expecting source: PaywallLoader.Source? = nil
  ) throws -> Observed {
    try script.run { recording in
      var scenario = LaunchScenario.firstLaunch
      // The profile exists at 200 ms, and Apple's attribution takes one more call.
      scenario.adServicesAfter = attributedAfter - .milliseconds(300)
      let phone = Phone(scenario: scenario, marks: recording)
      let adapty = AdaptyClient(transport: recording, publicKey: "public.0", phone: phone, marks: recording)
      let observer = ProfileObserver()
      adapty.delegate = observer.receive
      await adapty.activate()
      try await Task.sleep(for: .seconds(1))
      let loader = PaywallLoader(edition: edition, adapty: adapty, observer: observer, marks: recording)
      do {
        let loaded = try await loader.load(mode, placement: "onboarding", timeout: timeout)
        recording.mark("loaded")
        #expect(loaded.source == source)
      } catch {
        recording.mark("failed")
        #expect(source == nil)
      }
      await loader.settle()
    }
  }

  @Test func `race: both are asked for, and the segment's wins in time`() throws {
    let observed = try run(.race, attributedAfter: .seconds(3), expecting: .segmented)
    #expect(observed.calls(.defaultPaywall).map(\.at) == [.seconds(1)])
    #expect(observed.calls(.segmented).map(\.at) == [.seconds(3)])
    #expect(observed.times(of: "loaded") == [.milliseconds(3100)])
    #expect(observed.times(of: "paywall timeout").isEmpty)
  }

  @Test func `race: an attribution that is there already is used at once`() throws {
    let observed = try run(.race, attributedAfter: .milliseconds(500), expecting: .segmented)
    #expect(observed.calls(.segmented).map(\.at) == [.seconds(1)])
  }

  @Test func `race: the winner cancels a default request that still runs`() throws {
    var script = Script()
    script[.defaultPaywall] = [Answer(Script.paywall("everyone"), after: .seconds(20))]
    let observed = try run(.race, attributedAfter: .seconds(3), script, expecting: .segmented)
    let call = try #require(observed.calls(.defaultPaywall).first)
    #expect(call.error?.reason == .cancelled)
    #expect(call.end == .milliseconds(3100))
  }

  @Test func `race: after 5 s the default paywall is taken without a second request`() throws {
    let observed = try run(.race, attributedAfter: .seconds(20), expecting: .default)
    #expect(observed.times(of: "paywall timeout") == [.seconds(6)])
    #expect(observed.times(of: "loaded") == [.milliseconds(6100)])
    #expect(observed.calls(.defaultPaywall).count == 1)
  }

  @Test func `race: a slow default paywall has no bound of its own`() throws {
    var script = Script()
    script[.defaultPaywall] = [Answer(Script.paywall("everyone"), after: .seconds(20))]
    let observed = try run(.race, attributedAfter: .seconds(30), script, expecting: .default)
    #expect(observed.times(of: "loaded") == [.seconds(21)])
  }

  @Test func `race, as published: the cancelled wait still asks for the segment's paywall, in vain`() throws {
    let observed = try run(.race, attributedAfter: .seconds(20), expecting: .default)
    let call = try #require(observed.calls(.segmented).first)
    #expect(call.at == .seconds(6))
    #expect(call.error == nil)
    // The group of the race ends with its last task.
    #expect(observed.times(of: "loaded") == [.milliseconds(6100)])
  }

  @Test func `race, strict: the loser sends nothing`() throws {
    let observed = try run(.race, edition: .strict, attributedAfter: .seconds(20), expecting: .default)
    #expect(observed.calls(.segmented).isEmpty)
    #expect(observed.times(of: "loaded") == [.seconds(6)])
  }

  @Test func `race, strict: a failed segmented request leaves the decision to the default one`() throws {
    var script = Script()
    script[.segmented] = [Answer(["error_code": "x"], status: 400)]
    script[.defaultPaywall] = [Answer(Script.paywall("everyone"), after: .seconds(4))]
    let observed = try run(.race, edition: .strict, attributedAfter: .seconds(3), script, expecting: .default)
    #expect(observed.times(of: "loaded") == [.seconds(5)])
  }

  @Test func `race, strict: when both fail the app shows its own paywall`() throws {
    var script = Script()
    script.cut(.segmented)
    script.cut(.defaultPaywall)
    _ = try run(.race, edition: .strict, attributedAfter: .seconds(3), script, expecting: .fallback)
    _ = try run(.race, attributedAfter: .seconds(20), script, expecting: nil)
  }

  @Test func `race, as published: a failed segmented request throws while the default one runs on`() throws {
    var script = Script()
    script[.segmented] = [Answer(["error_code": "x"], status: 400)]
    script[.defaultPaywall] = [Answer(Script.paywall("everyone"), after: .seconds(8))]
    let observed = try run(.race, attributedAfter: .seconds(3), script, expecting: nil)
    #expect(observed.times(of: "failed") == [.milliseconds(3100)])
    #expect(observed.calls(.defaultPaywall).map(\.end) == [.seconds(9)])
    #expect(observed.calls(.defaultPaywall).map(\.error) == [nil])
  }

  @Test func `simple: the attribution starts the only request`() throws {
    let observed = try run(
      .simple, attributedAfter: .seconds(2), timeout: LaunchNumbers.attributionTimer, expecting: .segmented)
    #expect(observed.calls(.segmented).map(\.at) == [.seconds(2)])
    #expect(observed.calls(.defaultPaywall).isEmpty)
  }

  @Test func `simple: so does the timer, once`() throws {
    let observed = try run(
      .simple, attributedAfter: .seconds(9), timeout: LaunchNumbers.attributionTimer, expecting: .segmented)
    #expect(observed.times(of: "paywall timeout") == [.seconds(4)])
    #expect(observed.calls(.segmented).map(\.at) == [.seconds(4)])
  }

  @Test func `simple: a failed request ends in the app's own paywall`() throws {
    var script = Script()
    script.cut(.segmented)
    _ = try run(.simple, attributedAfter: .seconds(2), script, expecting: .fallback)
  }

  @Test(arguments: PaywallLoader.Mode.allCases) func `a load says what it is`(mode: PaywallLoader.Mode) throws {
    let observed = try run(mode, attributedAfter: .seconds(2), expecting: .segmented)
    let mark = observed.marks.first { $0.mark.name == "paywall requested" }?.mark
    #expect(mark?.fields == ["mode": .string(mode.rawValue), "placement": "onboarding", "timeout": 5000])
  }
}
