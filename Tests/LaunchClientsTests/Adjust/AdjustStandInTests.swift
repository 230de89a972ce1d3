import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// Everything the client can say, said to the stand-in, which checks it against vendors.md.
@Suite struct AdjustStandInTests {
  private func run(
    _ sandbox: AdjustSandbox = AdjustSandbox(), _ status: ATTStatus = .authorized,
    _ body: @escaping @MainActor (AdjustLaunches) async throws -> Void
  ) throws -> Observed {
    try Simulation.run(horizon: .seconds(20_000)) {
      let sandbox = Mutex(sandbox)
      let recording = Recording(AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } })
      try await body(AdjustLaunches(recording, status, tokenAfter: .milliseconds(70)))
      return Observed(recording)
    }
  }

  private func expectAccepted(_ observed: Observed) {
    for case .call(let id, .response(let head)) in observed.events.map(\.kind) {
      #expect(head.status == 200, "call \(id)")
    }
  }

  @Test(arguments: ATTStatus.allCases) func `every call of many launches is accepted`(status: ATTStatus) throws {
    let observed = try run(AdjustSandbox(), status) { launches in
      let first = launches.client()
      first.setPushToken("ab")
      first.onRemoteTrigger = { _ in }
      var configuration = AdjustConfiguration(environment: .production)
      configuration.delaysFirstSession = true
      configuration.needsCost = true
      first.initSDK(configuration)
      first.endFirstSessionDelay()
      try await sleep(.seconds(70))
      first.setPushToken("cd")
      first.applicationWillResignActive()
      try await sleep(.seconds(10))
      first.applicationDidBecomeActive()
      await first.settle()
      try await sleep(.seconds(3000))
      launches.scenario.tracking = .decided(.authorized)
      launches.scenario.adServicesErrors = [2, 2]
      await launches.launch().settle()
    }
    expectAccepted(observed)
    #expect(Set(observed.calls) == [.session, .click, .attribution, .info])
    #expect(observed.calls(.session).count == 2)
    #expect(observed.calls(.info).count == (status == .authorized ? 1 : 2))
    #expect(observed.times(of: "attributed Autumn launch").isEmpty == false)
  }

  @Test func `a session whose answer was lost is no second install`() throws {
    let observed = try run { launches in
      let client = launches.launch()
      try await sleep(.milliseconds(100))
      client.stop()
      await launches.launch().settle()
    }
    expectAccepted(observed)
    #expect(observed.calls(.session).count == 2)
    #expect(observed.calls(.attribution).count == 2)
  }

  @Test func `an opted-out device is never heard of again`() throws {
    var sandbox = AdjustSandbox()
    sandbox.sessionMembers = ["tracking_state": "opted_out"]
    let observed = try run(sandbox) { launches in
      await launches.launch().settle()
      try await sleep(.seconds(5000))
      await launches.launch().settle()
    }
    #expect(observed.calls == [.session, .click])
  }

  @Test func `a server's session is accepted, and names the device that the SDK names`() throws {
    let observed = try run { launches in
      let sessions = AdjustS2S(token: "secret", appToken: Credentials.sample.adjustAppToken)
      let response = try await launches.recording.response(to: sessions.session(of: .sample, status: .denied))
      let client = launches.launch()
      await client.settle()
      #expect(client.knownAdid != nil)
      #expect((try? JSON(parsing: response.body))?["adid"]?.string == client.knownAdid)
    }
    expectAccepted(observed)
  }

  @Test func `each session is told from server to server as well, once`() throws {
    let observed = try run { launches in
      let client = launches.launch { $0.sendsServerSession = true }
      await client.settle()
      #expect(client.knownAdid != nil)
      await launches.launch { $0.sendsServerSession = true }.settle()
      try await sleep(.seconds(1801))
      await launches.launch { $0.sendsServerSession = true }.settle()
    }
    expectAccepted(observed)
    let hosts = observed.events.compactMap { event in
      if case .call(_, .request(let request, _)) = event.kind, request.location.path == "/session" {
        request.location.host
      } else {
        nil
      }
    }
    #expect(hosts.sorted() == ["consent.adjust.com", "consent.adjust.com", AdjustS2S.host, AdjustS2S.host])
  }
}
