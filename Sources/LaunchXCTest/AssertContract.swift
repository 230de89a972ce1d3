import Foundation
public import LaunchDeck
public import LaunchExplore
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
  report(assertion.failures, assertion.idle, idle, file, line)
}

/// Fails at the caller's line unless every rule of a contract holds on a launch, in whatever order its answers arrive.
///
/// ```swift
/// func testLaunchOrders() {
///   XCTAssertContract("launch", holdsOnEveryOrderOf: "first-launch") { launch in
///     try await AppLaunch(transport: launch.transport).run()
///   }
/// }
/// ```
///
/// The launch runs in a simulation, in virtual time, answered from the cassette; each order twice. A failure is the smallest
/// change of the recorded launch that breaks a rule, in one sentence, with the schedule that shows it again. It also fails
/// when nothing can be claimed: the launch does not repeat, a request has no answer, or time ran out.
/// - Parameters:
///   - name: the contract, as in `XCTAssertContract(_:holdsOn:)`.
///   - cassette: the cassette, as in `Deck`.
///   - orders: nil for all orders if they are no more than 5,040, else a covering set of every three.
///   - varies: what else may come otherwise than recorded.
///   - budget: how long it may take.
///   - seed: what chance begins with.
///   - fallback: makes what answers the requests of one launch that the cassette has no answer for.
///   - launch: one process, from its start to its end. What outlives it is in `Launch.kept`.
public func XCTAssertContract(
  _ name: String, holdsOnEveryOrderOf cassette: String, orders: Orders? = nil, varies: Variations = Variations(),
  budget: Duration? = nil, seed: UInt64 = 1, matching: Matching = Matching(), idle: IdleRules = .warns,
  file: StaticString = #filePath, line: UInt = #line,
  fallback: @escaping @Sendable () -> Fallback? = { nil },
  launch: @escaping @Sendable (Launch) async throws -> Void
) {
  let assertion = OrderAssertion(
    name, holdsOnEveryOrderOf: cassette, orders: orders, varies: varies, budget: budget, seed: seed,
    matching: matching, sourceFile: file, fallback: fallback, launch: launch)
  report(assertion.failures, assertion.idle, idle, file, line)
}

private func report(
  _ failures: [String], _ unexercised: [String], _ idle: IdleRules, _ file: StaticString, _ line: UInt
) {
  for failure in failures { XCTFail(failure, file: file, line: line) }
  switch idle {
  case .fails where !unexercised.isEmpty:
    XCTFail("rules were never exercised\n" + unexercised.joined(separator: "\n"), file: file, line: line)
  case .fails: break
  case .warns: for rule in unexercised { FileHandle.standardError.write(Data("warning: \(rule)\n".utf8)) }
  }
}
