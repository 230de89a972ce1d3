import LaunchContract
import Testing

/// Rules that cannot be kept together, and rules that say nothing.
struct ConflictTests {
  private static func diagnostics(_ rules: String) -> [String] {
    let text = "contract \"x\" version 1\nmark a, b, c\ncall x = GET https://h.test/ key query.k\n" + rules
    func lines(_ diagnostics: [Diagnostic]) -> [String] {
      diagnostics.filter { !$0.message.hasPrefix("no rule uses") }.map { "\($0.line) \($0.severity): \($0.message)" }
    }
    do throws(ContractError) {
      return lines(try Contract(parsing: text, file: "f").warnings)
    } catch {
      return lines(error.diagnostics)
    }
  }

  private static let never = "and no launch keeps both"
  private static let cycle = "and then none of them can come first"

  @Test(arguments: [
    ("exactly 1 a\nno a", "5 error: this contradicts line 4, 'exactly 1 a', \(never)"),
    ("no a\nexactly 1 a", "5 error: this contradicts line 4, 'no a', \(never)"),
    ("at most 1 a\nat least 2 a", "5 error: this contradicts line 4, 'at most 1 a', \(never)"),
    ("exactly 1 a\nexactly 2 a", "5 error: this contradicts line 4, 'exactly 1 a', \(never)"),
    ("no x\nat least 1 x (ok)", "5 error: this contradicts line 4, 'no x', \(never)"),
    ("no a before b\nat least 1 a before b", "5 error: this contradicts line 4, 'no a before b', \(never)"),
    ("no a\nadvice: exactly 1 a", "5 warning: this contradicts line 4, 'no a', \(never)"),
    ("a only after b\nb only after a", "5 error: this contradicts line 4, 'a only after b', \(cycle)"),
    ("a then b\nb then a", "5 error: this contradicts line 4, 'a then b', \(cycle)"),
    (
      "a only after b\nb starts only after x starts\neach x after its own a",
      "6 error: this contradicts line 4, 'a only after b', \(cycle)"
    ),
    ("a only after b\na only after b", "5 warning: this says the same as line 4"),
    ("a only after b\n[R2] a only after b", "5 warning: this says the same as line 4"),
    ("no a\na only after b", "5 warning: line 4 forbids 'a', so this rule is never exercised"),
    ("[R1] no a\n[R2] no b\n[R1] no c", "6 warning: [R1] is the name of line 4, too; rules of one name stand together"),
    ("[R1] no a\nno b\n[R1] no c", "6 warning: [R1] is the name of line 4, too; rules of one name stand together"),
    ("a one at a time", "4 warning: 'a' is a mark and takes no time, so this rule can never be broken"),
    ("a never overlaps x", "4 warning: 'a' is a mark and takes no time, so this rule can never be broken"),
    ("x never overlaps a", "4 warning: 'a' is a mark and takes no time, so this rule can never be broken"),
    ("a within 5 s of b ending", "4 warning: 'b' is a mark, so 'ending' changes nothing"),
    ("at most 0 x open", "4 warning: 'at most 0' forbids it altogether, as 'no x' says"),
    ("at most 0 x in any 5 s", "4 warning: 'at most 0' forbids it altogether, as 'no x' says"),
    ("no a before launch.begin", "4 warning: nothing lies before launch.begin, so this rule is never exercised"),
    ("no a after launch.end", "4 warning: nothing lies after launch.end, so this rule is never exercised"),
  ])
  func `a conflict names the other line`(rules: String, message: String) {
    #expect(Self.diagnostics(rules) == [message])
  }

  @Test(arguments: [
    "at least 1 a\nat most 1 a", "exactly 1 a\nno a before b", "no a before b\nexactly 1 a before c",
    "no x (ok)\nat least 1 x", "no calls except x\nat least 1 calls", "a only after b\nb then c",
    "x ends only after a ends\na only after x (sent)", "when a k = 1:\n  no b\nwhen a k = 2:\n  exactly 1 b",
    "[R1] no a\n[R1] no b", "[R1] no a\n[R2] no b\nwhen a k = 1:\n  [R1] no c",
    "no x per key\nexactly 1 x", "when a k = 1:\n  b only after c\nc only after b",
  ])
  func `rules that can be kept together are left alone`(rules: String) { #expect(Self.diagnostics(rules) == []) }

  @Test func `of many diagnostics the first fifty are printed`() throws {
    let text = "contract \"x\" version 1\n" + String(repeating: "no zzz\n", count: 60)
    let error = try #require(throws: ContractError.self) { try Contract(parsing: text, file: "f") }
    #expect(error.diagnostics.count == 60)
    #expect(error.description.hasSuffix("\n… and 10 more"))
    #expect(error.description.split(separator: "\n").count == 151)
  }

  @Test(arguments: [
    "Dear all,\n\nthis is a letter.\nYours\n", "\u{1}\u{2}\n\u{3}\n", "a = b\nc = d\n",
  ])
  func `a file that is no contract is one mistake`(text: String) throws {
    let error = try #require(throws: ContractError.self) { try Contract(parsing: text, file: "f") }
    #expect(error.diagnostics.map(\.message) == ["a contract begins with: contract \"name\" version 1"])
  }

  @Test(arguments: [
    ("{\n  \"log\": {}\n}\n", "a HAR"), ("\u{FEFF} {\"log\":{\"entries\":[", "a HAR"), ("{\"a\":1}", "JSON"),
    ("{", "JSON"),
    ("{\"cassette\":1}\n{\"at\":0,\"launch\":1}\n", "a cassette"), ("{\"at\":0,\"launch\":1}\n", "a cassette"),
    ("{\"log\":" + String(repeating: "x", count: 5 << 20), "a HAR"),
  ])
  func `a recording given as a contract is called what it is`(text: String, kind: String) throws {
    let error = try #require(throws: ContractError.self) { try Contract(parsing: text, file: "f") }
    let message = "this is \(kind), not a contract; a contract begins with: contract \"name\" version 1"
    #expect(error.diagnostics.map(\.message) == [message])
  }

  @Test func `a sentence in a block that belongs outside is reported`() {
    #expect(
      Self.diagnostics("when a k = 1:\n  no b\n  mark d\n  when b k = 2:\n    no c\n  tolerance 5 ms\n") == [
        "6 error: 'mark' stands outside 'when' blocks", "7 error: 'when' blocks do not nest",
        "9 error: 'tolerance' stands outside 'when' blocks",
      ])
  }
}
