import Foundation
import LaunchReport
public import LaunchTrace
import XCTest

/// What an assertion does about rules that the trace never exercised.
public enum IdleRules: Sendable {
  /// One line each on standard error.
  case warns
  /// The assertion fails.
  case fails
}

/// Fails at the caller's line unless every rule of a contract holds on `trace`.
///
/// ```swift
/// func testLaunchOrder() throws {
///   let trace = try deck.simulate { launch in … }
///   XCTAssertContract("launch", holdsOn: trace)
/// }
/// ```
///
/// Broken, open and unordered rules fail; `advice:` never does.
/// - Parameters:
///   - name: `launch` for `launch.contract`, looked for beside the test file and in the `contracts` folder of each
///     folder above it, up to the one with `Package.swift`. With a `/`, or ending in `.contract`, it is a path.
///   - trace: the launch to check.
///   - idle: what rules that were never exercised do; `optional:` ones are silent.
public func XCTAssertContract(
  _ name: String, holdsOn trace: Trace, idle: IdleRules = .warns, file: StaticString = #filePath, line: UInt = #line
) {
  let assertion = ContractAssertion(name, holdsOn: trace, sourceFile: "\(file)")
  for failure in assertion.failures { XCTFail(failure, file: file, line: line) }
  switch idle {
  case .fails where !assertion.idle.isEmpty:
    XCTFail("rules were never exercised\n" + assertion.idle.joined(separator: "\n"), file: file, line: line)
  case .fails: break
  case .warns: for rule in assertion.idle { FileHandle.standardError.write(Data("warning: \(rule)\n".utf8)) }
  }
}
