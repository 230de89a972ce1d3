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
    ("home within 1.2.3 s of att.answered", 13, "'1.2.3' is not a number"),
    ("home within . s of att.answered", 13, "'.' is not a number"),
    ("home within of att.answered", 13, "expected a duration such as '5 ms', found 'of'"),
    ("home only before att.answered", 11, "expected 'after', found 'before'"),
    (
      "home after att.answered", 6,
      "expected 'only after', 'starts only after', 'ends only after', 'then', 'within', 'at least', 'and', 'or', "
        + "'right after', 'one at a time', 'never overlaps', 'in order of', 'uses', 'has', 'is answered' or "
        + "'is the first call', found 'after'; did you mean 'only after'?"
    ),
    ("home onyl after att.answered", 6, "expected 'only after', "),
    ("home has mark.x not", 20, "expected 'exists', found the end of the line"),
    ("home has mark.x not not exists", 21, "expected 'exists', found 'not'"),
    ("home only after att.answered please", 30, "expected 'per' or the end of the line, found 'please'"),
    (
      "home only after att.answered before adjust.session", 30,
      "'before' cannot follow: only 'is followed by', 'then', 'within', 'at least … after', 'exactly', 'at most', "
        + "'at least' and 'no' look at a stretch of the launch"
    ),
    ("adjust.session one at a time while twin is open", 30, "'while' cannot follow: only 'is followed by'"),
    (
      "every att.answered is followed by home before adjust.session", 40,
      "'every A is followed by B before C' reads like a deadline; write 'at least 1 B between A and C' or "
        + "'B within 5 s of A or else C'"
    ),
    ("att.answered then home before adjust.session", 24, "'A then B before C' reads like a deadline"),
    ("exactly one home", 9, "expected a number, found 'one'"),
    ("at home", 4, "expected 'most' or 'least', found 'home'"),
    ("at least 0 home", 10, "'at least 0' is always kept"),
    ("no home ± 5 ms", 9, "'±' widens a time bound, and this rule has none"),
    ("home then adjust.session except twin", 26, "'except' goes with"),
    ("home (sent) only after att.answered", 7, "'home' is a mark, and only calls are sent and answered"),
    ("home only after adjust.session (lost)", 33, "expected 'sent', 'answered', 'ok' or 'any outcome', found 'lost'"),
    ("home starts only after adjust.session (sent) ends", 46, "'(sent)' is about the start of a call"),
    ("[R1]", 5, "expected 'every', 'each', 'no', 'exactly one of', 'exactly', 'at most', 'at least', "),
    ("[R1] 5 > 3", 6, "'5' begins no rule; rules begin with a declared name, a field or 'every', 'each', 'no', "),
    ("only after home", 6, "expected 'these', found 'after'"),
    ("after home", 1, "expected 'advice', 'optional', 'every', 'each', 'no', "),
    ("evry home is followed by att.answered", 1, "'evry' begins no line; did you mean 'every'?"),
    ("advise: no home", 1, "'advise' begins no line; did you mean 'advice'?"),
    ("advice no home", 8, "expected ':', found 'no'"),
    ("[] home only after att.answered", 1, "a rule name stands between the brackets"),
    ("[R1 home only after att.answered", 1, "this rule name has no closing ']'"),
    ("advice: advice: no home", 9, "'advice:' stands here twice"),
    ("cal home2 = GET https://a.test/", 1, "'cal' begins no line; did you mean 'call'?"),
    ("home is late", 9, "expected 'answered' or 'the', found 'late'"),
    ("home within 5 s of att.answered or adjust.session", 36, "expected 'else', found 'adjust.session'"),
    ("home within 5 s of adjust.session (sent) ending", 34, "'(sent)' is about the start of a call"),
    ("home ends only after att.answered", 34, "expected 'starts' or 'ends', found the end of the line"),
    ("home only after adjust.session ends", 32, "say the instant on both sides, as in 'B starts only after A ends'"),
    ("attempt of att.answered only after home", 12, "'att.answered' is a mark, and only a declared call has attempts"),
    ("at most 2 attempts of calls", 23, "'calls' is every call, and only a declared call has attempts"),
    ("adjust.session only after attempt of adjust.session", 38, "'adjust.session' stands on both sides of this rule"),
    ("home within 5 s of att.answered or else home", 41, "'home' stands on both sides of this rule"),
    ("mark.x of home equals mark.y of home", 33, "'home' stands on both sides of this rule"),
    ("home or home happens", 9, "'home' stands on both sides of this rule"),
    ("home or att.answered", 21, "expected 'or' or 'happens', found the end of the line"),
    ("exactly one of home happens", 21, "expected ',', found 'happens'"),
    ("if home then adjust.session happens", 9, "expected 'happens then', found 'then'"),
    ("if home happens then adjust.session", 36, "expected 'happens', found the end of the line"),
    ("each home after att.answered", 17, "expected 'its', found 'att.answered'"),
    ("home and att.answered", 22, "expected 'take turns', found the end of the line"),
    ("home right after att.answered", 30, "expected 'among', found the end of the line"),
    ("home right after att.answered among {home}", 42, "the braces hold both names of the rule, and 'att.answered'"),
    ("home right after att.answered among {home, att.answered, home}", 58, "'home' stands on both sides"),
    ("home right after att.answered among home", 37, "expected '{', found 'home'"),
    ("home right after att.answered among {home, att.answered", 56, "expected ',' or '}', found the end of the line"),
    (
      "home right after twin among {home, twin (ok)}", 40, "what stands in the braces is a plain name, without brackets"
    ),
    ("no calls except twin (ok)", 21, "what stands behind 'except' is a plain name, without brackets"),
    ("no calls before twin (ok)", 21, "where a stretch begins or ends is a plain name, without brackets"),
    ("no home between att.answered", 29, "expected 'and', found the end of the line"),
    ("no home while att.answered is open", 15, "'att.answered' is a mark, and only calls are open"),
    ("no home while twin open", 20, "expected 'is open', found 'open'"),
    ("no twin except twin", 16, "'twin' stands on both sides of this rule"),
    ("no twin except adjust.session", 16, "'twin' and 'adjust.session' are declared alike"),
    ("no twin except calls", 16, "'except calls' leaves nothing that the rule could be about"),
    ("at most 2 twin in any 0 s", 23, "this duration must be more than 0"),
    ("at most 2 twin in 5 s", 19, "expected 'any', found '5'"),
    ("at most 1.5 twin", 9, "expected a number, found '1.5'"),
    ("at most 9999999999 twin", 9, "'9999999999' is more than 1000000000"),
    ("retries of home back off from 1 s", 12, "'home' is a mark, and only calls are tried again"),
    ("retries of twin (ok) back off from 1 s", 16, "what is retried is a plain name, without brackets"),
    ("retries of twin back off 1 s", 26, "expected 'from', found '1'"),
    (
      "retries of twin back off from 1 s factor 2", 35,
      "expected ',', 'per', '±' or the end of the line, found 'factor'"
    ),
    ("retries of twin back off from 1 s, factor 0.5", 43, "the factor lies between 1 and 1000"),
    ("retries of twin back off from 1 s, factor 1.0001", 43, "'1.0001' is no number with up to three decimals"),
    ("retries of twin back off from 1 s, factor two", 43, "expected the factor, found 'two'"),
    ("retries of twin back off from 1 s, jitter 101 %", 43, "the jitter in percent lies between 0 and 100"),
    ("retries of twin back off from 1 s, jitter 20", 45, "expected '%', found the end of the line"),
    ("retries of twin back off from 1 s, jitter 20 %, full jitter", 49, "'jitter' stands here twice"),
    ("retries of twin back off from 1 s, at most 0 tries", 44, "the number of tries is at least 1"),
    ("retries of twin back off from 1 s, at most 3", 45, "expected 'tries', found the end of the line"),
    (
      "retries of twin back off from 1 s, fcator 2", 36,
      "expected 'factor', 'cap', 'full jitter', 'jitter' or 'at most', found 'fcator'; did you mean 'factor'?"
    ),
    ("home is answered 2xx", 1, "'home' is a mark, and only calls are answered"),
    ("twin is answered 99", 18, "'99' is no status; write 2xx or 409"),
    ("twin is answered 2xx, 204", 23, "'204' stands here already"),
    ("twin is answered", 17, "expected a status such as 2xx or 409, found the end of the line"),
    ("home is the first call", 1, "'home' is a mark, and only a call can be the first call"),
    ("only these calls twin", 18, "expected ':', found 'twin'"),
    ("only these calls: twin, home", 25, "'home' is a mark, and this rule lists calls"),
    ("only these calls: twin per header.X", 24, "'per' cannot follow: this rule looks at the launch as a whole"),
    ("launch settles within 5 s per key", 27, "'per' cannot follow: this rule looks at the launch as a whole"),
    ("launch settles within 5 s quiet for 0 s", 37, "this duration must be more than 0"),
    (
      "launch settles within 5 s ± 1 s", 27,
      "'±' widens a time bound, and this rule has none; 'within', 'at least … after'"
    ),
    (
      "twin has mark.x exists", 10,
      "'mark' is a field of marks; the fields of a call begin with method, query, header, "
    ),
    ("home has body.x exists", 10, "'body' is part of a call; the fields of a mark begin with mark, as in mark.status"),
    ("home has response.body.x exists", 10, "'response' is part of a call; the fields of a mark begin with mark"),
    ("home has status exists", 10, "'status' is part of a call; the fields of a mark begin with mark"),
    ("launch.end has mark.x exists", 16, "'launch.end' has no fields"),
    ("twin has response.x exists", 10, "'response.x' is no field; fields begin with method"),
    ("twin has response exists", 10, "'response' takes body or header, as in response.body.id"),
    ("twin has key exists", 10, "'twin' declares no key; add 'key FIELD' to its declaration"),
    ("twin in order of order", 18, "'twin' declares no order; add 'order FIELD' to its declaration"),
    ("home in order of order", 18, "'home' declares no order; write the field itself"),
    ("twin in order of response.body.x", 18, "'in order of' looks at the request, and 'response' is not known before"),
    ("twin in order of body.x gapless", 25, "expected 'and gapless', 'per' or the end of the line, found 'gapless'"),
    ("twin one at a time per key", 24, "'twin' declares no key; add 'key FIELD' to its declaration"),
    ("calls one at a time per key", 25, "'calls' declares no key; write 'per' and the field"),
    (
      "no twin before home per form.x", 25,
      "'home' is a mark and 'twin' a call, and no field is in both; declare a 'key'"
    ),
    ("twin one at a time per status", 24, "'per' looks at the request, and 'status' is not known before"),
    (
      "exactly 1 launch.begin per form.x", 28,
      "'launch.begin' has no fields, so this rule cannot be told apart by one"
    ),
    ("twin uses method from home", 11, "'method' has no name to look for; write 'method of … equals … of …'"),
    ("twin uses body.x from launch.begin", 23, "'launch.begin' has no fields"),
    ("twin uses response.body.x from home", 11, "'uses' looks at the request, and 'response' is not known before"),
    ("body.x of twin equals mark.x", 29, "expected 'of', found the end of the line"),
    ("body.x off twin", 8, "expected 'of', 'is the same in' or 'differs in', found 'off'"),
    ("twin has body.x matches 3", 25, "expected a text in quotes, such as \"https://*\", found '3'"),
    ("twin has body.x matches \"3\"", 25, "a text without '*' matches only itself; write = \"3\""),
    ("twin has body.x matches \"*\"", 25, "'*' alone matches everything; write 'exists'"),
    ("twin has body.x in {}", 21, "expected a value: a number, a word or a text in quotes, found '}'"),
    ("twin has body.x in {1, 1}", 24, "'1' stands here twice"),
    ("twin has body.x in {1", 22, "expected ',' or '}', found the end of the line"),
    ("twin has body.x < x", 19, "'x' is no number to compare with"),
    ("twin has body.x < ", 18, "expected a number, found the end of the line"),
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
    ("mark x = \"a\" \"b\"", 14, "expected 'or', 'where', 'key' or the end of the line, found \"b\""),
    ("mark x where mark.y exists", 8, "'where' follows a mark's text, as in a = \"text\" where"),
    ("mark x, y where mark.z exists", 11, "'where' follows a mark's text"),
    ("mark x = where mark.y exists", 10, "expected the mark's text in quotes, found 'where'"),
    ("mark x = \"a\" when mark.y exists", 14, "expected 'or', 'where', 'key' or the end of the line, found 'when'"),
    ("mark x = \"a\" where", 19, "expected a field such as mark.status, found the end of the line"),
    ("mark x = \"a\" where mark exists", 20, "'mark' takes the name of a field, as in mark.status"),
    ("mark x = \"a\" where mark[0] exists", 20, "'mark' takes the name of a field, as in mark.status"),
    ("mark x = \"a\" where mark. exists", 20, "a name is missing after '.' in 'mark.'"),
    ("mark x = \"a\" where mark.y[-1] exists", 20, "an element is written '[0]'"),
    ("mark x = \"a\" where body.y exists", 20, "'body' is part of a call; the fields of a mark begin with mark"),
    (
      "mark x = \"a\" where mrk.y exists", 20,
      "'mrk' is no field; the fields of a mark begin with mark; did you mean 'mark'?"
    ),
    (
      "mark x = \"a\" where app_ready = true", 20,
      "'app_ready' is no field; the fields of a mark begin with mark; did you mean 'mark.app_ready'?"
    ),
    (
      "mark x = \"a\" where mark.y", 26,
      "expected 'exists', 'not exists', '=', '!=', 'matches', 'in', '<', '<=', '>' or '>=', found"
    ),
    ("mark x = \"a\" where mark.y =", 28, "expected a value"),
    ("mark x = \"a\" where mark.y exists and", 37, "expected a field such as mark.status, found the end"),
    (
      "mark x = \"a\" where mark.y exists or mark.z exists", 34,
      "expected 'and', 'key' or the end of the line, found 'or'"
    ),
    ("mark x = \"a\" where mark.y exists ok 2xx", 34, "expected 'and', 'key' or the end of the line, found 'ok'"),
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
    (
      "call x = GET https://a.test/ when body.x exists", 30,
      "expected 'where', 'ok', 'attempts by', 'key', 'order' or the end"
    ),
    ("call x = GET https://a.test/ where", 35, "expected a field such as body.properties.tags, found the end"),
    (
      "call x = GET https://a.test/ where bdy.x exists", 36,
      "'bdy' is no field; fields begin with method, query, header, form and body; did you mean 'body'?"
    ),
    ("call x = GET https://a.test/ where status = 200", 36, "'where' looks at the request, and 'status' is not known"),
    (
      "call x = GET https://a.test/ where mark.x = 200", 36,
      "'mark' is a field of marks; the fields of a call begin with"
    ),
    (
      "call x = GET https://a.test/ where body.x", 42,
      "expected 'exists', 'not exists', '=', '!=', 'matches', 'in', '<', '<=', '>' or '>=', found"
    ),
    ("call x = GET https://a.test/ where body.x =", 44, "expected a value"),
    ("call x = GET https://a.test/ where body exists", 36, "'body' takes a path"),
    ("call x = GET https://a.test/ where query.a.b exists", 36, "'query' takes one name"),
    ("call x = GET https://a.test/ where body.x[y] exists", 36, "an element is written '[0]'"),
    (
      "call x = GET https://a.test/ attempts by mark.x", 42,
      "'mark' is a field of marks; the fields of a call begin with"
    ),
    (
      "call x = GET https://a.test/ attempts by status", 42,
      "'attempts by' looks at the request, and 'status' is not known"
    ),
    ("call x = GET https://a.test/ key response.body.x", 34, "'key' looks at the request, and 'response' is not known"),
    ("call x = GET https://a.test/ order", 35, "expected a field such as form.created_at, found the end of the line"),
    ("call x = GET https://a.test/ attempts form.x", 39, "expected 'by', found 'form.x'"),
    (
      "call x = GET https://a.test/ where method = POST", 30,
      "this 'where' never matches: the method is GET, never = POST"
    ),
    (
      "call x = GET https://a.test/ where body.x = 1 and body.x = 2", 30,
      "this 'where' never matches: body.x cannot be = 1 and = 2 at once"
    ),
    (
      "mark x = \"a\" where mark.x < 3 and mark.x >= 3 key mark.y", 14,
      "this 'where' never matches: mark.x cannot be < 3 and >= 3 at once"
    ),
    ("mark x = \"a\" key", 17, "expected a field such as mark.id, found the end of the line"),
    ("mark x key mark.y", 8, "'key' follows a mark's text, as in a = \"text\" key …"),
    ("include names", 9, "expected the path of a contract in quotes, found 'names'"),
    ("include \"\"", 9, "the path of a contract is missing"),
    ("include \"a\" \"b\"", 13, "expected the end of the line, found \"b\""),
    ("include \"a.contract\"", 9, "includes cannot be read here"),
    ("when home x = 3", 16, "expected ':', found the end of the line"),
    ("when home x = 3:", 1, "this 'when' has no rules; indent them under it"),
    ("when home x = 3: no twin", 18, "the rules of a block stand on lines of their own, indented"),
    ("when home:", 10, "expected a field such as status, found ':'"),
    ("when hoem.x = 3:", 6, "'hoem.x' is not declared; did you mean 'home'?"),
    ("when twin.x = 3:", 6, "'twin' is no declared mark, and 'when' asks for a field of one"),
    ("when zzzzz.x = 3:", 6, "'zzzzz.x' is not declared; declare it with 'mark'"),
    ("when \"home\" = 3:", 6, "expected a mark, found \"home\""),
    ("call x = GET https://a.test/ ok 99", 33, "'99' is no status; write 2xx or 409"),
    ("call x = GET https://a.test/ ok 2xx, ok 3xx", 38, "'ok' is no status"),
    ("call x = GET https://a.test/ ok 2xx ok 3xx", 37, "'ok' stands here twice"),
  ]

  @Test(arguments: declarations)
  func `a declaration with a mistake gets one error at the right column`(
    line: String, column: Int, message: String
  ) throws {
    let body = line.hasPrefix("when") && !message.hasPrefix("this 'when'") ? "\n  no home\n" : "\nno home\n"
    let messages = Self.messages(Self.names + line + body)
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
        "6:6 expected 'before', 'after', 'between', 'while', 'except', 'per' or the end of the line, found 'befor'; "
          + "did you mean 'before'?",
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
    ("contract \"x\" version 1 now\nno calls\n", "1:24 expected the end of the line, found 'now'"),
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
        x.contract:3:17: error: expected 'except', 'per' or the end of the line, found 'bb'
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

  @Test func `of a long line only what stands around the column is shown`() {
    let line = String(repeating: "a", count: 5000) + "!" + String(repeating: "b", count: 5000)
    let diagnostic = Diagnostic(
      file: "x.contract", line: 1, column: 5001, severity: .error, message: "wrong", sourceLine: line)
    let lines = diagnostic.description.split(separator: "\n").map(Array.init)
    #expect(lines[1].count < 140)
    #expect(lines[1][lines[2].count - 1] == "!")
    #expect(lines[2].last == "^")
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
