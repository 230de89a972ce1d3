import LaunchContract
import LaunchReport
import Testing

/// What a report says when a rule breaks, whole, for every form of rule.
struct FailureMessage: Sendable, CustomTestStringConvertible {
  /// The rule's number in the language reference.
  var form: Int
  var rule: String
  /// As `Sketch` reads it.
  var launch: String
  var text: String

  init(_ form: Int, _ rule: String, _ launch: String, _ text: String) {
    self.form = form
    self.rule = rule
    self.launch = launch
    self.text = text
  }

  var testDescription: String { "\(form) \(rule)" }

  static let all = aboutOrder + aboutFields

  static let header = """
    contract "app" version 1
    mark att.answered, splash, home, paywall.shown, paywall.fallback
    call login = POST https://h.test/login
    call sync = POST https://h.test/sync
    call track = POST https://h.test/track
    call change = POST https://h.test/change key body.user order body.seq

    """
}

struct FailureMessageTests {
  @Test(arguments: FailureMessage.all)
  func `a failure tells its whole story`(_ message: FailureMessage) throws {
    let contract = try Contract(parsing: FailureMessage.header + message.rule + "\n", file: "app.contract")
    #expect(TextReport(contract.verification(of: Sketch.trace(message.launch))).failures == message.text)
  }

  @Test func `every form has a failure`() {
    #expect(Set(FailureMessage.all.map(\.form)) == Set(1...25))
  }
}
