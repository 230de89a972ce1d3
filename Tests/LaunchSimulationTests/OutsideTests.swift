import Foundation
import LaunchSimulation
import Synchronization
import Testing

/// What happens between a simulation and the threads around it.
@Suite struct OutsideTests {
  @Test func `a task that another thread resumes is an escape, and comes back to be ended`() throws {
    let log = Log()
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        let door = Door()
        Task {
          await door.wait()
          log.note("resumed \(Simulation.current == nil ? "outside" : "inside"), cancelled: \(Task.isCancelled)")
        }
        try await Task.sleep(for: .seconds(1))
        onAnotherThread { door.open() }
        try await Task.sleep(for: .seconds(1))
        log.note("unseen")
      }
    }
    guard case .escaped(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(1))
    #expect(log.all == ["resumed inside, cancelled: true"])
  }

  @Test func `a child task that another simulation resumes is an escape of its own one`() throws {
    let inner = Log()
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run {
        let door = Door()
        await withTaskGroup { group in
          group.addTask { await door.wait() }
          await Task.yield()
          onAnotherThread {
            try? Simulation.run {
              door.open()
              try await Task.sleep(for: .seconds(1))
              inner.note("done at \(Simulation.current!.now)")
            }
          }
        }
      }
    }
    guard case .escaped = error else { return _ = Issue.record("\(error)") }
    #expect(inner.all == ["done at 1.0 seconds"])
  }

  @Test func `a task from outside that the simulation resumes goes on outside`() async throws {
    let door = Door()
    let (waits, wait) = AsyncStream.makeStream(of: Void.self)
    let visitor = Task {
      await door.wait { wait.yield() }
      return Simulation.current == nil
    }
    for await _ in waits { break }
    try simulated(Script()) {
      door.open()
      try await Task.sleep(for: .seconds(1))
    }
    #expect(await visitor.value)
  }

  @Test func `a job that blocks its thread is reported when it returns`() throws {
    let seconds = Mutex<Int64>(0)
    let clock = RealClock(now: { seconds.withLock { $0 } * 1_000_000_000 }, wait: { _ in })
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run(clock: clock, driver: nil) {
        try await Task.sleep(for: .seconds(1))
        seconds.withLock { $0 += 4 }
        try await Task.sleep(for: .seconds(1))
        seconds.withLock { $0 += 6 }
        try await Task.sleep(for: .seconds(1))
      }
    }
    guard case .blocked(let progress, let duration) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(2) && duration == .seconds(6))
    #expect(Simulation.current == nil)
  }

  /// Runs of every kind of end, on many threads at once.
  @Test func `simulations end side by side, however they end`() throws {
    struct Failure: Error {}
    let outcomes = Mutex<[String: Int]>([:])
    let threads = (0..<64).map { thread in
      Thread {
        for run in 0..<25 {
          let kind = (thread + run) % 5
          let outcome: String
          do {
            outcome = try Simulation.run(horizon: .seconds(3600)) {
              let main = Task { @MainActor in try await Task.sleep(for: .seconds(2)) }
              async let child: Void = Task.sleep(for: .seconds(1))
              try await child
              try await main.value
              switch kind {
              case 0: return "returned at \(Simulation.current!.now)"
              case 1: throw Failure()
              case 2: for await _ in AsyncStream<Int>.makeStream().stream {}
              case 3: Simulation.current?.end()
              default: while true { try await Task.sleep(for: .seconds(60)) }
              }
              try await Task.sleep(for: .seconds(1))
              return "went on"
            }
          } catch let error as SimulationError {
            outcome = String("\(error)".prefix(24))
          } catch {
            outcome = "threw \(type(of: error))"
          }
          let isClean = Simulation.current == nil && Date().timeIntervalSince1970 > 1_700_000_100
          outcomes.withLock { $0[isClean ? outcome : "stayed in it", default: 0] += 1 }
        }
      }
    }
    for thread in threads { thread.start() }
    while !threads.allSatisfy(\.isFinished) { sched_yield() }
    #expect(
      outcomes.withLock { $0 } == [
        "returned at 2.0 seconds": 320, "threw Failure": 320, "the simulation was ended": 320,
        "the simulation hangs at ": 320, "the simulation reached i": 320,
      ])
  }
}

/// Where one task waits.
private final class Door: Sendable {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func wait(_ isWaiting: @Sendable () -> Void = {}) async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
      isWaiting()
    }
  }

  func open() { waiting.withLock { $0.take() }?.resume() }
}

/// Runs `work` on a thread of its own, and blocks this one until that has ended.
private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    work()
    isDone.signal()
  }
  isDone.wait()
}
