public import LaunchDeck
public import LaunchExplore
import LaunchReport
public import LaunchTrace
public import Testing

/// Records an issue at the caller's line unless every rule of a contract holds on `trace`.
///
/// ```swift
/// @Test func `the launch keeps its order`() throws {
///   let trace = try deck.simulate { launch in … }
///   expectContract("launch", holdsOn: trace)
/// }
/// ```
///
/// Broken, open and unordered rules are issues; `advice:` never is. Rules that the trace never exercised are issues of
/// severity warning, unless they are `optional:`.
/// - Parameters:
///   - name: `launch` for `launch.contract`, looked for beside the test file and in the `contracts` folder of each
///     folder above it, up to the one with `Package.swift`. With a `/`, or ending in `.contract`, it is a path.
///   - trace: the launch to check.
public func expectContract(
  _ name: String, holdsOn trace: Trace, sourceLocation: SourceLocation = #_sourceLocation
) {
  let assertion = ContractAssertion(name, holdsOn: trace, sourceFile: sourceLocation.filePath)
  record(assertion.failures, assertion.idle, sourceLocation)
}

/// Records an issue at the caller's line unless every rule of a contract holds on a launch, in whatever order its answers
/// arrive.
///
/// ```swift
/// @Test func `the launch keeps its order whatever comes first`() {
///   expectContract("launch", holdsOnEveryOrderOf: "first-launch") { launch in
///     try await AppLaunch(transport: launch.transport).run()
///   }
/// }
/// ```
///
/// The launch runs in a simulation, in virtual time, answered from the cassette; each order twice. An issue is the smallest
/// change of the recorded launch that breaks a rule, in one sentence, with the schedule that shows it again. There is one, too,
/// when nothing can be claimed: the launch does not repeat, a request has no answer, or time ran out.
/// - Parameters:
///   - name: the contract, as in `expectContract(_:holdsOn:)`.
///   - cassette: the cassette, as in `Deck`.
///   - orders: nil for all orders if they are no more than 5,040, else a covering set of every three.
///   - varies: what else may come otherwise than recorded.
///   - budget: how long it may take.
///   - seed: what chance begins with.
///   - file: where to look for both files; that of the caller.
///   - fallback: makes what answers the requests of one launch that the cassette has no answer for.
///   - launch: one process, from its start to its end. What outlives it is in `Launch.kept`.
public func expectContract(
  _ name: String, holdsOnEveryOrderOf cassette: String, orders: Orders? = nil, varies: Variations = Variations(),
  budget: Duration? = nil, seed: UInt64 = 1, matching: Matching = Matching(), file: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation,
  fallback: @escaping @Sendable () -> Fallback? = { nil },
  launch: @escaping @Sendable (Launch) async throws -> Void
) {
  let assertion = OrderAssertion(
    name, holdsOnEveryOrderOf: cassette, orders: orders, varies: varies, budget: budget, seed: seed,
    matching: matching, sourceFile: file, fallback: fallback, launch: launch)
  record(assertion.failures, assertion.idle, sourceLocation)
}

private func record(_ failures: [String], _ idle: [String], _ sourceLocation: SourceLocation) {
  for failure in failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
  for rule in idle { Issue.record("\(rule)", severity: .warning, sourceLocation: sourceLocation) }
}
