import LaunchSimulation
import Testing

/// How a run ends: what is left then is ended too, and nothing stays in memory.
@Suite struct EndingTests {
  /// What a task does that is left when the run ends.
  struct Remnant: CustomTestStringConvertible {
    let testDescription: String
    /// Whether nothing of it can stay.
    let canEnd: Bool
    let body: @Sendable (Trace) async -> Void
  }

  /// Lives as long as one of the tasks that a run left.
  final class Trace: Sendable {}

  static let remnants = [
    Remnant(testDescription: "sleeps", canEnd: true) { _ in try? await Task.sleep(for: .seconds(100_000)) },
    Remnant(testDescription: "polls until an error", canEnd: true) { _ in
      do { while true { try await Task.sleep(for: .seconds(1)) } } catch {}
    },
    Remnant(testDescription: "polls until cancelled", canEnd: true) { _ in
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
    },
    Remnant(testDescription: "waits for a stream", canEnd: true) { _ in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
    },
    Remnant(testDescription: "waits for a group", canEnd: true) { trace in
      await withTaskGroup { group in
        for _ in 0..<10 {
          group.addTask {
            withExtendedLifetime(trace) {}
            try? await Task.sleep(for: .seconds(100_000))
          }
        }
      }
    },
    Remnant(testDescription: "waits for a task that sleeps", canEnd: true) { trace in
      let sleeper = Task.detached {
        withExtendedLifetime(trace) {}
        try await Task.sleep(for: .seconds(100_000))
      }
      try? await sleeper.value
    },
    Remnant(testDescription: "starts another task when cancelled", canEnd: true) { trace in
      await withTaskCancellationHandler {
        try? await Task.sleep(for: .seconds(100_000))
      } onCancel: {
        Task {
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }; withExtendedLifetime(trace) {}
        }
      }
    },
    Remnant(testDescription: "sleeps on an actor", canEnd: true) { await Sleeper().sleep($0) },
    Remnant(testDescription: "yields for ever until cancelled", canEnd: true) { _ in
      try? await Task.sleep(for: .seconds(100_000))
      for _ in 0..<100 { await Task.yield() }
    },
    Remnant(testDescription: "polls on after it was cancelled", canEnd: false) { trace in
      while true { try? await Task.sleep(for: .seconds(1)); withExtendedLifetime(trace) {} }
    },
    Remnant(testDescription: "polls on, in nanoseconds", canEnd: false) { trace in
      while true { try? await Task.sleep(nanoseconds: 1_000_000_000); withExtendedLifetime(trace) {} }
    },
    Remnant(testDescription: "waits for a lost continuation", canEnd: false) { trace in
      unsafe await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in withExtendedLifetime(trace) {} }
    },
  ]

  /// How the run ends around the remnant.
  enum End: CaseIterable {
    case returns, fails, dies, hangs, reachesHorizon
  }

  @Test(arguments: remnants, End.allCases)
  func `what is left is ended and freed, or counted`(_ remnant: Remnant, _ end: End) throws {
    struct Failure: Error {}
    weak var trace: Trace?
    let driver = Script { simulation, _ in if end == .dies { simulation.end() } }
    func run() throws {
      let strong = Trace()
      trace = strong
      try Simulation.run(horizon: .seconds(60), driver: driver) {
        Task { await remnant.body(strong) }
        switch end {
        case .returns: break
        case .fails: throw Failure()
        case .dies: try await Task.sleep(for: .seconds(30))
        case .hangs: for await _ in AsyncStream<Int>.makeStream().stream {}
        case .reachesHorizon: while true { try await Task.sleep(for: .seconds(50)) }
        }
      }
    }
    try? run()
    #expect((trace == nil) == remnant.canEnd)
    #expect(driver.leftOver == (remnant.canEnd ? 0 : 1))
  }

  @Test func `the process dies between two jobs, or in one`() throws {
    let log = Log()
    let driver = Script { simulation, round in if round == 1 { simulation.end() } }
    let error = try #require(throws: SimulationError.self) {
      try Simulation.run(driver: driver) {
        for second in 1...3 {
          try await Task.sleep(for: .seconds(1))
          log.note("\(second)")
        }
      }
    }
    guard case .ended(let progress) = error else { return _ = Issue.record("\(error)") }
    #expect(progress.now == .seconds(1) && log.all == ["1"] && driver.leftOver == 0)

    let second = try #require(throws: SimulationError.self) {
      try Simulation.run {
        Task { log.note("never") }
        Simulation.current?.end()
        log.note("the job's rest")
        while !Task.isCancelled { await Task.yield() }
        log.note("cancelled")
      }
    }
    guard case .ended = second else { return _ = Issue.record("\(second)") }
    #expect(log.all == ["1", "the job's rest", "never", "cancelled"])
  }
}

private actor Sleeper {
  func sleep(_ trace: EndingTests.Trace) async {
    try? await Task.sleep(for: .seconds(100_000))
    withExtendedLifetime(trace) {}
  }
}
