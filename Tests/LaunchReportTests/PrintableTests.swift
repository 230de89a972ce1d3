import LaunchReport
import LaunchTrace
import Testing

struct PrintableTests {
  static let texts: [(raw: String, printable: String)] = [
    ("plain ä 日本 👩‍🚀", "plain ä 日本 👩‍🚀"),
    ("\u{1B}[2J\u{7}", #"\u{1B}[2J\u{7}"#),
    ("a\nb\tc\r\n", #"a\u{A}b\u{9}c\u{D}\u{A}"#),
    ("\u{202E}abc\u{2069}\u{200F}", #"\u{202E}abc\u{2069}\u{200F}"#),
    ("\u{2028}\u{2029}\u{9B}\u{FEFF}\u{E0041}", #"\u{2028}\u{2029}\u{9B}\u{FEFF}\u{E0041}"#),
  ]

  @Test(arguments: texts.indices)
  func `what a terminal would obey is escaped`(index: Int) {
    #expect(Self.texts[index].raw.printable == Self.texts[index].printable)
  }

  @Test func `a text of several lines keeps them`() {
    #expect("a\n\tb\u{202E}".printableLines == "a\n\tb\\u{202E}")
  }

  @Test func `escapes count for the width of a drawing`() {
    let mark = Event(at: .zero, .mark(Mark(String(repeating: "\u{202E}", count: 40))))
    let lines = Waterfall(Trace(name: "x", events: [mark])).lines(width: 60)
    #expect(lines.allSatisfy { $0.count <= 60 })
  }

  @Test func `an assertion's message escapes the name of the trace`() {
    let late = Event(at: .zero, .mark(Mark("start adjust initialization")))
    let trace = Trace(
      name: "x\u{202E}y", events: [late, Event(at: .zero, .closed(Closing(events: 1)))])
    let assertion = ContractAssertion("order", holdsOn: trace, sourceFile: #filePath)
    #expect(assertion.failures.count == 1)
    #expect(assertion.failures.first?.contains(#" does not hold on x\u{202E}y"#) == true)
  }
}
