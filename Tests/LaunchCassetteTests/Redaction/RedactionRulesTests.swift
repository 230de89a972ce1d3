import LaunchDiagnostics
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette

/// The language of rules files: what each rule finds, and what is said about mistakes.
@Suite struct RedactionRulesTests {
  /// A request of the table below.
  private static let request = Request(
    method: "POST",
    location: Location(
      scheme: "https", host: "api.example.com", path: "/v1/tenants/acme-north/keys/k-778899",
      query: "api_key=q12345&x=1"),
    fields: ["X-Tenant": "acme-north", "Authorization": "Token tok-55443322"],
    body: Array(
      #"{"user":{"email":"none-given","id":"9988-7766"},"events":[{"token":"evt-0001"},{"token":"evt-0002"}],"#.utf8)
      + Array(#""note":"sk_live_4eC39HqLyj, sk_test_1","data":{"public_id":"pub-123456"}}"#.utf8))

  /// A rule, and the values that it hides.
  static let rules: [(rule: String, hidden: [String])] = [
    ("redact header X-Tenant", ["acme-north"]),
    ("redact header x-tenant as tenant on api.example.com", ["acme-north"]),
    ("redact header X-Tenant on **.example.com", ["acme-north"]),
    ("redact header X-Tenant on *.example.com, other.example.org", ["acme-north"]),
    ("redact header X-Tenant on *.example.org", []),
    ("redact header X-Tenant on *.api.example.com", []),
    ("redact json user.id as user", ["9988-7766"]),
    ("redact json user.* as user", ["none-given", "9988-7766"]),
    ("redact json events.*.token as token", ["evt-0001", "evt-0002"]),
    ("redact json **.token as token", ["evt-0001", "evt-0002"]),
    ("redact json token as token", []),
    ("redact json user as user", ["none-given", "9988-7766"]),
    ("redact field token", ["evt-0001", "evt-0002"]),
    ("redact field api_key", ["q12345"]),
    ("redact query api_key as api_key", ["q12345"]),
    ("redact form field api_key as api_key", []),
    ("redact path /v1/tenants/*/keys/{key} as key on api.example.com", ["k-778899"]),
    ("redact path /**/tenants/{tenant}/**", ["acme-north"]),
    ("redact text matching sk_live_* as stripe_key", ["sk_live_4eC39HqLyj"]),
    ("redact text matching sk_*_* as stripe_key", ["sk_live_4eC39HqLyj", "sk_test_1"]),
    ("keep json user.id\nredact json user.* as user", ["none-given"]),
    ("redact json user.* as user\nkeep json user.id", ["none-given"]),
    ("keep text matching evt-*1\nredact field token", ["evt-0002"]),
    ("redact header Authorization   # the word Token stays", ["tok-55443322"]),
    ("\n  # nothing\n\n", []),
  ]

  @Test(arguments: rules)
  func `a rule hides what it points at, everywhere, and nothing else`(rule: String, hidden: [String]) throws {
    var redactor = Redactor(rules: try RedactionRules(parsing: rule, file: "a.rules"))
    let redacted = redactor.redact(call(0, 1, .request(Self.request, from: nil)))
    let texts = [call(0, 1, .request(Self.request, from: nil)), redacted].map { event in
      var writer = JSONWriter()
      event.encode(into: &writer)
      return writer.bytes
    }
    #expect(texts[0].count == texts[1].count)
    var secrets = redactor.table.secrets.map { String(decoding: $0.value, as: UTF8.self) }
    secrets.sort()
    #expect(secrets == hidden.sorted())
    for value in hidden { #expect(!texts[1].contains(value.utf8)) }
    if hidden.isEmpty { #expect(texts[0] == texts[1]) }
  }

  @Test func `a rule of a file that finds nothing is told with its place`() throws {
    let used = Self.rules.filter { !$0.hidden.isEmpty && !$0.rule.contains("keep") }.map(\.rule)
    for rule in used + ["keep text matching evt-*1\nredact field token", "digest json note"] {
      var redactor = Redactor(rules: .builtIn.adding(try RedactionRules(parsing: rule, file: "a.rules")))
      _ = redactor.redact(call(0, 1, .request(Self.request, from: nil)))
      #expect(redactor.unusedRules == [], "\(rule)")
    }
    let unused = """
      redact header X-Tenant
        redact header X-Tenannt   # misspelt
      redact query none
      redact json user.name as name
      redact path /v2/{key}
      redact text matching sk_none_* as key
      keep field none
      digest json html
      """
    var redactor = Redactor(rules: try RedactionRules(parsing: unused, file: "a.rules"))
    _ = redactor.redact(call(0, 1, .request(Self.request, from: nil)))
    #expect(redactor.unusedRules.map(\.line) == [2, 3, 4, 5, 6, 7, 8])
    #expect(
      redactor.unusedRules.first.map { "\($0)" } == """
        a.rules:2:3: warning: the rule finds nothing
          redact header X-Tenannt   # misspelt
          ^
        """)
  }

  @Test func `all mistakes of a file are told at once, each with its place and the nearest word`() throws {
    let fixture = "Tests/Fixtures/redaction/mistakes.rules"
    let text = String(decoding: try readFile(fixture), as: UTF8.self)
    let error = #expect(throws: DiagnosticsError.self) { try RedactionRules(parsing: text, file: "mistakes.rules") }
    let expected = try String(decoding: readFile("Tests/Fixtures/redaction/mistakes.txt"), as: UTF8.self)
    #expect(error.map { "\($0)\n" } == expected)
    // Every line but the comment.
    #expect(error?.diagnostics.count == text.split(separator: "\n").count - 1)
  }

  @Test func `a digest stands for a text, and the length of the content stays`() throws {
    var redactor = Redactor(rules: try RedactionRules(parsing: "digest json html", file: "a.rules"))
    let body = Array(#"{"html":"<p class=\"x\">\nWelcome, this is only for our customers</p>","n":1}"#.utf8)
    let redacted = redactor.redact(call(0, 1, .end(Content(body))))
    guard case .call(_, .end(let content)) = redacted.kind else { return }
    let digest = MD5.hexDigest(of: Array("<p class=\"x\">\nWelcome, this is only for our customers</p>".utf8))
    #expect(content.body.count == body.count)
    #expect(try JSON(parsing: content.body.bytes)["html"]?.string?.hasPrefix("<!-- md5 \(digest) -->") == true)
    #expect(redactor.redact(redacted) == redacted)
  }

  @Test(arguments: ["redcat " + String(repeating: "x", count: 100_000), String(repeating: "a.", count: 500_000)])
  func `a line longer than any rule is refused at once`(text: String) {
    do {
      _ = try RedactionRules(parsing: "# one\n" + text, file: "x.rules")
      Issue.record("it was read")
    } catch {
      #expect("\(error)".hasPrefix("x.rules:2:1: error: this line has more than 1000 bytes"))
    }
  }

  @Test(arguments: [
    ("redact header X-Tenant on on", "1:27: error: 'on' stands here twice"),
    ("redact header X-Tenant on a.example.com as tenant", "1:41: error: 'as KIND' stands before 'on HOST'"),
    ("redact header X\0Tenant", "1:16: error: this is no text in UTF-8"),
    ("# fine\nredact header X-\u{FFFD}", "2:17: error: this is no text in UTF-8"),
  ])
  func `what is easily mistyped is told`(text: String, message: String) {
    let error = #expect(throws: DiagnosticsError.self) { try RedactionRules(parsing: text, file: "a") }
    #expect(error?.description.hasPrefix("a:\(message)") == true, "\(error?.description ?? "")")
  }

  @Test func `without a single rule nothing is a secret but what the redactor was told of`() {
    let events = [
      call(0, 1, .request(Self.request, from: nil)),
      event(1, .mark(Mark("signed in", ["who": "jane.doe@example.com"]))),
      call(2, 1, .end(Content(Array(#"{"mail":"jane.doe@example.com","password":"hunter22"}"#.utf8)))),
    ]
    var redactor = Redactor(rules: .none)
    #expect(events.map { redactor.redact($0) } == events)
    #expect(redactor.redacted.isEmpty)
    redactor.know("hunter22", kind: "password")
    let redacted = events.map { redactor.redact($0) }
    #expect(redacted[..<2] == events[..<2])
    guard case .call(_, .end(let content)) = redacted[2].kind else { return #expect(Bool(false), "the end is one") }
    let text = String(decoding: content.body.bytes, as: UTF8.self)
    #expect(text.contains("jane.doe@example.com") && !text.contains("hunter22"))
  }

  @Test func `a byte order mark, other line ends and a comma too much are read over`() throws {
    let plain = try RedactionRules(parsing: "redact header X on a.com, b.com\nredact query y\n", file: "a")
    let odd = try RedactionRules(parsing: "\u{FEFF}redact header X on a.com, b.com,\r\nredact query y\r\n", file: "a")
    #expect(plain.rules.map(\.hosts) == odd.rules.map(\.hosts) && plain.rules.map(\.place) == odd.rules.map(\.place))
  }

  @Test func `mutated rules files are read or refused, never more`() throws {
    var generator = SeededGenerator(seed: 7)
    let source = Array((Self.rules.map(\.rule).joined(separator: "\n")).utf8)
    for _ in 0..<2000 {
      var bytes = source
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        default: bytes.insert(contentsOf: Array(" *#{}/.,\n".utf8).shuffled(using: &generator).prefix(2), at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(DiagnosticsError) {
        var redactor = Redactor(rules: try RedactionRules(parsing: text, file: "a"))
        _ = redactor.redact(call(0, 1, .request(Self.request, from: nil)))
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
