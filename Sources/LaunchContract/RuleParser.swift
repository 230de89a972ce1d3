/// Reads one rule: `[NAME] advice: optional: RULE [scope] [except NAMES] [± DURATION]`.
struct RuleParser {
  struct Parsed {
    var name: String?
    var isAdvice = false
    var isOptional = false
    /// Where the sentence starts.
    var column = 1
    var form: Rule.Form
    var scope: Rule.Scope?
  }

  /// A name with what stands in brackets behind it.
  private struct Mention {
    var token: Token
    var number: Int
    /// `sent`, `answered`, `ok` or `any outcome`; nil for the rule's own default.
    var side: String?
  }

  /// Mistakes that did not keep the rest of the rule from being read.
  var mistakes: [Mistake] = []
  private var cursor: TokenCursor
  private let names: Names
  private let tolerance: Int64
  private var mentions: [Mention] = []

  init(_ tokens: [Token], names: Names, tolerance: Int64) {
    cursor = TokenCursor(tokens)
    self.names = names
    self.tolerance = tolerance
  }

  mutating func parse() throws(Mistake) -> Parsed {
    let label = cursor.label()?.text
    let (isAdvice, isOptional) = try modifiers()
    let column = cursor.column
    if cursor.isAtEnd { throw cursor.expected("a rule", hint: Self.forms) }
    var form = try sentence()
    let scope = try scope(of: form)
    try parseExceptions(&form)
    try parseTolerance(&form)
    try cursor.expectEnd(after: "this rule")
    refuseSameNames()
    return Parsed(
      name: label, isAdvice: isAdvice, isOptional: isOptional, column: column, form: form, scope: scope)
  }

  static let forms = """
    rules read 'B only after A', 'B starts only after A ends', 'every A is followed by B', 'A then B', \
    'B within 5 s of A', 'exactly 1 A', 'at most 1 A', 'at least 1 A' or 'no A'
    """

  private mutating func modifiers() throws(Mistake) -> (isAdvice: Bool, isOptional: Bool) {
    var (isAdvice, isOptional) = (false, false)
    while let token = cursor.peek {
      if cursor.accept("advice:"), !isAdvice {
        isAdvice = true
      } else if cursor.accept("optional:"), !isOptional {
        isOptional = true
      } else if token.isWord("advice:") || token.isWord("optional:") {
        throw Mistake(column: token.column, message: "'\(token.text)' stands here twice")
      } else {
        break
      }
    }
    return (isAdvice, isOptional)
  }

  private mutating func sentence() throws(Mistake) -> Rule.Form {
    if cursor.accept("every") { return try response() }
    if cursor.accept("no") { return try count(.exactly(0)) }
    if cursor.accept("exactly") { return try count(.exactly(try cursor.count("a number"))) }
    if cursor.accept("at") {
      if cursor.accept("most") { return try count(.atMost(try cursor.count("a number"))) }
      try cursor.expect("least", because: " or 'most'")
      let column = cursor.column
      let number = try cursor.count("a number")
      if number == 0 { throw Mistake(column: column, message: "'at least 0' is always kept") }
      return try count(.atLeast(number))
    }
    return try relation()
  }

  private mutating func count(_ count: Rule.Count) throws(Mistake) -> Rule.Form {
    .count(side(try mention(), .any, .start), count, except: [])
  }

  /// Rule 4.
  private mutating func response() throws(Mistake) -> Rule.Form {
    let trigger = try mention()
    try cursor.expect("is", "followed", "by")
    let requirement = try mention()
    if cursor.peek?.isWord("before") == true {
      throw Mistake(
        column: cursor.column,
        message: "'followed by … before' reads like a deadline; write 'B within 5 s of A', or 'at least 1 B before C'")
    }
    return .response(trigger: side(trigger, .any, .end), requirement: side(requirement, .ok, .start), bound: nil)
  }

