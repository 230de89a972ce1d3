import LaunchContract
import Testing

/// What the parser says about contracts that are wrong.
struct DiagnosticTests {
  private static let names = """
    contract "test" version 1
    mark att.answered = "ATT answered"
    call adjust.session = POST https://{analytics,consent}.adjust.com/session
    call twin = POST https://{analytics,consent}.adjust.com/session
    mark home

    """

  private static func messages(_ text: String) -> [String] {
    do throws(ContractError) {
      _ = try Contract(parsing: text, file: "f")
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column) \($0.message)" }
    }
  }

  static let rules: [(rule: String, column: Int, message: String)] = [
    ("adjust.session only after att.answerd", 27, "'att.answerd' is not declared; did you mean 'att.answered'?"),
    ("adjust.session only after zzz", 27, "'zzz' is not declared; declare it with 'mark' or 'call'"),
    ("home only after home", 17, "'home' stands on both sides of this rule"),
    ("twin only after adjust.session", 17, "'twin' and 'adjust.session' are declared alike"),
    ("no home before home", 16, "'home' stands on both sides of this rule"),
    ("home within 5 sec of att.answered", 15, "unknown unit 'sec'; the units are us, ms, s and min"),
    ("home within 5 of att.answered", 15, "unknown unit 'of'"),
    ("home within 1.5 us of att.answered", 13, "times are whole microseconds, and this one is finer"),
    ("home within 99999999999999 min of att.answered", 13, "this duration is longer than 30 years"),
    ("home within of att.answered", 13, "expected a duration such as '5 ms', found 'of'"),
    ("home only before att.answered", 11, "expected 'after', found 'before'"),
    (
      "home after att.answered", 6,
      "expected 'only after', 'then', 'within', 'starts' or 'ends', found 'after'; rules read"
    ),
    ("home only after att.answered please", 30, "'please' cannot follow this rule"),
    ("home only after att.answered before adjust.session", 30, "'only after' looks at the whole launch"),
    (
      "every att.answered is followed by home before adjust.session", 40, "'followed by … before' reads like a deadline"
    ),
    ("exactly one home", 9, "expected a number, found 'one'"),
    ("at home", 4, "expected 'least' or 'most', found 'home'"),
    ("at least 0 home", 10, "'at least 0' is always kept"),
    ("no home ± 5 ms", 9, "'±' widens a time bound, and this rule has none"),
    ("home then adjust.session except twin", 26, "'except' goes with"),
    ("home (sent) only after att.answered", 7, "'home' is a mark, and only calls are sent and answered"),
    ("home only after adjust.session (lost)", 33, "in brackets stands sent, answered, ok or any outcome"),
    ("home only after adjust.session (sent) ends", 39, "'(sent)' is about the start of a call"),
    ("[R1]", 5, "expected a rule, found the end of the line; rules read"),
    ("[] home only after att.answered", 1, "a rule name stands between the brackets"),
    ("[R1 home only after att.answered", 1, "this rule name has no closing ']'"),
    ("advice: advice: no home", 9, "'advice:' stands here twice"),
    ("cal home2 = GET https://a.test/", 1, "'cal' begins no line; did you mean 'call'?"),
    ("home is late", 6, "expected 'only after'"),
    ("home within 5 s of att.answered or else adjust.session", 33, "'or' cannot follow this rule"),
    ("home only after \"ATT answered\"", 17, "expected a name, found \"ATT answered\""),
    ("home\u{A0}only after att.answered", 5, "U+00A0 is not an ordinary space"),
    ("home only after \u{201C}x\u{201D}", 17, "texts stand in straight quotes"),
    ("home only after \u{1}", 17, "the control character U+0001 cannot stand here"),
  ]

  @Test(arguments: rules)
  func `a rule with a mistake gets one error at the right column`(
    rule: String, column: Int, message: String
  ) throws {
    let messages = Self.messages(Self.names + rule)
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.hasPrefix("6:\(column) \(message)") == true, "\(messages)")
  }

  static let declarations: [(line: String, column: Int, message: String)] = [
    ("mark", 5, "expected a name, found the end of the line"),
    ("mark home", 6, "'home' is already declared on line 5"),
    ("mark only", 6, "'only' is a word of the language; a name may contain it"),
    ("mark calls", 6, "'calls' is a name every contract has"),
    ("mark 1st", 6, "'1st' is no name"),
    ("mark a..b", 6, "'a..b' is no name"),
    ("mark x = y", 10, "expected the mark's text in quotes, found 'y'"),
    ("mark x = \"\"", 10, "a mark's text is not empty"),
    ("mark x = \"a\" or \"a\"", 17, "\"a\" stands here twice"),
    ("mark x = \"a\" \"b\"", 14, "expected 'or', 'where' or the end of the line, found \"b\""),
    ("mark x where mark.y exists", 8, "'where' follows a mark's text, as in a = \"text\" where"),
    ("mark x, y where mark.z exists", 11, "'where' follows a mark's text"),
    ("mark x = where mark.y exists", 10, "expected the mark's text in quotes, found 'where'"),
    ("mark x = \"a\" when mark.y exists", 14, "expected 'or', 'where' or the end of the line, found 'when'"),
    ("mark x = \"a\" where", 19, "expected a field such as mark.status, found the end of the line"),
    ("mark x = \"a\" where mark exists", 20, "'mark' takes the name of a field, as in mark.status"),
    ("mark x = \"a\" where mark[0] exists", 20, "'mark' takes the name of a field, as in mark.status"),
    ("mark x = \"a\" where mark. exists", 20, "a name is missing after '.' in 'mark.'"),
    ("mark x = \"a\" where mark.y[-1] exists", 20, "an element is written '[0]'"),
    ("mark x = \"a\" where body.y exists", 20, "'body' is part of a request; the fields of a mark begin with mark"),
    (
      "mark x = \"a\" where mrk.y exists", 20,
      "'mrk' is no field; the fields of a mark begin with mark; did you mean 'mark'?"
    ),
    (
      "mark x = \"a\" where app_ready = true", 20,
      "'app_ready' is no field; the fields of a mark begin with mark; did you mean 'mark.app_ready'?"
    ),
    ("mark x = \"a\" where mark.y", 26, "expected 'exists', '=' or '!=', found the end of the line"),
    ("mark x = \"a\" where mark.y =", 28, "expected a value"),
    ("mark x = \"a\" where mark.y exists and", 37, "expected a field such as mark.status, found the end"),
    ("mark x = \"a\" where mark.y exists or mark.z exists", 34, "expected 'and' or the end of the line, found 'or'"),
    ("mark x = \"a\" where mark.y exists ok 2xx", 34, "expected 'and' or the end of the line, found 'ok'"),
    ("mark x = \"a", 10, "this text has no closing quote"),
    ("mark x = \"a\\n\"", 12, "a backslash stands only before a quote or a backslash"),
    ("mark x, y = \"a\"", 11, "a list of marks takes no '='"),
    ("tolerance 5", 12, "expected a unit (us, ms, s, min), found the end of the line"),
    ("contract \"again\" version 1", 1, "the header stands once, on the first line"),
    ("call x = get https://a.test/", 10, "'get' is no method"),
    ("call x = GET a.test/", 14, "expected a URL such as https://api.example.com/users/*, found 'a.test/'"),
    ("call x = GET ftp://a.test/", 14, "'ftp' is no scheme a launch uses; write https or http"),
    ("call x = GET https://a.test/?q=1", 14, "a URL pattern has no '?'; the query is matched with 'where"),
    ("call x = GET https://**.test/", 14, "'**' stands in paths; in a host, '*' is one label"),
    ("call x = GET https://a-*.test/", 14, "'*' stands for a whole part, and 'a-*' mixes it"),
    ("call x = GET https://{a,b.test/", 14, "'{a,b.test/' has a brace without its partner"),
    ("call x = GET https://{a,}.test/", 14, "alternatives are written {a,b}"),
    ("call x = GET https://a.test:http/", 14, "'http' is no port number"),
    ("call x = GET https:///path", 14, "the host is missing"),
    ("call x = GET https://a..test/", 14, "the host 'a..test' has an empty label"),
    ("call x = GET https://a.test/ when body.x exists", 30, "expected 'where', 'ok', 'attempts by'"),
    ("call x = GET https://a.test/ where", 35, "expected a field such as body.properties.tags, found the end"),
    (
      "call x = GET https://a.test/ where bdy.x exists", 36,
      "'bdy' is no field; fields begin with method, query, header, form, body; did you mean 'body'?"
    ),
    ("call x = GET https://a.test/ where status = 200", 36, "'where' looks at the request, and 'status' is not known"),
    ("call x = GET https://a.test/ where mark.x = 200", 36, "'where' looks at the request, and 'mark' is not known"),
    ("call x = GET https://a.test/ where body.x", 42, "expected 'exists', '=' or '!=', found the end of the line"),
    ("call x = GET https://a.test/ where body.x =", 44, "expected a value"),
    ("call x = GET https://a.test/ where body exists", 36, "'body' takes a path"),
    ("call x = GET https://a.test/ where query.a.b exists", 36, "'query' takes one name"),
    ("call x = GET https://a.test/ where body.x[y] exists", 36, "an element is written '[0]'"),
    ("call x = GET https://a.test/ attempts by mark.x", 42, "'where' looks at the request, and 'mark' is not known"),
    ("call x = GET https://a.test/ ok 99", 33, "'99' is no status; write 2xx or 409"),
    ("call x = GET https://a.test/ ok 2xx, ok 3xx", 38, "'ok' is no status"),
    ("call x = GET https://a.test/ ok 2xx ok 3xx", 37, "'ok' stands here twice"),
  ]

  @Test(arguments: declarations)
  func `a declaration with a mistake gets one error at the right column`(
    line: String, column: Int, message: String
  ) throws {
    let messages = Self.messages(Self.names + line + "\nno home\n")
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.hasPrefix("6:\(column) \(message)") == true, "\(messages)")
  }

  @Test func `all mistakes of a file are reported in one run, in the order of the lines`() {
    let messages = Self.messages(
      """
      contract test version 1
      tolerance 5 lightyears
      mark broken = oops
      broken only after missing
      call c = FETCH
      no c befor broken
      """)
    #expect(
      messages == [
        "1:10 expected the contract's name in quotes, found 'test'",
        "2:13 unknown unit 'lightyears'; the units are us, ms, s and min",
        "3:15 expected the mark's text in quotes, found 'oops'",
        "4:19 'missing' is not declared; declare it with 'mark' or 'call'",
        "5:15 expected a URL, found the end of the line",
        "6:6 'befor' cannot follow this rule",
      ])
  }

  @Test func `two undeclared names in one rule are both reported`() {
    #expect(Self.messages(Self.names + "hom only after att.answer").count == 2)
  }

  @Test(arguments: [
    ("", "1:1 a contract begins with: contract \"name\" version 1"),
    ("# only a comment\n", "1:1 a contract begins with: contract \"name\" version 1"),
    ("mark a\nno a\n", "1:1 a contract begins with: contract \"name\" version 1"),
    ("[R1] no calls\n", "1:1 a contract begins with: contract \"name\" version 1"),
    ("contract \"x\" version 1\n", "1:1 a contract without rules checks nothing"),
    ("contract \"x\" version 2\nno calls\n", "1:22 version 2 is not known; this reader knows version 1"),
    ("contract \"x\" version 1 now\nno calls\n", "1:24 'now' cannot follow the header"),
  ])
  func `a file without a proper header or rules is refused`(text: String, message: String) {
    #expect(Self.messages(text) == [message])
  }

  @Test func `a diagnostic prints its place, the line and a caret that keeps tabs`() {
    let text = "contract \"test\" version 1\n\tmark a\n\tno\ta before \u{1F1E9}\u{1F1EA}\u{E9} bb\n"
    let error = #expect(throws: ContractError.self) { try Contract(parsing: text, file: "x.contract") }
    #expect(
      error?.description == """
        x.contract:3:14: error: '\u{1F1E9}\u{1F1EA}\u{E9}' is not declared; declare it with 'mark' or 'call'
        \tno\ta before \u{1F1E9}\u{1F1EA}\u{E9} bb
        \t  \t         ^
        x.contract:3:17: error: 'bb' cannot follow this rule
        \tno\ta before \u{1F1E9}\u{1F1EA}\u{E9} bb
        \t  \t            ^
        """)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `every line ending and a byte order mark are read`(ending: String) throws {
    let text = "\u{FEFF}" + ["contract \"x\" version 1", "mark a, b", "b only after a", ""].joined(separator: ending)
    let contract = try Contract(parsing: text, file: "f")
    #expect(contract.rules.map(\.line) == [3])
    #expect(contract.rules.map(\.sentence) == ["b only after a"])
  }

  @Test func `bytes that are no UTF-8 are reported where they stand, once a line`() {
    let bytes =
      Array("contract \"x\" version 1\nmark \u{E9}, ".utf8) + [0xC3, 0x28, 0xFF] + Array("\nno \u{E9}\n".utf8)
    let error = #expect(throws: ContractError.self) { try Contract(parsing: bytes, file: "f") }
    #expect(error?.diagnostics.map { "\($0.line):\($0.column) \($0.message)" } == ["2:9 this is not UTF-8"])
  }

  @Test func `names that no rule uses are warned about`() throws {
    let contract = try Contract(parsing: Self.names + "adjust.session only after att.answered", file: "f")
    #expect(
      contract.warnings.map { "\($0.line):\($0.column) \($0.severity.rawValue): \($0.message)" } == [
        "4:6 warning: no rule uses 'twin'", "5:6 warning: no rule uses 'home'",
      ])
  }

  @Test func `a rule keeps its name, sentence, modifiers and reason`() throws {
    let rule = try Contract(
      parsing: Self.names + "  [R10] advice: optional: home  only after att.answered \t# because it must", file: "f"
    ).rules[0]
    #expect(rule.name == "R10")
    #expect(rule.sentence == "home  only after att.answered")
    #expect(rule.isAdvice && rule.isOptional)
    #expect(rule.reason == "it must")
    #expect(rule.line == 6)
  }

  @Test func `declarations may stand after the rules that use them`() throws {
    let text = "contract \"x\" version 1\nb within 1 s of a\ntolerance 5 ms\nmark a, b\n"
    #expect(try Contract(parsing: text, file: "f").tolerance == .milliseconds(5))
  }
}
