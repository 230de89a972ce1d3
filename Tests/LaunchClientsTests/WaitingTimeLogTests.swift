import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

@Suite struct WaitingTimeLogTests {
  private func run(_ body: @escaping @Sendable (WaitingTimeLog) async throws -> Void) throws -> (
    lines: [String], marks: [Mark]
  ) {
    try Simulation.run {
      let recording = Recording(AnswerTransport { _ in Answer(parts: []) })
      let output = Output()
      try await body(WaitingTimeLog(marks: recording) { output.append($0) })
      return (output.lines, Observed(recording).marks.map(\.mark))
    }
  }

  @Test func `each function has its own format`() throws {
    let (lines, _) = try run { log in
      log.startCounting()
      try await Task.sleep(for: .microseconds(166_999))
      log.mark(.splashLaunch)
      log.ready(.adjustReady)
      log.note(.waitingForIdentifiers)
    }
    #expect(
      lines == [
        "[waitingTime] start counting", "[waitingTime] splash launch 166ms",
        "[waitingTime] adjust initialization: 166 milliseconds", "[waitingTime] waiting for idfa adid idfv campaign",
      ])
  }

  @Test func `only the first start counts`() throws {
    let (lines, marks) = try run { log in
      log.startCounting()
      try await Task.sleep(for: .seconds(1))
      log.startCounting()
      log.mark(.splashLaunch)
    }
    #expect(lines == ["[waitingTime] start counting", "[waitingTime] splash launch 1000ms"])
    #expect(marks.map(\.name) == ["start counting", "splash launch"])
  }

  @Test func `before the start the time is 0`() throws {
    let (lines, _) = try run { log in
      try await Task.sleep(for: .seconds(1))
      log.mark(.startOneSignal)
    }
    #expect(lines == ["[waitingTime] start onesignal initialization 0ms"])
  }

  @Test func `fields go to the trace only`() throws {
    let (lines, marks) = try run { log in
      log.startCounting()
      log.mark(.attAnswered, ["status": 3])
    }
    #expect(lines.last == "[waitingTime] ATT answered 0ms")
    #expect(marks.last == Mark("ATT answered", ["status": 3]))
  }
}
