import LaunchClients
import LaunchJSON
import LaunchTrace
import Testing

/// Launch-flow.md section 2, B1 to B4, and section 4.
@Suite struct ATTGateTests {
  private func run(
    activeAfter: Duration, tracking: LaunchScenario.Tracking = .prompt(.authorized, after: .seconds(3))
  ) throws -> (observed: Observed, lines: [String]) {
    let output = Output()
    let observed = try Script().run { recording in
      var scenario = LaunchScenario.firstLaunch
      (scenario.activeAfter, scenario.tracking) = (activeAfter, tracking)
      let phone = Phone(scenario: scenario, marks: recording)
      let log = WaitingTimeLog(marks: recording) { output.append($0) }
      log.startCounting()
      Task { try await phone.becomeActive() }
      let gate = ATTGate(log: log, marks: recording, isActive: { phone.isActive }, request: phone.requestTracking)
      let status = try await gate.pass()
      #expect(status == phone.trackingStatus)
    }
    return (observed, output.lines)
  }

  static let waits: [(active: Int, requested: Int)] = [(0, 100), (50, 100), (260, 300), (4950, 5000), (9000, 5000)]

  @Test(arguments: waits)
  func `the app is looked at every 100 ms, for 5 s at most`(active: Int, requested: Int) throws {
    let (observed, _) = try run(activeAfter: .milliseconds(active))
    #expect(observed.times(of: "ATT requested") == [.milliseconds(requested)])
  }

  @Test func `the prompt takes as long as the user does, and the status goes along`() throws {
    let (observed, lines) = try run(activeAfter: .milliseconds(10))
    #expect(observed.times(of: "system prompt shown") == [.milliseconds(100)])
    #expect(observed.times(of: "system prompt closed") == [.milliseconds(3100)])
    #expect(observed.marks.last?.mark.fields == ["status": 3])
    #expect(lines.dropFirst() == ["[waitingTime] start ATT 0ms", "[waitingTime] ATT answered 3100ms"])
  }

  @Test func `an app that is still not active gets status 0 at once, and no prompt`() throws {
    let (observed, lines) = try run(activeAfter: .seconds(9))
    #expect(observed.times(of: "system prompt shown").isEmpty)
    #expect(observed.marks.last?.mark.fields == ["status": 0])
    #expect(lines.last == "[waitingTime] ATT answered 5000ms")
  }

  @Test func `what is decided already is answered without a prompt`() throws {
    let (observed, _) = try run(activeAfter: .seconds(9), tracking: .decided(.denied, after: .milliseconds(110)))
    #expect(observed.times(of: "system prompt shown").isEmpty)
    #expect(observed.times(of: .attAnswered) == [.milliseconds(5110)])
  }
}