  /// The rules that begin with a name.
  private mutating func relation() throws(Mistake) -> Rule.Form {
    let start = cursor.index
    let first = try mention()
    if cursor.accept("then") { return try sequence(first) }
    if cursor.accept("within") { return try within(first) }
    let moment = try self.moment()
    if cursor.accept("only") {
      try cursor.expect("after")
      return try precedence(first, moment)
    }
    if moment != nil { throw cursor.expected("'only after'") }
    let wanted = cursor.expected("'only after', 'then', 'within', 'starts' or 'ends'", hint: Self.forms)
    // A misspelt first word is the likelier mistake when it is no name at all.
    if mistakes.count > 0, cursor.index == start + 1, mistakes.last?.column == first.token.column {
      mistakes.removeLast()
      throw Mistake(column: first.token.column, message: misspelt(first.token) ?? "this is no rule; " + Self.forms)
    }
    throw wanted
  }

  private func misspelt(_ token: Token) -> String? {
    let words = Vocabulary.statements + ["every", "exactly", "at", "no", "advice:", "optional:"]
    return Suggestion.nearest(to: token.text, in: words).map { "'\(token.text)' begins no line; did you mean '\($0)'?" }
  }

  /// Rule 5.
  private mutating func sequence(_ first: Mention) throws(Mistake) -> Rule.Form {
    let second = try mention()
    if cursor.peek?.isWord("before") == true {
      throw Mistake(
        column: cursor.column, message: "'A then B before C' reads like a deadline; write 'B within 5 s of A'")
    }
    return .both(
      .precedence(trigger: side(second, .any, .start), requirement: side(first, .ok, .end)),
      .response(trigger: side(first, .any, .end), requirement: side(second, .ok, .start), bound: nil))
  }

  /// Rule 6.
  private mutating func within(_ requirement: Mention) throws(Mistake) -> Rule.Form {
    let bound = try cursor.duration()
    try cursor.expect("of")
    let trigger = try mention()
    let moment: Side.Moment = cursor.accept("ending") ? .end : .start
    return .response(
      trigger: side(trigger, .any, moment), requirement: side(requirement, .ok, .end), bound: bound + tolerance)
  }

  /// Rules 1 and 2.
  private mutating func precedence(_ trigger: Mention, _ moment: Side.Moment?) throws(Mistake) -> Rule.Form {
    let requirement = try mention()
    let column = cursor.column
    let required = try self.moment()
    if required == .end && requirement.side == "sent" || moment == .end && trigger.side == "sent" {
      throw Mistake(column: column, message: "'(sent)' is about the start of a call, so it does not go with 'ends'")
    }
    return .precedence(
      trigger: side(trigger, .any, moment ?? .start), requirement: side(requirement, .ok, required ?? .end))
  }

  private mutating func moment() throws(Mistake) -> Side.Moment? {
    if cursor.accept("starts") { return .start }
    return cursor.accept("ends") ? .end : nil
  }
}

extension RuleParser {
  /// A declared name, and which of its occurrences count. An undeclared one is reported and the rule read on.
  private mutating func mention() throws(Mistake) -> Mention {
    let token = try cursor.word("a name")
    var mention = Mention(token: token, number: -1, side: nil)
    if let number = names.number(of: token.text) {
      mention.number = number
    } else {
      mistakes.append(undeclared(token))
    }
    if cursor.accept(symbol: "(") { mention.side = try bracketed(mention) }
    mentions.append(mention)
    return mention
  }

  private func undeclared(_ token: Token) -> Mistake {
    if Vocabulary.keywords.contains(token.text) {
      return Mistake(column: token.column, message: "expected a name, found the word '\(token.text)'; " + Self.forms)
    }
    let known = names.declarations.map(\.name)
    let hint = Suggestion.nearest(to: token.text, in: known).map { "did you mean '\($0)'?" }
    return Mistake(
      column: token.column,
      message: "'\(token.text)' is not declared; \(hint ?? "declare it with 'mark' or 'call'")")
  }

