import TestSupport

/// Makes random rules: what a contract says, and what the oracle takes it to mean, built side by side.
struct RandomRule {
  private typealias Party = OracleRule.Party
  private typealias Sentence = OracleRule.Sentence

  private var generator: SeededGenerator
  private let form: Int
  /// Three different names.
  private let names: [String]
  private var tolerance: Int64 = 0
  private var except: [String] = []

  /// A rule of the form with this number about some of the names in `cast`.
  static func make(_ form: Int, about cast: [String], using generator: inout SeededGenerator) -> OracleRule {
    var maker = RandomRule(form, cast, generator)
    defer { generator = maker.generator }
    return maker.rule()
  }

  private init(_ form: Int, _ cast: [String], _ generator: SeededGenerator) {
    self.generator = generator
    self.form = form
    var names = cast.shuffled(using: &self.generator)
    // Names that every contract has, where a rule can be about them.
    if [1, 2, 4, 5, 6, 7, 10].contains(form), Int.random(in: 0..<8, using: &self.generator) == 0 {
      let place = Int.random(in: 0...1, using: &self.generator)
      names[place] = ["calls", "launch.begin", "launch.end"].randomElement(using: &self.generator) ?? "calls"
    }
    self.names = names
  }

  private mutating func rule() -> OracleRule {
    if form == 24 { return block() }
    let inner = form == 10 ? pick([4, 4, 5, 6, 7, 8, 8, 9]) : form
    let (text, sentence) = sentence(inner)
    var rule = OracleRule(text: text, form: form, sentence: sentence)
    if form == 10 {
      let (words, scope) = scope(of: inner)
      rule.text += " " + words
      rule.scope = scope
    }
    if !except.isEmpty {
      rule.text += " except " + except.joined(separator: ", ")
      rule.except = except
    }
    if chance(3), let field = key(for: rule) {
      rule.text += " per \(field.text)"
      rule.per = field
    }
    if tolerance > 0 {
      rule.text += " ± \(duration(tolerance))"
      rule.tolerance = tolerance
    }
    return rule
  }

  private mutating func block() -> OracleRule {
    let known = names.filter(OracleNames.marks.contains)
    let mark = pick(known.isEmpty || chance(3) ? OracleNames.marks : known)
    let (name, test) = pick([("v", value("v")), ("id", value("id")), ("k", value("k"))])
    let inner = pick([1, 4, 4, 6, 8, 13, 18, 20, 21, 21])
    var rule = Self.make(inner, about: names, using: &generator)
    let link = pick([".", " ", " mark."])
    rule.text = "when \(mark)\(link)\(name) \(test.text):\n  \(rule.text)"
    rule.form = 24
    rule.guardian = .init(mark: mark, field: OracleField(.mark, [name]), test: test)
    return rule
  }

  private mutating func sentence(_ form: Int) -> (String, OracleRule.Sentence) {
    switch form {
    case 1...7, 22: order(form)
    case 8, 9: count(isNone: form == 9)
    case 13...16: sets(form)
    case 17...19: fields(form)
    case 11, 12, 20, 21: existence(form)
    default: calls(form)
    }
  }
}

extension RandomRule {
  private mutating func order(_ form: Int) -> (String, OracleRule.Sentence) {
    let (first, second) = (party(names[0]), party(names[1]))
    let (a, b) = (first.text, second.text)
    let bound = milliseconds()
    switch form {
    case 1: return ("\(b) only after \(a)", .precedence(second, .start, onlyAfter: first, .end))
    case 2:
      let (left, right) = (party(names[0], canBeSent: false), party(names[1], canBeSent: false))
      let moments = [pick([OracleRule.Moment.start, .end]), pick([OracleRule.Moment.start, .end])]
      return (
        "\(right.text) \(moments[0])s only after \(left.text) \(moments[1])s",
        .precedence(right, moments[0], onlyAfter: left, moments[1])
      )
    case 3: return ("each \(b) after its own \(a)", .afterItsOwn(second, first))
    case 4: return ("every \(a) is followed by \(b)", .followed(first, by: second))
    case 5: return ("\(a) then \(b)", .sequence(first, second))
    case 6:
      if chance(2) { tolerance = milliseconds() }
      let isEnding = chance(3)
      let trigger = isEnding ? party(names[0], canBeSent: false) : first
      return (
        "\(b) within \(duration(bound)) of \(trigger.text)\(isEnding ? " ending" : "")",
        .within(second, bound, of: trigger, ending: isEnding)
      )
    case 7:
      if chance(3) { tolerance = milliseconds() }
      return ("\(b) at least \(duration(bound)) after \(a)", .apart(second, bound, after: first))
    default:
      if !chance(4) { tolerance = milliseconds() + 1000 }
      let last = party(names[2])
      return (
        "\(b) within \(duration(bound)) of \(a) or else \(last.text)", .orElse(second, bound, of: first, last)
      )
    }
  }

