import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 1.3 D and 1.6 on the virtual clock: what waits for the user, and what hears of the answer.
@Suite struct AdjustConsentTests {
  /// Runs the SDK over an app that is active from the start and shows the prompt at once; nobody answers before
  /// `answer`.
  private func run(
    _ script: Script = Script(), answer: Duration = .seconds(900), active: Duration = .zero,
    _ body: @escaping @MainActor (AdjustLaunches, Phone) async throws -> Void
  ) throws -> Observed {
    try script.run(horizon: .seconds(5000)) { recording in
      let launches = AdjustLaunches(recording, tokenAfter: .milliseconds(70))
      launches.scenario.tracking = .prompt(.authorized, after: answer)
      launches.scenario.activeAfter = active
      let phone = launches.phone()
      let prompt = Task {
        try await phone.becomeActive()
        _ = try await phone.requestTracking()
      }
      try await body(launches, phone)
      prompt.cancel()
    }
  }

  private func firstCall(_ observed: Observed) -> Duration? {
    for event in observed.events { if case .call = event.kind { return event.at - .zero } }
    return nil
  }

  @Test func `nothing leaves before the answer, which is looked for every second`() throws {
    let observed = try run(answer: .milliseconds(3200)) { launches, phone in
      await launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }.settle()
    }
    #expect(firstCall(observed) == .seconds(4))
    for kind in [VendorCallKind.session, .click] {
      #expect(observed.calls(kind).map(\.request.location.host) == ["consent.adjust.com"])
      #expect(observed.calls(kind).map { $0.form["att_status"] } == ["3"])
      #expect(observed.calls(kind).map { $0.form["idfa"] } == [Device.sample.idfa])
      #expect(observed.calls(kind).map(\.at) == [.seconds(4)])
    }
  }

  @Test(arguments: [(10, 10), (119, 119), (360, 360), (361, 360), (1_000_000, 360)])
  func `without an answer it waits until the deadline, and no more than 360 s`(seconds: Int, waited: Int) throws {
    let observed = try run { launches, phone in
      await launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(seconds) }.settle()
    }
    #expect(firstCall(observed) == .seconds(waited))
    #expect(observed.calls(.session).map(\.request.location.host) == ["analytics.adjust.com"])
    #expect(observed.calls(.session).map { $0.form["att_status"] } == ["0"])
  }

  @Test func `only seconds of an active app count`() throws {
    let observed = try run(active: .milliseconds(5500)) { launches, phone in
      await launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }.settle()
    }
    #expect(firstCall(observed) == .seconds(15))
  }

  @Test func `an answer that is there needs no wait`() throws {
    for status in ATTStatus.allCases where status != .notDetermined {
      let observed = try Script().run { recording in
        await AdjustLaunches(recording, status).launch { $0.attConsentWaitingInterval = .seconds(100) }.settle()
      }
      #expect(firstCall(observed) == .zero)
    }
  }

  @Test func `what an earlier process has waited counts, and nobody waits twice`() throws {
    let observed = try run { launches, phone in
      let first = launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }
      try await sleep(.milliseconds(4500))
      first.stop()
      try await sleep(.milliseconds(5500))
      #expect(launches.store["adjust.att_waiting_seconds"] == 6)
      let second = launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }
      try await sleep(.seconds(10))
      second.stop()
      launches.store.set("adjust.activity", nil)
      await launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }.settle()
    }
    #expect(observed.calls(.session).map(\.at) == [.seconds(16), .seconds(20)])
  }

  @Test func `a launch that did not wait ends the waiting of later ones`() throws {
    let observed = try run { launches, phone in
      let first = launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }
      try await sleep(.seconds(2))
      first.stop()
      let second = launches.launch(phone)
      try await sleep(.seconds(2))
      second.stop()
      launches.store.set("adjust.activity", nil)
      await launches.launch(phone) { $0.attConsentWaitingInterval = .seconds(10) }.settle()
    }
    #expect(observed.calls(.session).map(\.at) == [.seconds(2), .seconds(4)])
  }

  @Test func `the first session's delay wins over the wait for the answer`() throws {
    let observed = try run { launches, phone in
      let client = launches.launch(phone) {
        $0.delaysFirstSession = true
        $0.attConsentWaitingInterval = .seconds(100)
      }
      await client.settle()
      try await sleep(.seconds(7))
      client.endFirstSessionDelay()
      client.endFirstSessionDelay()
      await client.settle()
      await launches.launch(phone) { $0.delaysFirstSession = true }.settle()
    }
    #expect(firstCall(observed) == .seconds(7))
    #expect(observed.calls(.session).map { $0.form["ff_first_session_delay"] } == ["1"])
    #expect(observed.calls(.session).map { $0.form["att_status"] } == ["0"])
  }

  @Test func `a later launch is not delayed`() throws {
    let observed = try run { launches, phone in
      await launches.launch(phone).settle()
      try await sleep(.seconds(2000))
      await launches.launch { $0.delaysFirstSession = true }.settle()
    }
    #expect(observed.calls(.session).count == 2)
    #expect(observed.calls(.session).last?.form["ff_first_session_delay"] == nil)
  }

  @Test func `the timer tells a changed answer after 60 s, once`() throws {
    let observed = try run(answer: .seconds(7)) { launches, phone in
      let client = launches.launch(phone)
      try await sleep(.seconds(200))
      client.stop()
    }
    #expect(observed.calls(.session).map { $0.form["att_status"] } == ["0"])
    let told = observed.calls(.info)
    #expect(told.map(\.at) == [.seconds(60)])
    #expect(told.map { $0.form["source"] } == ["att"])
    #expect(told.map { $0.form["att_status"] } == ["3"])
    #expect(told.map(\.request.location.host) == ["consent.adjust.com"])
    #expect(told.map { $0.form["time_spent"] } == ["60"])
  }

  @Test func `the next start tells it as well`() throws {
    let observed = try run(answer: .seconds(20)) { launches, phone in
      await launches.launch(phone).settle()
      try await sleep(.seconds(30))
      launches.scenario.tracking = .decided(.authorized)
      await launches.launch().settle()
      await launches.launch().settle()
    }
    let told = observed.calls(.info)
    #expect(told.map { $0.form["source"] } == ["att"])
    #expect(told.first.map { $0.at > .seconds(30) } == true)
    #expect(observed.calls(.session).count == 1)
  }

  @Test func `a package made before the answer goes where the answer sends it`() throws {
    var script = Script()
    script[.session] = [.page, .page] + script[.session]
    let observed = try run(script, answer: .milliseconds(150)) { launches, phone in
      let client = launches.launch(phone)
      try await sleep(.seconds(2))
      await client.settle()
    }
    #expect(
      observed.calls(.session).map(\.request.location.host) == [
        "analytics.adjust.com", "analytics.adjust.io", "consent.adjust.com",
      ])
    #expect(observed.calls(.session).map { $0.form["idfa"] } == [nil, nil, Device.sample.idfa])
    #expect(observed.calls(.session).map { $0.form["att_status"] } == ["0", "0", "3"])
  }

  @Test func `a push token travels with the first session, and is told when it changes`() throws {
    let observed = try run(answer: .seconds(1)) { launches, phone in
      let client = launches.client(phone)
      client.setPushToken("a")
      client.initSDK(environment: .sandbox)
      client.setPushToken("a")
      try await sleep(.seconds(2))
      client.setPushToken("b")
      client.setPushToken("")
      await client.settle()
      let later = launches.client(phone)
      later.setPushToken("c")
      later.initSDK(environment: .sandbox)
      await later.settle()
    }
    #expect(observed.calls(.session).map { $0.form["push_token"] } == ["a"])
    #expect(observed.calls(.info).filter { $0.form["source"] == "push" }.map { $0.form["push_token"] } == ["b", "c"])
  }
}
