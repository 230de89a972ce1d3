import Testing

@testable import LaunchContract

/// What each sentence of the language means to the monitors.
struct SentenceTests {
  static let header = """
    contract "test" version 1
    mark m = "m" key mark.k
    mark n
    call a = POST https://h.test/a key header."X-Key" order body.seq
    call b = POST https://h.test/b ok 2xx, 409
    call c = GET https://h.test/c key query.k

    """

  private static func contract(_ rule: String, tolerance: String = "") throws -> Contract {
    try Contract(parsing: header + tolerance + "\n" + rule, file: "f")
  }

  private static let numbers = ["calls": 0, "launch.begin": 1, "launch.end": 2, "m": 3, "n": 4, "a": 5, "b": 6, "c": 7]

  private static func side(
    _ name: String, _ filter: Side.Filter = .any, _ moment: Side.Moment = .start, label: String? = nil,
    number: Int? = nil
  ) -> Side {
    let isPoint = ["m", "n", "launch.begin", "launch.end"].contains(name)
    return Side(
      name: number ?? numbers[name] ?? -1, label: label ?? name, filter: isPoint ? .any : filter,
      moment: isPoint ? .start : moment, isPoint: isPoint)
  }

  private static func field(_ root: FieldPath.Root, _ names: String..., text: String) -> FieldPath {
    FieldPath(root, names.map(FieldPath.Step.key), text: text)
  }

  private static let id = field(.body, "id", text: "body.id")
  /// The attempts of `a` have the first number behind those that are declared.
  private static let attempt = side("a", label: "attempt of a", number: 8)
  private static let retried = side("a", number: 8)

