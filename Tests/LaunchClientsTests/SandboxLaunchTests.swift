import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// Whole launches against the vendors' stand-ins.
@Suite struct SandboxLaunchTests {
  private func launch(
    _ latency: LatencyProfile = .typical, _ scenario: LaunchScenario = .firstLaunch
  ) throws -> Observed {
    try Simulation.run(horizon: .seconds(1000)) {
      let sandbox = Mutex(VendorSandbox(latency: latency))
      let recording = Recording(AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } })
      try await Flow.named("first-launch")?.run(recording, scenario: scenario)
      return Observed(recording)
    }
  }

  @Test(arguments: [LatencyProfile.lan, .typical]) func `every call is accepted`(latency: LatencyProfile) throws {
    let observed = try launch(latency)
    for case .call(let id, .response(let head)) in observed.events.map(\.kind) {
      #expect((200...299).contains(head.status), "call \(id)")
    }
    #expect(!observed.events.contains { if case .call(_, .error) = $0.kind { true } else { false } })
    #expect(observed.calls.count == 27)
  }

  @Test(arguments: [ATTStatus.restricted, .denied]) func `so it is without consent`(status: ATTStatus) throws {
    let observed = try launch(.typical, LaunchScenario.firstLaunch.answering(status))
    for case .call(let id, .response(let head)) in observed.events.map(\.kind) {
      #expect((200...299).contains(head.status), "call \(id)")
    }
  }

  @Test func `the first launch takes about 15 s and shows everything`() throws {
    let observed = try launch()
    let end = try #require(observed.events.last?.at)
    #expect(end >= Instant(microseconds: 15_000_000) && end <= Instant(microseconds: 20_000_000))
    #expect(observed.times(of: .didDisplay).count == 1)
    #expect(observed.times(of: .campaign).count == 1)
    #expect(observed.calls(.updateUser).count == 3)
    #expect(observed.marks.contains { $0.mark.name == "paywall shown" && $0.mark.fields["source"] == "segmented" })
  }

  /// Calls that leave at one instant leave in the order of the code; others keep their distance, so that the jitter of
  /// a live run changes neither the order of the calls nor what a flush carries. Instants are cut to whole microseconds.
  @Test(arguments: [LatencyProfile.lan, .typical]) func `calls are no ties`(latency: LatencyProfile) throws {
    let observed = try launch(latency)
    var starts: [Duration] = []
    for event in observed.events { if case .call(_, .request) = event.kind { starts.append(event.at - .zero) } }
    for (first, second) in zip(starts, starts.dropFirst()) where first != second {
      #expect(second - first >= .microseconds(latency.name == "lan" ? 1999 : 50_000), "\(first) \(second)")
    }
    for tags in observed.times(of: "tags added") {
      let toFlush = OneSignalClient.flushInterval - tags % OneSignalClient.flushInterval
      #expect(toFlush >= .milliseconds(50) && toFlush <= .milliseconds(4950), "\(tags)")
    }
  }

  @Test func `two runs are equal`() throws { #expect(try launch() == launch()) }
}

extension LaunchScenario {
  fileprivate func answering(_ status: ATTStatus) -> LaunchScenario {
    var scenario = self
    scenario.tracking = status == .restricted ? .decided(status) : .prompt(status, after: .seconds(7))
    return scenario
  }
}

private func % (left: Duration, right: Duration) -> Duration { left - right * Int(left / right) }
