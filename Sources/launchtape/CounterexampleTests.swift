import LaunchClients
import LaunchContract
import LaunchExplore
import LaunchReport

extension ExploreRequest {
  /// A file of XCTests, each of which fails as long as its counterexample is one.
  func tests(of examples: [Counterexample]) -> String {
    let imports = ["LaunchCassette", "LaunchClients", "LaunchDeck", "LaunchExplore", "LaunchXCTest", "XCTest"]
      .map { "import \($0)" }
    let tests = zip(examples, fileNames(of: examples)).map(test)
    return """
      \(imports.joined(separator: "\n"))

      /// To be run where the paths lead to the files. Your own launch can take the place of `flow.launch`.
      final class CounterexampleTests: XCTestCase {
      \(tests.joined(separator: "\n\n"))
      }
      """
  }

  private func test(of example: Counterexample, named name: String) -> String {
    let contract = if case .broken(let rule) = example.finding { rule.file } else { contracts[0].file }
    let asked = MatchingOptions.calls(arguments).map { "    try matching.\($0)\n" }
    return """
        // \(example.explanation.printable)
        func testOrder_\(name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined())() throws {
          let path = \(path.debugDescription)
          let flow = try ExploredFlow(XCTUnwrap(Flow.named(\(flow.name.debugDescription))), Cassette(path: path))
      \(asked.isEmpty ? "" : "    var matching = Matching()\n\(asked.joined())")\
          XCTAssertContract(
            \(contract.debugDescription), holdsOnEveryOrderOf: path, orders: .only("\(example.schedule)"),
            varies: \(varies.source), \(asked.isEmpty ? "" : "matching: matching, ")fallback: flow.fallback, launch: flow.launch)
        }
      """
  }
}

extension Variations {
  /// As Swift code.
  fileprivate var source: String {
    var arguments: [String] = []
    if faults > 0 { arguments.append("faults: \(faults)") }
    if deaths > 0 { arguments.append("deaths: \(deaths)") }
    if outcomes { arguments.append("outcomes: true") }
    if jobs { arguments.append("jobs: true") }
    return "Variations(\(arguments.joined(separator: ", ")))"
  }
}
