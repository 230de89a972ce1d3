import LaunchContract
import Testing

/// Contracts of machines: many lines, long lines, files that are no contracts.
struct LargeContractTests {
  private static let header = "contract \"x\" version 1\n"

  private static func messages(_ text: String) -> [String] {
    do throws(ContractError) {
      _ = try Contract(parsing: text, file: "f")
      return []
    } catch {
      return error.diagnostics.prefix(3).map { "\($0.line):\($0.column) \($0.message)" }
    }
  }

  @Test func `a file has a largest size, and says so`() {
    let text = Self.header + String(repeating: "# nothing\n", count: 420_000)
    #expect(Self.messages(text) == ["1:1 this file has \(text.utf8.count) bytes; a contract has at most 4 MiB"])
  }

  @Test func `a line has a largest size, and says so without being read`() {
    let long = "no " + String(repeating: "a", count: 3 << 20)
    #expect(
      Self.messages(Self.header + "mark a\nno a\n" + long) == [
        "4:1 this line has \(long.utf8.count) bytes; a line of a contract has at most 65536"
      ])
  }

  enum Kind: CaseIterable {
    case manyNames, chain, attempts, bounds, repetitions, list

    var lines: [String] {
      switch self {
      case .manyNames: lines(1200) { "mark m\($0)\nexactly 1 m\($0)" }
      case .chain:
        ["mark m0"] + lines(1199) { "mark m\($0 + 1)" } + lines(1199) { "m\($0) only after m\($0 + 1)" }.reversed()
      case .attempts: lines(600) { "call c\($0) = GET https://h.test/\($0)\nat most 2 attempts of c\($0)" }
      case .bounds: ["mark m"] + lines(1200) { "at least \($0 + 1) m" }
      case .repetitions: ["mark m"] + lines(1200) { _ in "no m" }
      case .list:
        lines(1000) { "call c\($0) = GET https://h.test/\($0)" }
          + ["only these calls: " + lines(1000) { "c\($0)" }.joined(separator: ", ")]
      }
    }

    private func lines(_ count: Int, _ line: (Int) -> String) -> [String] { (0..<count).map(line) }

    var rules: Int {
      switch self {
      case .manyNames, .bounds, .repetitions: 1200
      case .chain: 1199
      case .attempts: 600
      case .list: 1
      }
    }
  }

  /// Each is read in time that grows with its size; comparing all pairs of rules or names would take minutes.
  @Test(arguments: Kind.allCases)
  func `a large contract is read`(_ kind: Kind) throws {
    let text = Self.header + kind.lines.joined(separator: "\n") + "\n"
    let contract = try Contract(parsing: text, file: "f")
    #expect(contract.rules.count == kind.rules)
    #expect(contract.warnings.count == (kind == .repetitions ? 1199 : 0))
  }

  @Test func `thousands of mistakes are all told`() {
    let text = Self.header + (0..<1200).map { "mark m\($0)\nexactly 1 n\($0)" }.joined(separator: "\n")
    let error = #expect(throws: ContractError.self) { try Contract(parsing: text, file: "f") }
    #expect(error?.diagnostics.count == 1200)
    #expect(error?.diagnostics[0].message == "'n0' is not declared; did you mean 'm0'?")
    #expect(error?.diagnostics[1199].message == "'n1199' is not declared; declare it with 'mark' or 'call'")
  }
}