  private mutating func count(isNone: Bool) -> (String, OracleRule.Sentence) {
    let isAll = chance(4)
    let one = party(isAll ? "calls" : names[0])
    if isAll || chance(6) {
      except = Array(["a", "b", "c"].shuffled(using: &generator).prefix(Int.random(in: 1...2, using: &generator)))
        .filter { $0 != one.name && $0 != names[2] }
    }
    if isNone { return ("no \(one.text)", .count(one, least: 0, most: 0)) }
    let number = Int.random(in: 0...2, using: &generator)
    return switch Int.random(in: 0..<3, using: &generator) {
    case 0: ("exactly \(number) \(one.text)", .count(one, least: number, most: number))
    case 1: ("at most \(number) \(one.text)", .count(one, least: 0, most: number))
    default: ("at least \(number + 1) \(one.text)", .count(one, least: number + 1, most: nil))
    }
  }

  private mutating func sets(_ form: Int) -> (String, OracleRule.Sentence) {
    let (first, second) = (party(names[0]), party(names[1]))
    let a = first.text
    let number = Int.random(in: 1...2, using: &generator)
    switch form {
    case 13 where chance(3): return ("\(a) one at a time", .oneAtATime(first))
    case 13 where chance(2): return ("at most \(number) \(a) open", .atMostOpen(first, number))
    case 13: return ("\(a) never overlaps \(second.text)", .neverOverlaps(first, second))
    case 14:
      let (field, isDense) = orderField(names[0])
      let (isSingle, isGapless) = (chance(3), isDense && chance(3))
      let words = (isSingle ? " one at a time" : "") + " in order of \(field.text)" + (isGapless ? " and gapless" : "")
      return (a + words, .ordered(first, oneAtATime: isSingle, field, gapless: isGapless))
    case 15:
      let one = Party(name: callName())
      let (words, backoff) = backoff()
      return ("retries of \(one.text) back off from " + words, .retries(one, backoff))
    default:
      let window = milliseconds() + 1000
      return ("at most \(number) \(a) in any \(duration(window))", .rate(first, number, in: window))
    }
  }

  private mutating func backoff() -> (String, OracleRule.Backoff) {
    var backoff = OracleRule.Backoff(first: Int64.random(in: 1...3, using: &generator) * 1000)
    var words = duration(backoff.first)
    if chance(2) {
      let (word, tenths) = pick([("1.5", Int64(15)), ("2", 20), ("3", 30)])
      backoff.factor = tenths
      words += ", factor \(word)"
    }
    if chance(3) {
      backoff.cap = Int64.random(in: 2...4, using: &generator) * 1000
      words += ", cap \(duration(backoff.cap ?? 0))"
    }
    if chance(2) {
      backoff.jitter = pick([20, 50, 100])
      words += ", jitter \(backoff.jitter) %"
    } else if chance(3) {
      backoff.isFullJitter = true
      words += ", full jitter"
    }
    if chance(3) {
      backoff.most = Int.random(in: 2...3, using: &generator)
      words += ", at most \(backoff.most ?? 0) tries"
    }
    if !chance(3) { tolerance = milliseconds() }
    return (words, backoff)
  }

  private mutating func fields(_ form: Int) -> (String, OracleRule.Sentence) {
    let (first, second) = (party(names[0]), party(names[1]))
    let a = first.text
    switch form {
    case 17:
      let (field, source) = !chance(3) ? usedKey() : (requestField(names[0]), answerField(names[1]))
      if let implied = implied(by: field, from: names[1]), chance(2) {
        return ("\(a) uses \(field.text) from \(second.text)", .equal(field, of: first, to: implied, from: second))
      }
      return (
        "\(field.text) of \(a) equals \(source.text) of \(second.text)",
        .equal(field, of: first, to: source, from: second)
      )
    case 18:
      let field = chance(4) ? answerField(names[0]) : requestField(names[0])
      return chance(2)
        ? ("\(field.text) is the same in \(a)", .same(field, first))
        : ("\(field.text) differs in \(a)", .differs(field, first))
    default:
      if chance(2) {
        let one = Party(name: callName())
        let (words, statuses) = statuses()
        let isLast = chance(2)
        return (
          "\(one.text) is answered \(words)\(isLast ? " in the end" : "")",
          .answered(one, statuses, inTheEnd: isLast)
        )
      }
      let field = chance(4) ? answerField(names[0]) : requestField(names[0])
      let test = value(field.path.last ?? "status")
      return ("\(a) has \(field.text) \(test.text)", .has(first, field, test))
    }
  }

