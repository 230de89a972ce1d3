import LaunchClients
import LaunchHTTP
import LaunchSimulation
import Testing

/// The system shows one prompt at a time (R32, Q10).
@Suite struct PhonePromptTests {
  private func scenario(_ change: (inout LaunchScenario) -> Void = { _ in }) -> LaunchScenario {
    var scenario = LaunchScenario.firstLaunch
    scenario.activeAfter = .zero
    scenario.push = .prompt(.declined, after: .seconds(3))
    change(&scenario)
    return scenario
  }

  private func run(
    _ scenario: LaunchScenario, _ body: @escaping @MainActor (Phone) async throws -> Void
  ) throws -> [String] {
    try Simulation.run {
      let recording = Recording(AnswerTransport { _ in Answer(head: ResponseHead(status: 200)) })
      let phone = await Phone(scenario: scenario, marks: recording)
      try await phone.becomeActive()
      try await body(phone)
      return MotiSigLog(events: recording.events).marks
    }
  }

  @Test func `a question about tracking under an open push prompt is answered at once, unasked`() throws {
    let marks = try run(scenario()) { phone in
      let push = Task { try await phone.requestPush() }
      try await Task.sleep(for: .seconds(1))
      let asked = ContinuousClock.now
      let suppressed = try await phone.requestTracking()
      #expect(suppressed == .notDetermined)
      #expect(ContinuousClock.now == asked)
      let answers = (try await push.value, try await phone.requestTracking())
      #expect(answers == (.declined, .authorized))
    }
    #expect(
      marks == [
        "app active", "push prompt", "system prompt shown", "system prompt closed", "system prompt shown",
        "system prompt closed",
      ])
  }

  @Test func `and the other way round`() throws {
    let marks = try run(scenario()) { phone in
      let tracking = Task { try await phone.requestTracking() }
      try await Task.sleep(for: .seconds(1))
      let suppressed = try await phone.requestPush()
      #expect(suppressed == .unknown)
      #expect(phone.pushPermission == .unknown)
      let answer = try await tracking.value
      #expect(answer == .authorized)
    }
    #expect(marks == ["app active", "system prompt shown", "push prompt", "system prompt closed"])
  }

  @Test func `an answer is given once, and one of before needs no prompt`() throws {
    let marks = try run(scenario()) { phone in
      let answers = [try await phone.requestPush(), try await phone.requestPush()]
      #expect(answers == [.declined, .declined])
    }
    #expect(marks.count { $0 == "system prompt shown" } == 1)
    let decided = try run(scenario { $0.push = .decided(.granted) }) { phone in
      #expect(phone.pushPermission == .granted)
      let answer = try await phone.requestPush()
      #expect(answer == .granted)
    }
    #expect(decided == ["app active", "push prompt"])
  }
}
