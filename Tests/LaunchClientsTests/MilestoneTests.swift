import LaunchSimulation
import Testing

@testable import LaunchClients

@Suite struct MilestoneTests {
  @MainActor
  private final class Log {
    var lines: [String] = []

    func wait(for milestone: Milestone<Int>, _ name: String) -> Task<Void, Never> {
      Task {
        do { lines.append("\(name) \(try await milestone.wait())") } catch { lines.append("\(name) gave up") }
      }
    }
  }

  @Test func `those who wait go on in the order in which they came, and late ones at once`() throws {
    let lines = try Simulation.run { @MainActor in
      let (log, milestone) = (Log(), Milestone<Int>())
      let waiting = ["a", "b", "c", "d"].map { log.wait(for: milestone, $0) }
      try await Task.sleep(for: .seconds(1))
      waiting[1].cancel()
      try await Task.sleep(for: .seconds(1))
      milestone.finish(.success(1))
      milestone.finish(.success(2))
      for task in waiting { await task.value }
      await log.wait(for: milestone, "e").value
      return log.lines
    }
    #expect(lines == ["b gave up", "a 1", "c 1", "d 1", "e 1"])
  }

  @Test func `one who has given up before does not wait`() throws {
    let lines = try Simulation.run { @MainActor in
      let (log, milestone) = (Log(), Milestone<Int>())
      let task = log.wait(for: milestone, "a")
      task.cancel()
      await task.value
      milestone.finish(.failure(CancellationError()))
      return log.lines
    }
    #expect(lines == ["a gave up"])
  }
}