  private mutating func bracketed(_ mention: Mention) throws(Mistake) -> String {
    let column = cursor.column
    let side: String
    switch cursor.next()?.text {
    case "sent": side = "sent"
    case "answered": side = "answered"
    case "ok": side = "ok"
    case "any" where cursor.accept("outcome"): side = "any outcome"
    default:
      throw Mistake(column: column, message: "in brackets stands sent, answered, ok or any outcome")
    }
    try cursor.expect(symbol: ")")
    if mention.number >= 0, names[mention.number].isPoint {
      mistakes.append(
        Mistake(column: column, message: "'\(mention.token.text)' is a mark, and only calls are sent and answered"))
    }
    return side
  }

  /// The name in its role: what stands in brackets wins over the rule's own default, and a mark needs neither.
  private func side(_ mention: Mention, _ filter: Side.Filter, _ moment: Side.Moment) -> Side {
    var side = Side(name: mention.number, label: mention.token.text, filter: filter, moment: moment)
    if mention.number >= 0, names[mention.number].isPoint {
      (side.filter, side.moment, side.isPoint) = (.any, .start, true)
      return side
    }
    switch mention.side {
    case "sent": (side.filter, side.moment) = (.any, .start)
    case "answered": side.filter = .answered(nil)
    case "ok": side.filter = .ok
    case "any outcome": side.filter = .any
    default: break
    }
    return side
  }

  /// `before B` or `after B`, on the rules that a stretch makes sense for.
  private mutating func scope(of form: Rule.Form) throws(Mistake) -> Rule.Scope? {
    guard let word = cursor.peek, word.isWord("before") || word.isWord("after") else { return nil }
    if case .precedence = form {
      throw Mistake(column: word.column, message: "'only after' looks at the whole launch and takes no '\(word.text)'")
    }
    _ = cursor.next()
    let boundary = try mention()
    if boundary.side != nil {
      throw Mistake(column: boundary.token.endColumn, message: "a stretch begins or ends with a plain name")
    }
    return word.isWord("before")
      ? .before(side(boundary, .any, .start)) : .after(side(boundary, .any, .end))
  }

  private mutating func parseExceptions(_ form: inout Rule.Form) throws(Mistake) {
    guard let word = cursor.peek, cursor.accept("except") else { return }
    guard case .count(let side, let count, _) = form else {
      throw Mistake(column: word.column, message: "'except' goes with 'no', 'exactly', 'at most' and 'at least'")
    }
    var numbers: [Int] = []
    repeat { numbers.append(try mention().number) } while cursor.accept(symbol: ",")
    form = .count(side, count, except: numbers)
  }

  private mutating func parseTolerance(_ form: inout Rule.Form) throws(Mistake) {
    let column = cursor.column
    guard cursor.accept(symbol: "±") else { return }
    let wider = try cursor.duration()
    guard case .response(let trigger, let requirement, let bound?) = form else {
      throw Mistake(column: column, message: "'±' widens a time bound, and this rule has none")
    }
    form = .response(trigger: trigger, requirement: requirement, bound: bound - tolerance + wider)
  }

  /// A sentence about one thing twice always holds or never does, so it is a slip.
  private mutating func refuseSameNames() {
    for (index, mention) in mentions.enumerated() where mention.number >= 0 {
      guard let other = mentions[..<index].first(where: { $0.number >= 0 && isSame($0.number, mention.number) }) else {
        continue
      }
      let text = mention.token.text
      let message =
        other.number == mention.number
        ? "'\(text)' stands on both sides of this rule"
        : "'\(other.token.text)' and '\(text)' are declared alike, so this rule compares a thing with itself"
      mistakes.append(Mistake(column: mention.token.column, message: message))
    }
  }

  private func isSame(_ left: Int, _ right: Int) -> Bool {
    left == right || names[left].meaning == names[right].meaning && names[left].meaning != .unusable
  }
}