  static let sentences: [(text: String, form: Rule.Form)] = [
    ("b only after a", .precedence(trigger: side("b"), requirement: side("a", .ok, .end))),
    ("b only after m", .precedence(trigger: side("b"), requirement: side("m"))),
    ("b (ok) only after a (sent)", .precedence(trigger: side("b", .ok), requirement: side("a"))),
    ("b starts only after a starts", .precedence(trigger: side("b"), requirement: side("a", .ok))),
    ("b starts only after a ends", .precedence(trigger: side("b"), requirement: side("a", .ok, .end))),
    ("b ends only after a starts", .precedence(trigger: side("b", .any, .end), requirement: side("a", .ok))),
    ("b ends only after a ends", .precedence(trigger: side("b", .any, .end), requirement: side("a", .ok, .end))),
    ("each b after its own a", .ownPrecedence(trigger: side("b"), requirement: side("a", .ok, .end))),
    (
      "every a is followed by b",
      .response(trigger: side("a", .any, .end), requirement: side("b", .ok), bound: nil, tolerance: 0)
    ),
    (
      "a then b",
      .both(
        .precedence(trigger: side("b"), requirement: side("a", .ok, .end)),
        .response(trigger: side("a", .any, .end), requirement: side("b", .ok), bound: nil, tolerance: 0))
    ),
    (
      "b within 5 s of a",
      .response(trigger: side("a"), requirement: side("b", .ok, .end), bound: 5_000_000, tolerance: 0)
    ),
    (
      "b within 5 s of a ending ± 1 ms",
      .response(trigger: side("a", .any, .end), requirement: side("b", .ok, .end), bound: 5_000_000, tolerance: 1_000)
    ),
    ("b at least 2 ms after a ± 500 us", .gap(late: side("b"), early: side("a", .any, .end), least: 1500)),
    ("exactly 2 a", .count(side("a"), .exactly(2), except: [])),
    ("at most 2 a (ok)", .count(side("a", .ok), .atMost(2), except: [])),
    (
      "at least 1 a (answered 4xx, 500)",
      .count(side("a", .answered(StatusSet(ranges: [400...499, 500...500]))), .atLeast(1), except: [])
    ),
    ("no a (answered)", .count(side("a", .answered(nil)), .exactly(0), except: [])),
    ("no calls except a, b", .count(side("calls"), .exactly(0), except: [5, 6])),
    ("at most 3 attempts of a", .count(attempt, .atMost(3), except: [])),
    ("a and b take turns", .turns(first: side("a", .ok), second: side("b", .ok))),
    ("b right after a among {a, b, m}", .succession(first: side("a"), next: side("b"), among: [5, 6, 3])),
    ("a one at a time", .concurrency(side("a"), most: 1)),
    ("at most 2 calls open", .concurrency(side("calls"), most: 2)),
    ("a never overlaps b", .separation(side("a"), side("b"))),
    ("a in order of body.id", .order(side("a"), by: id, isSerial: false, isGapless: false)),
    (
      "a one at a time in order of order and gapless",
      .order(side("a"), by: field(.body, "seq", text: "body.seq"), isSerial: true, isGapless: true)
    ),
    ("retries of a back off from 1 s", .backoff(retried, Rule.Backoff(first: 1_000_000))),
    (
      "retries of a back off from 1 s, factor 1.5, cap 10 s, jitter 12.5 %, at most 4 tries ± 2 ms",
      .backoff(
        retried,
        Rule.Backoff(
          first: 1_000_000, factor: 1500, cap: 10_000_000, jitter: .thousandths(125), mostTries: 4, tolerance: 2000))
    ),
    (
      "retries of a back off from 1 s, at most 2 tries, full jitter",
      .backoff(retried, Rule.Backoff(first: 1_000_000, jitter: .full, mostTries: 2))
    ),
    ("at most 3 a in any 1 min", .rate(side("a"), most: 3, window: 60_000_000)),
    (
      "a uses body.id from b",
      .transfer(side("a"), id, source: side("b", .ok, .end), field(.responseBody, "id", text: "response.body.id"))
    ),
    ("a uses body.id from m", .transfer(side("a"), id, source: side("m"), field(.mark, "id", text: "mark.id"))),
    (
      "a uses form.id from b",
      .transfer(
        side("a"), field(.form, "id", text: "form.id"), source: side("b", .ok, .end),
        field(.responseBody, "id", text: "response.body.id"))
    ),
    (
      "a uses header.\"X-Id\" from b",
      .transfer(
        side("a"), field(.header, "X-Id", text: "header.\"X-Id\""), source: side("b", .ok, .end),
        field(.responseHeader, "X-Id", text: "response.header.\"X-Id\""))
    ),
    (
      "body.id of a equals response.body.id of b",
      .transfer(side("a"), id, source: side("b", .ok, .end), field(.responseBody, "id", text: "response.body.id"))
    ),
    (
      "status of a equals mark.id of m",
      .transfer(side("a"), field(.status, text: "status"), source: side("m"), field(.mark, "id", text: "mark.id"))
    ),
    ("body.id is the same in attempts of a", .sameness(attempt, id, isSame: true)),
    ("key differs in a", .sameness(side("a"), field(.header, "X-Key", text: "header.\"X-Key\""), isSame: false)),
    ("a has body.id = 3", .field(side("a"), Condition(field: id, test: .equals(Literal("3"))))),
    (
      "m has mark.x in {a, \"b c\"}",
      .field(
        side("m"),
        Condition(field: field(.mark, "x", text: "mark.x"), test: .isOne(of: [Literal("a"), Literal("b c")])))
    ),
    ("a has body.id matches \"x*\"", .field(side("a"), Condition(field: id, test: .matches(TextPattern("x*"))))),
    ("a has body.id >= 3", .field(side("a"), Condition(field: id, test: .compares(.atLeast, Literal("3"))))),
    ("a has body.id<3", .field(side("a"), Condition(field: id, test: .compares(.less, Literal("3"))))),
    (
      "a is answered 2xx, 409",
      .status(
        side("a", .any, .end, label: "a", number: 8), StatusSet(ranges: [200...299, 409...409]))
    ),
    ("a is answered 2xx in the end", .status(side("a", .any, .end), .successful)),
    ("if a happens then b happens", .coexistence(side("a"), side("b", .ok, .end), isForbidden: false)),
    ("if a happens then no b", .coexistence(side("a"), side("b"), isForbidden: true)),
    ("a or m or b happens", .choice([side("a", .ok, .end), side("m"), side("b", .ok, .end)], isExclusive: false)),
    ("exactly one of a, b happens", .choice([side("a", .ok, .end), side("b", .ok, .end)], isExclusive: true)),
    (
      "b within 5 s of a or else m ± 1 ms",
      .fallback(
        trigger: side("a"), requirement: side("b", .ok, .end), bound: 5_000_000, tolerance: 1000, fallback: side("m"))
    ),
    ("a is the first call", .firstCall(side("a"))),
    ("nothing after a", .nothingAfter(side("a", .any, .end))),
    ("only these calls: a, b", .onlyCalls([5, 6])),
    ("launch settles within 40 s", .settling(bound: 40_000_000, quiet: 1_000_000)),
    ("launch settles within 40 s quiet for 250 ms", .settling(bound: 40_000_000, quiet: 250_000)),
  ]

  @Test(arguments: sentences)
  func `a sentence is read as its form`(text: String, form: Rule.Form) throws {
    #expect(try Self.contract(text).rules.map(\.form) == [form])
  }

