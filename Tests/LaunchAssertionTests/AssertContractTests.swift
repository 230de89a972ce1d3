import LaunchXCTest
import XCTest

final class AssertContractTests: XCTestCase {
  func testAContractThatHoldsPasses() {
    XCTAssertContract("order", holdsOn: Fixtures.kept)
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
