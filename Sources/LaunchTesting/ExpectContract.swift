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
  for failure in assertion.failures {
    Issue.record("\(failure)", sourceLocation: sourceLocation)
  }
  for rule in assertion.idle {
    Issue.record("\(rule)", severity: .warning, sourceLocation: sourceLocation)
  }
}