  @Test(arguments: sentences.map(\.text).filter { !$0.contains("among") && !$0.contains("attempts of") })
  func `attempts may stand wherever a name does`(text: String) throws {
    let words = text.replacing("a time", with: "a-time").split(separator: " ").map { word in
      word == "a" ? "attempts of a" : word.replacing("a-time", with: "a time")
    }
    let sentence = words.joined(separator: " ")
    do throws(ContractError) {
      _ = try Contract(parsing: Self.header + sentence, file: "f")
    } catch {
      Issue.record("\(error)")
    }
  }

  static let scopes: [(text: String, scope: Rule.Scope)] = [
    ("no a before m", .before(side("m"))),
    ("exactly 1 a after b", .after(side("b", .any, .end))),
    ("at most 1 a after b until m", .afterUntil(side("b", .any, .end), side("m"))),
    ("at least 1 a between launch.begin and b", .between(side("launch.begin"), side("b"))),
    ("every a is followed by m while b is open", .whileOpen(side("b"))),
    ("a then m after b", .after(side("b", .any, .end))),
    ("a within 5 s of m before b", .before(side("b"))),
    ("a at least 5 s after m after b until c", .afterUntil(side("b", .any, .end), side("c"))),
  ]

  @Test(arguments: scopes)
  func `a scope is read as its stretch`(text: String, scope: Rule.Scope) throws {
    #expect(try Self.contract(text).rules.map(\.scope) == [scope])
  }

  @Test func `suffixes stand in one order`() throws {
    let rule = try Self.contract("[R1] advice: optional: no calls before b except a per header.\"X-Key\"  # because x")
      .rules[0]
    #expect(rule.key == .field(Self.field(.header, "X-Key", text: "header.\"X-Key\"")))
    #expect(rule.sentence == "no calls before b except a per header.\"X-Key\"")
    #expect(try Self.contract("m within 5 s of a before c per key ± 5 ms").rules[0].key == .declared)
  }

  @Test func `the tolerance of the file widens time bounds, and that of a rule stands in its place`() throws {
    func form(_ text: String) throws -> Rule.Form {
      try Self.contract(text, tolerance: "tolerance 50 ms").rules[0].form
    }
    #expect(
      try form("b within 1 s of a")
        == .response(
          trigger: Self.side("a"), requirement: Self.side("b", .ok, .end), bound: 1_000_000, tolerance: 50_000))
    #expect(
      try form("b within 1 s of a ± 0 ms")
        == .response(trigger: Self.side("a"), requirement: Self.side("b", .ok, .end), bound: 1_000_000, tolerance: 0))
    #expect(
      try form("b at least 10 ms after a") == .gap(late: Self.side("b"), early: Self.side("a", .any, .end), least: 0))
    #expect(try form("launch settles within 1 s") == .settling(bound: 1_000_000, quiet: 1_000_000))
    #expect(try form("at most 1 a in any 1 s") == .rate(Self.side("a"), most: 1, window: 1_000_000))
  }

  @Test(arguments: ["when m x = 3:", "when m.x = 3:", "when m mark.x = 3:", "  when  m.x = 3 :  # why"])
  func `a block gives its rules a guard`(head: String) throws {
    let contract = try Self.contract("no a\n\(head)\n\n    # inside\n    no b\n    no c\nno n\n")
    let condition = Condition(field: Self.field(.mark, "x", text: "mark.x"), test: .equals(Literal("3")))
    #expect(contract.rules.map { $0.guardian?.name } == [nil, 3, 3, nil])
    #expect(contract.rules[1].guardian?.condition == condition)
    #expect(contract.rules[1].guardian?.text.hasPrefix("when") == true)
  }

  @Test func `a block takes the longest declared mark`() throws {
    let text = "contract \"x\" version 1\nmark a, a.b\nwhen a.b.c exists:\n  no calls\nwhen a.c.d exists:\n  no calls"
    let contract = try Contract(parsing: text, file: "f")
    #expect(contract.rules.map { $0.guardian?.name } == [4, 3])
    #expect(contract.rules.map { $0.guardian?.condition.field.steps } == [[.key("c")], [.key("c"), .key("d")]])
  }

  @Test func `every word the parser knows is reserved`() {
    let phrases = RuleParser.phrases.flatMap { $0.split(separator: " ").map(String.init) }
    // A lone letter stands only where no name can, and `calls` is a name.
    for word in phrases where word != "a" && word != "calls" {
      #expect(Vocabulary.keywords.contains(word), "\(word)")
    }
  }
}
