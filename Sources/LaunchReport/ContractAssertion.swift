package import LaunchContract
import LaunchDiagnostics
import LaunchFile
package import LaunchTrace

/// What both test frameworks do with a contract: find it, check it, and say what to report.
package struct ContractAssertion {
  /// Why the assertion fails; empty when it passes. Each is a message of its own.
  package var failures: [String] = []
  /// Rules that were never exercised, and are not optional: one line each.
  package var idle: [String] = []

  /// - Parameters:
  ///   - name: a contract's name (`launch` for `contracts/launch.contract`), or a path, which has a `/` or ends in
  ///     `.contract`.
  ///   - sourceFile: the test file; the contract is looked for beside it and in the `contracts` folders above it.
  package init(_ name: String, holdsOn trace: Trace, sourceFile: String) {
    do {
      let contract = try Self.load(name, sourceFile)
      check(contract, on: trace)
    } catch let error as DiagnosticsError {
      failures = ["the contract cannot be used\n\(error)".printableLines]
    } catch {
      failures = ["\(error)"]
    }
  }

  /// The contract of that name, looked for as the assertion does.
  /// - Throws: `DiagnosticsError` for mistakes in it, `FileError` when it is not found or cannot be read.
  package static func load(_ name: String, _ sourceFile: String) throws -> Contract {
    let isFileName = name.contains("/") || name.hasSuffix(".contract")
    let path = try findFile(
      named: isFileName ? name : name + ".contract", inFolder: "contracts", startingAt: sourceFile)
    return try Contract(parsing: try readFile(path), file: path) { try readFile($0) }
  }

  private mutating func check(_ contract: Contract, on trace: Trace) {
    let verification = contract.verification(of: trace)
    if verification.exitCode() != 0 {
      let report = TextReport(verification)
      failures = [
        "\(contract.name.printable) does not hold on \(trace.name.printable)\n\(report.failures)\n\(Summary(verification.reports))"
      ]
    }
    idle = verification.reports.filter { $0.verdict == .idle && !$0.rule.isAdvice && !$0.rule.isOptional }.map {
      "\($0.rule.file):\($0.rule.line): IDLE  \($0.rule.sentence): \($0.note ?? "never exercised")".printable
    }
  }
}
