import LaunchCassette
import LaunchClients
import LaunchDeck
import LaunchExplore
import LaunchXCTest
import XCTest

final class AssertContractTests: XCTestCase {
  func testAContractThatHoldsPasses() {
    XCTAssertContract("order", holdsOn: Fixtures.kept)
  }

  func testAContractThatHoldsOnEveryOrderPasses() {
    XCTAssertContract("order", holdsOnEveryOrderOf: "two-answers", launch: Fixtures.careful)
  }

  // Where XCTest knows expected failures, it swallows what a test case inside a test records.
  #if !canImport(Darwin)
    /// Runs an assertion as a test of its own and keeps what it recorded.
    private final class Inner: XCTestCase {
      struct Failure {
        var message: String
        var file: String
        var line: Int
      }

      private(set) var failures: [Failure] = []

      override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
      ) {
        failures.append(Failure(message: description, file: filePath, line: lineNumber))
      }
    }

    private func failures(_ body: @escaping () -> Void) -> [Inner.Failure] {
      let inner = Inner(name: "inner") { _ in body() }
      inner.run()
      return inner.failures
    }

    func testABrokenContractFailsAtTheCallersLine() {
      let line = #line + 1
      let failures = failures { XCTAssertContract("order", holdsOn: Fixtures.broken) }
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssertEqual(failures.map(\.file), [#filePath])
      let message = failures.first?.message ?? ""
      for part in ["order does not hold on fixture", "[R10] adjust only after att", "comes 1 ms too late"] {
        XCTAssertTrue(message.contains(part), message)
      }
    }

    func testAnOrderThatBreaksFailsAtTheCallersLine() {
      let line = #line + 2
      let failures = failures {
        XCTAssertContract("order", holdsOnEveryOrderOf: "two-answers", launch: Fixtures.careless)
      }
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssertEqual(failures.map(\.file), [#filePath])
      let message = failures.first?.message ?? ""
      for part in ["order does not hold on every order of two-answers", Fixtures.explanation, #"orders: .only("1")"#] {
        XCTAssertTrue(message.contains(part), message)
      }
    }

    /// A test as `launchtape explore --write-test` prints it.
    func testAPrintedTestFailsWithItsCounterexample() throws {
      let path = "cassettes/push-prompt.cassette"
      let flow = try ExploredFlow(XCTUnwrap(Flow.named("first-launch")), Cassette(path: path))
      var matching = Matching()
      try matching.repeat("last")
      let failures = failures { [matching] in
        XCTAssertContract(
          "contracts/launch.contract", holdsOnEveryOrderOf: path, orders: .only("0"), varies: Variations(faults: 1),
          matching: matching, fallback: flow.fallback, launch: flow.launch)
      }
      XCTAssertEqual(failures.count, 1, "\(failures)")
      let message = failures.first?.message ?? ""
      for part in ["does not hold on every order of \(path): no push.prompt", "breaks as recorded"] {
        XCTAssertTrue(message.contains(part), message)
      }
    }

    func testAMissingCassetteFailsAtTheCallersLine() {
      let line = #line + 1
      let failures = failures { XCTAssertContract("order", holdsOnEveryOrderOf: "absent", launch: Fixtures.careful) }
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssertTrue(failures.first?.message.contains("absent.cassette") == true, "\(failures)")
    }

    func testAMissingContractFailsAtTheCallersLine() {
      let line = #line + 1
      let failures = failures { XCTAssertContract("absent", holdsOn: Fixtures.kept) }
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssertTrue(failures.first?.message.contains("contracts/absent.contract") == true, "\(failures)")
    }

    func testAnUnreadableContractFailsWithItsDiagnostics() {
      let failures = failures { XCTAssertContract("unreadable", holdsOn: Fixtures.kept) }
      XCTAssertTrue(failures.first?.message.contains("unreadable.contract:3:4: error: 'hom'") == true, "\(failures)")
    }

    func testAnIdleRuleFailsOnlyWhenAsked() {
      XCTAssertTrue(failures { XCTAssertContract("order", holdsOn: Fixtures.idle) }.isEmpty)
      let line = #line + 1
      let failures = failures { XCTAssertContract("order", holdsOn: Fixtures.idle, idle: .fails) }
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssertTrue(failures.first?.message.contains("adjust never came") == true, "\(failures)")
    }
  #endif
}
