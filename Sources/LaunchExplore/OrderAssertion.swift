import LaunchCassette
import LaunchContract
package import LaunchDeck
import LaunchDiagnostics
import LaunchReport

/// What both test frameworks do with a contract and the orders of a launch: explore, and say what to report.
package struct OrderAssertion {
  /// Why the assertion fails; empty when it passes. Each is a message of its own.
  package private(set) var failures: [String] = []
  /// Rules that no order exercised, and are not optional: one line each.
  package private(set) var idle: [String] = []

  /// - Parameters:
  ///   - name: The contract, as in `ContractAssertion`.
  ///   - cassette: The cassette, as in `Deck`.
  ///   - sourceFile: The test file; both are looked for beside it and in the folders above.
  package init(
    _ name: String, holdsOnEveryOrderOf cassette: String, orders: Orders?, varies: Variations, budget: Duration?,
    seed: UInt64, matching: Matching, sourceFile: StaticString,
    fallback: @escaping @Sendable () -> Fallback?,
    launch: @escaping @Sendable (Launch) async throws -> Void
  ) {
    do {
      let contract = try ContractAssertion.load(name, "\(sourceFile)")
      let deck = try Deck(cassette: cassette, matching: matching, file: sourceFile)
      var exploration = Exploration(
        deck.cassette, contracts: [contract], orders: orders, varies: varies, matching: matching, seed: seed,
        fallback: fallback, launch: launch)
      report(exploration.run(budget: budget), contract, cassette)
    } catch let error as DiagnosticsError {
      failures = ["the contract cannot be used\n\(error)".printableLines]
    } catch {
      failures = ["\(error)".printableLines]
    }
  }

  private mutating func report(_ result: ExplorationResult, _ contract: Contract, _ cassette: String) {
    failures = result.failures.map { example in
      let head =
        switch example.finding {
        case .broken(let rule): "\(contract.name) does not hold on every order of \(cassette): \(rule.sentence)"
        case .unfinished(let why): "the launch does not end in every order of \(cassette): \(why)"
        case .failed(let why): "the launch fails in some order of \(cassette): \(why)"
        }
      let share =
        "in \(example.count) of \(result.tally.schedules) schedules; this one again: orders: .only(\"\(example.schedule)\")"
      return [head, example.explanation, example.story, share].filter { !$0.isEmpty }.joined(separator: "\n")
        .printableLines
    }
    if result.exitCode() == 3 {
      let undecided = zip(result.rules, result.tally.rules).filter { $0.1.undecided > 0 && !$0.0.isAdvice }.map {
        "\($0.0.sentence): undecided in \($0.1.undecided) of \(result.tally.schedules) schedules"
      }
      failures.append(
        (["no claim can be made on \(cassette)"] + result.withdrawals + undecided).joined(separator: "\n")
          .printableLines)
    }
    idle = result.idle.filter { !$0.isAdvice && !$0.isOptional }.map {
      "\($0.file):\($0.line): IDLE  \($0.sentence): no order exercised it".printable
    }
  }
}
