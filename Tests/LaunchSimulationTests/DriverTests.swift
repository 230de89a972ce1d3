import LaunchSimulation
import Synchronization
import Testing

@Suite struct DriverTests {
  @Test func `a driver sets the order of ready jobs`() throws {
    let expected = ["abc", "acb", "bac", "bca", "cab", "cba"]
    var orders: Set<String> = []
    for first in 0..<3 {
      for second in 0..<2 {
        let driver = Script(choices: [first, second])
        orders.insert(try simulated(driver) { await threeTasks() })
        #expect(driver.counts.first == 3)
      }
    }
    #expect(orders.sorted() == expected)
    #expect(try Simulation.run { await threeTasks() } == "abc")
  }

  @Test func `a driver answers before time moves, at the instant it likes`() throws {
    let answers = Answers()
    let driver = Script { simulation, round in
      guard round == 0 else { return }
      #expect(simulation.nextDue == .seconds(10))
      simulation.advance(to: .seconds(3))
      answers.give("early")
    }
    let log = try simulated(driver) {
      let log = Log()
      async let _: Void = Task.sleep(for: .seconds(10))
      log.note("\(await answers.next()) at \(Simulation.current!.now)")
      try await Task.sleep(for: .seconds(1))
      log.note("slept until \(Simulation.current!.now)")
      return log.all
    }
    #expect(log == ["early at 3.0 seconds", "slept until 4.0 seconds"])
  }

  @Test func `the next instant is none of a cancelled sleep, whoever slept`() throws {
    let dues = Mutex<[Duration?]>([])
    let answers = Answers()
    let driver = Script { simulation, _ in
      dues.withLock { $0.append(simulation.nextDue) }
      answers.give("")
    }
    try simulated(driver) {
      let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
      let main = Task { @MainActor in try await Task.sleep(nanoseconds: 2_000_000_000) }
      let napper = Napper()
      let actor = Task { try await napper.nap(.seconds(3)) }
      await withThrowingTaskGroup { group in
        group.addTask { try await ContinuousClock().sleep(for: .seconds(4)) }
        async let child = SuspendingClock().sleep(until: .now + .seconds(5), tolerance: .seconds(1))
        _ = await answers.next()
        sleeper.cancel()
        _ = await answers.next()
        main.cancel()
        _ = await answers.next()
        actor.cancel()
        _ = await answers.next()
        group.cancelAll()
        _ = try? await group.next()
        _ = await answers.next()
        _ = try? await child
      }
    }
    #expect(dues.withLock { $0 } == [1, 2, 3, 4, 5, 5].map { .seconds($0) })
  }
}

private func threeTasks() async -> String {
  let log = Log()
  await withTaskGroup { group in
    for name in ["a", "b", "c"] { group.addTask { log.note(name) } }
  }
  return log.all.joined()
}

private actor Napper {
  func nap(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Values that the body waits for and the driver gives.
final class Answers: Sendable {
  private let waiting = Mutex<CheckedContinuation<String, Never>?>(nil)

  func next() async -> String {
    await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
  }

  func give(_ answer: String) {
    waiting.withLock { waiting in
      let continuation = waiting
      waiting = nil
      return continuation
    }?.resume(returning: answer)
  }
}

/// A driver that makes the choices it is given, then takes the first job.
final class Script: SimulationDriver {
  private var choices: [Int]
  private var rounds = 0
  private let idle: (Simulation, Int) -> Void
  private(set) var counts: [Int] = []
  private(set) var leftOver: Int?

  init(choices: [Int] = [], idle: @escaping (_ simulation: Simulation, _ round: Int) -> Void = { _, _ in }) {
    self.choices = choices
    self.idle = idle
  }

  func nextJob(of count: Int) -> Int {
    counts.append(count)
    return choices.isEmpty ? 0 : choices.removeFirst()
  }

  func simulationIsIdle(_ simulation: Simulation) {
    defer { rounds += 1 }
    idle(simulation, rounds)
  }

  func didEnd(_ simulation: Simulation) { leftOver = simulation.leftOver }
}

/// Synchronous, so that an asynchronous test can call it.
func simulated<Value: Sendable>(
  _ driver: Script, _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  try Simulation.run(driver: driver, body)
}
