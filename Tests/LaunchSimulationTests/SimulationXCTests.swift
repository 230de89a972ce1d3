import LaunchSimulation
import XCTest

final class SimulationXCTests: XCTestCase {
  func testALaunchInVirtualTime() throws {
    let log = try Simulation.run {
      let log = Log()
      Task { @MainActor in
        try await Task.sleep(for: .seconds(20))
        log.note("gave up")
      }
      try await Task.sleep(for: .seconds(25))
      return log.all
    }
    XCTAssertEqual(log, ["gave up"])
  }

  @MainActor func testOnTheMainActor() throws {
    let now = try Simulation.run { @MainActor in
      try await Task.sleep(for: .seconds(20))
      return Simulation.current?.now
    }
    XCTAssertEqual(now, .seconds(20))
  }

  func testAnAsynchronousTestKeepsRealTime() async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(10))
    await MainActor.run {}
    XCTAssertGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(10))
  }
}
