import Dispatch
import Foundation
import LaunchSimulation
import Testing

@Suite struct SimulationTests {
  @Test func `a launch of twenty seconds takes the time it says`() throws {
    let now = try Simulation.run {
      async let fast = Task.sleep(for: .seconds(5))
      async let slow = Task.sleep(for: .seconds(20))
      _ = try await (fast, slow)
      return Simulation.current?.now
    }
    #expect(now == .seconds(20))
  }

  @Test func `every clock reads virtual time, to the nanosecond`() throws {
    struct Readings {
      let continuous = ContinuousClock.now
      let suspending = SuspendingClock.now
      let date = Date()
      let dispatch = DispatchTime.now()
      let simulation = Simulation.current?.now
    }
    let (before, after) = try Simulation.run {
      let before = Readings()
      try await Task.sleep(for: .milliseconds(1234))
      try await Task.sleep(nanoseconds: 777)
      try await Task.sleep(until: .now + .microseconds(3), clock: .suspending)
      return (before, Readings())
    }
    let elapsed = Duration.nanoseconds(1_234_003_777)
    #expect(before.simulation == .zero)
    #expect(after.simulation == elapsed)
    #expect(after.continuous - before.continuous == elapsed)
    #expect(after.suspending - before.suspending == elapsed)
    #expect(after.dispatch.uptimeNanoseconds - before.dispatch.uptimeNanoseconds == 1_234_003_777)
    #expect(before.date.timeIntervalSince1970 == 1_700_000_000)
    #expect(abs(after.date.timeIntervalSince(before.date) - 1.234003777) < 1e-6)
  }

  @Test func `a cancelled sleep wakes at once and its deadline moves no time`() throws {
    let log = Log()
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        let sleeper = Task { try await Task.sleep(for: .seconds(3600)) }
        try await Task.sleep(for: .seconds(1))
        sleeper.cancel()
        _ = await sleeper.result
        log.note("woken at \(Simulation.current!.now)")
        try await wait()
      }
    }
    #expect(log.all == ["woken at 1.0 seconds"])
    guard case .hang(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(1))
  }

  @Test func `the error of the body is thrown`() {
    struct Failure: Error, Equatable {}
    #expect(throws: Failure()) {
      try Simulation.run {
        try await Task.sleep(for: .seconds(1))
        throw Failure()
      }
    }
    #expect(Simulation.current == nil)
  }

  @Test func `nothing left to do is a hang that says how far it came`() throws {
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        for seconds in 1...7 { try await Task.sleep(for: .seconds(seconds)) }
        try await wait()
      }
    }
    guard case .hang(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(28))
    #expect(progress.lastWakes == [.seconds(6), .seconds(10), .seconds(15), .seconds(21), .seconds(28)])
    #expect(error.description.contains("hangs at 28.0 seconds of virtual time"))
    #expect(error.description.contains("outside the simulation"))
  }

  @Test func `timers that repeat forever end at the horizon`() throws {
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run(horizon: .seconds(60)) { while true { try await Task.sleep(for: .seconds(7)) } }
    }
    guard case .horizonReached(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(56))
  }

  @Test func `waiting in a loop for time to pass is reported`() throws {
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        let deadline = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < deadline, !Task.isCancelled { await Task.yield() }
      }
    }
    guard case .spinning = error else { return _ = Issue.record("\(error)") }
  }

  @Test func `a body that hangs is cancelled and ends inside`() throws {
    let log = Log()
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        defer { log.note("ended at \(Simulation.current!.now), cancelled: \(Task.isCancelled)") }
        try await Task.sleep(for: .seconds(5))
        try await wait()
      }
    }
    guard case .hang(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(5) && progress.taskCount == 1)
    #expect(log.all == ["ended at 5.0 seconds, cancelled: true"])
  }

  @Test func `a simulation does not nest`() throws {
    let inner = try Simulation.run {
      do { return try nested() } catch let error as SimulationError { return "\(error)" }
    }
    #expect(inner.hasSuffix("simulations do not nest"))
  }

  @Test func `left-over tasks go on after the end until they are done`() throws {
    let log = Log()
    try Simulation.run {
      Task { @MainActor in
        defer { log.note("done at \(Simulation.current!.now)") }
        for _ in 1...4 {
          try await Task.sleep(for: .seconds(1))
          log.note("tick at \(Simulation.current!.now)")
        }
      }
      try await Task.sleep(for: .milliseconds(2500))
      Task { log.note("ready at the end") }
      log.note("end")
    }
    #expect(
      log.all == [
        "tick at 1.0 seconds", "tick at 2.0 seconds", "end", "ready at the end", "tick at 3.0 seconds",
        "tick at 4.0 seconds", "done at 4.0 seconds",
      ])
  }

  @Test func `left-over tasks that never end are dropped`() throws {
    let polls = Log()
    let value = try Simulation.run {
      Task { while true { try? await Task.sleep(for: .seconds(1)); polls.note("") } }
      Task { try await wait() }
      return 3
    }
    #expect(value == 3)
    #expect((1...1200).contains(polls.all.count))
  }

  @Test func `simulations on two threads do not see each other`() async throws {
    let program = Program.all[0]
    let expected = try await program.output()
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try await onThread { try (0..<50).map { _ in try Simulation.run { try await program.output() } } }
        }
      }
      for try await outputs in group { #expect(outputs.allSatisfy { $0 == expected }) }
    }
  }

  @Test(arguments: Program.all) func `a paced run prints what the virtual run prints`(program: Program) throws {
    let body: @Sendable () async throws -> ([String], Duration?) = {
      (try await program.output(), Simulation.current?.now)
    }
    let virtual = try Simulation.run(body)
    #expect(try #require(virtual.1) < .seconds(1))
    let paced = try Simulation.run(pace: .real(speed: 10), body)
    #expect(virtual == paced)
  }

  @Test func `a paced run waits for the real clock and knows how late it is`() throws {
    let start = ContinuousClock.now
    let lateness = try Simulation.run(pace: .real(speed: 100)) {
      let stale = Task { try await Task.sleep(for: .seconds(3600)) }
      try await Task.sleep(for: .seconds(2))
      stale.cancel()
      try await Task.sleep(for: .seconds(2))
      return Simulation.current?.lateness
    }
    #expect(ContinuousClock.now - start >= .milliseconds(40))
    #expect(try #require(lateness) >= .zero)
    #expect(try Simulation.run { Simulation.current?.lateness } == nil)
  }

  @Test func `only the main actor's jobs are on the main actor`() throws {
    let isolated = try Simulation.run {
      let outside = isOnMainActor()
      return [outside, await MainActor.run { isOnMainActor() }, isOnMainActor()]
    }
    #expect(isolated == [false, true, false])
  }

  @Test func `expectations inside report to the test around them`() throws {
    let here = Test.current
    #expect(here != nil)
    #expect(try Simulation.run { Test.current } == here)
  }
}

/// Waits until it is cancelled.
private func wait() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  try Task.checkCancellation()
}

private func nested() throws -> String { try Simulation.run { "" } }

private func isOnMainActor() -> Bool? {
  unsafe MainActor.shared.unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext()
}

/// Runs `work` on a thread of its own.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
