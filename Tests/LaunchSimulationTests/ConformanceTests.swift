import LaunchSimulation
import Testing

@Suite struct ConformanceTests {
  @Test(arguments: Program.all) func `a program prints the same on the real executor and in a simulation`(
    program: Program
  ) async throws {
    let real = try await program.output()
    #expect(real.count > 3)
    let virtual = try simulated(program)
    #expect(virtual == real)
  }

  @Test(arguments: Program.all) func `a thousand runs of a program are identical`(program: Program) throws {
    let (first, end) = try timed(program)
    for _ in 1..<1000 {
      let (output, now) = try timed(program)
      guard output == first, now == end else {
        Issue.record("one run gave \(output) at \(now), the first \(first) at \(end)")
        return
      }
    }
  }

  @Test(arguments: 0..<8) func `ordinary tests beside it keep real time`(_: Int) async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(20))
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          await MainActor.run {}; try? await Task.sleep(for: .milliseconds(20))
        }
      }
    }
    #expect(ContinuousClock.now - start >= .milliseconds(40))
    #expect(Simulation.current == nil)
  }

  private func timed(_ program: Program) throws -> ([String], Duration?) {
    try Simulation.run { (try await program.output(), Simulation.current?.now) }
  }
}

/// Synchronous, so that an asynchronous test can call it.
private func simulated(_ program: Program) throws -> [String] {
  try Simulation.run { try await program.output() }
}