  private mutating func existence(_ form: Int) -> (String, OracleRule.Sentence) {
    let (first, second) = (party(names[0]), party(names[1]))
    let (a, b) = (first.text, second.text)
    switch form {
    case 11: return ("\(a) and \(b) take turns", .turns(first, second))
    case 12:
      let among = names.shuffled(using: &generator)
      let text = "\(names[1]) right after \(names[0]) among {\(among.joined(separator: ", "))}"
      return (text, .rightAfter(Party(name: names[1]), Party(name: names[0]), among: among))
    case 20:
      let isForbidden = chance(2)
      return (
        "if \(a) happens then \(isForbidden ? "no \(b)" : "\(b) happens")",
        .implies(first, second, isForbidden: isForbidden)
      )
    default:
      let all = chance(2) ? [first, second] : [first, second, party(names[2])]
      let isExclusive = chance(2)
      let list = all.map(\.text)
      return (
        isExclusive
          ? "exactly one of \(list.joined(separator: ", ")) happens" : list.joined(separator: " or ") + " happens",
        .choice(all, isExclusive: isExclusive)
      )
    }
  }

  private mutating func calls(_ form: Int) -> (String, OracleRule.Sentence) {
    if form == 25 {
      let (bound, quiet) = ((milliseconds() + 2000) * 2, milliseconds() + 1000)
      let text = "launch settles within \(duration(bound))"
      return chance(4)
        ? (text, .settles(bound, quiet: 1_000_000))
        : ("\(text) quiet for \(duration(quiet))", .settles(bound, quiet: quiet))
    }
    let one = Party(name: callName())
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return ("\(one.text) is the first call", .firstCall(one))
    case 1:
      let last = Party(name: names[0])
      return ("nothing after \(last.text)", .nothingAfter(last))
    default:
      let some = ["a", "b", "c"].shuffled(using: &generator).prefix(2).map { Party(name: $0) }
      return ("only these calls: \(some.map(\.text).joined(separator: ", "))", .onlyThese(some))
    }
  }
}

extension RandomRule {
  private mutating func party(_ name: String, canBeSent: Bool = true) -> OracleRule.Party {
    var party = Party(name: name)
    guard OracleNames.calls.contains(name) else { return party }
    party.ofAttempts = name != "calls" && chance(7)
    guard chance(3) else { return party }
    let filters: [OracleRule.Filter] = [
      .ok, .anyOutcome, .answered(nil), .answered([400...499]), .answered([200...299, 409...409]), .sent,
    ]
    party.filter = pick(Array(filters.prefix(canBeSent ? 6 : 5)))
    return party
  }

  private mutating func scope(of form: Int) -> (String, OracleRule.Scope) {
    let b = names[2]
    let used = form == 8 || form == 9 ? [names[0]] + except : [names[0], names[1]]
    let c = pick((["launch.end", "launch.begin"] + names).filter { $0 != b && !used.contains($0) })
    switch Int.random(in: form > 5 ? 0..<7 : 1..<7, using: &generator) {
    case 0: return ("before \(b)", .before(b))
    case 1, 2: return ("after \(b)", .after(b))
    case 3: return ("after \(b) until \(c)", .afterUntil(b, c))
    case 4: return ("between \(b) and \(c)", .between(b, c))
    case 5 where !used.contains("launch.begin"): return ("between launch.begin and \(b)", .between("launch.begin", b))
    default:
      let calls = ["a", "b", "c"].filter { $0 == b || !names.contains($0) && !except.contains($0) }
      let call = calls.contains(b) ? b : calls.first ?? b
      guard OracleNames.calls.contains(call) else { return ("after \(b)", .after(b)) }
      return ("while \(call) is open", .whileOpen(call))
    }
  }

  /// A field that every name of the rule has.
  private mutating func key(for rule: OracleRule) -> OracleField? {
    let names = Set(rule.parties.map(\.name))
    if form == 23 || form == 25 || names.contains(where: { $0.hasPrefix("launch") }) { return nil }
    var fields: [OracleField] = []
    if !names.contains("calls") { fields.append(OracleField(.key)) }
    if names.isSubset(of: OracleNames.marks) { fields += [OracleField(.mark, ["k"]), OracleField(.mark, ["id"])] }
    if names.isSubset(of: OracleNames.calls) { fields.append(OracleField(.header, ["X-Key"])) }
    return fields.randomElement(using: &generator)
  }

  private mutating func requestField(_ name: String) -> OracleField {
    let key = pick(["id", "id", "k", "seq"])
    switch name {
    case "m", "n", "o": return OracleField(.mark, [key])
    case "a": return chance(4) ? OracleField(.header, ["X-Id"]) : OracleField(.body, [key])
    case "b": return chance(4) ? OracleField(.header, ["X-Id"]) : OracleField(.form, [key])
    default: return chance(4) ? OracleField(.header, ["X-Id"]) : OracleField(.query, [key])
    }
  }

  private mutating func answerField(_ name: String) -> OracleField {
    if OracleNames.marks.contains(name) { return OracleField(.mark, [pick(["id", "k"])]) }
    return pick([
      OracleField(.response, ["body", "id"]), OracleField(.response, ["body", "id"]),
      OracleField(.response, ["body", "k"]), OracleField(.response, ["header", "X-Id"]), OracleField(.status),
    ])
  }

  /// Where `uses FIELD from NAME` looks.
  private func implied(by field: OracleField, from name: String) -> OracleField? {
    guard let last = field.path.last else { return nil }
    if OracleNames.marks.contains(name) { return field.root == .header ? nil : OracleField(.mark, [last]) }
    switch field.root {
    case .body, .query, .form: return OracleField(.response, ["body", last])
    case .header: return OracleField(.response, ["header", last])
    default: return nil
    }
  }

  /// `k` on both sides, which is mostly the same.
  private func usedKey() -> (OracleField, OracleField) {
    let isMark = OracleNames.marks.contains(names[1])
    return (
      (names[0] == "a" ? OracleField(.body, ["k"]) : OracleNames.key(of: names[0])) ?? OracleField(.mark, ["k"]),
      isMark ? OracleField(.mark, ["k"]) : OracleField(.response, ["body", "k"])
    )
  }

  private mutating func orderField(_ name: String) -> (OracleField, isDense: Bool) {
    if OracleNames.marks.contains(name) { return (OracleField(.mark, [pick(["seq", "v"])]), true) }
    if chance(2) { return (OracleField(.order), true) }
    let field = requestField(name)
    return (field, field.path.last == "seq")
  }

  private mutating func statuses() -> (String, [ClosedRange<Int>]) {
    pick([
      ("2xx", [200...299]), ("2xx, 409", [200...299, 409...409]), ("200", [200...200]), ("4xx", [400...499]),
    ])
  }

  private mutating func value(_ field: String) -> OracleTest {
    switch field {
    case "k": pick([.exists, .missing, .equals("x"), .differs("x"), .oneOf(["x", "y"]), .startsWith("x")])
    case "status": pick([.equals("200"), .oneOf(["200", "204"]), .compares("<", 300), .startsWith("2"), .exists])
    default:
      pick([
        .exists, .missing, .equals("1"), .differs("1"), .oneOf(["1", "2"]),
        .compares(pick(["<", "<=", ">", ">="]), pick([1, 2, 5])),
      ])
    }
  }

  private mutating func callName() -> String {
    names.first { OracleNames.calls.contains($0) } ?? pick(["a", "b", "c"])
  }
  private mutating func milliseconds() -> Int64 { Int64.random(in: 0...6, using: &generator) * 1000 }
  private func duration(_ microseconds: Int64) -> String { "\(microseconds / 1000) ms" }
  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }
}

extension OracleRule.Party {
  /// As a rule writes it.
  var text: String {
    let brackets =
      switch filter {
      case nil: ""
      case .sent: " (sent)"
      case .ok: " (ok)"
      case .anyOutcome: " (any outcome)"
      case .answered(nil): " (answered)"
      case .answered(let ranges?): " (answered \(ranges.map(Self.text).joined(separator: ", ")))"
      }
    return (ofAttempts ? "attempts of " : "") + name + brackets
  }

  private static func text(_ statuses: ClosedRange<Int>) -> String {
    statuses.count == 100 ? "\(statuses.lowerBound / 100)xx" : "\(statuses.lowerBound)"
  }
}
