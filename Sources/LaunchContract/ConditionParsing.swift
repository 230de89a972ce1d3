/// Conditions and statuses, which declarations and rules share.
extension TokenCursor {
  /// `FIELD test and FIELD test`.
  mutating func conditions(of owner: FieldPath.Owner) throws(Mistake) -> [Condition] {
    var conditions: [Condition] = []
    repeat {
      let field = try FieldPath(parsing: try word("a field such as \(owner.example)"), of: owner)
      conditions.append(Condition(field: field, test: try test()))
    } while accept("and")
    return conditions
  }

  /// What stands behind a field: `exists`, `not exists`, `= 3`, `matches "4*"`, `in {3, 4}`, `< 5`.
  mutating func test() throws(Mistake) -> Condition.Test {
    if accept("exists") { return .exists }
    if accept("not exists") { return .isMissing }
    if accept(symbol: "=") { return .equals(try literal()) }
    if accept(symbol: "!=") { return .differs(try literal()) }
    if accept("matches") { return .matches(try pattern()) }
    if accept("in") { return .isOne(of: try literals()) }
    for comparison in [Condition.Comparison.less, .atMost, .greater, .atLeast] where accept(symbol: comparison.rawValue)
    {
      let column = column
      let literal = try literal("a number")
      guard literal.isNumber else {
        throw Mistake(column: column, message: "'\(literal.text)' is no number to compare with")
      }
      return .compares(comparison, literal)
    }
    throw unexpected()
  }

  private mutating func literal(_ what: String = "a value: a number, a word or a text in quotes") throws(Mistake)
    -> Literal
  {
    guard let token = peek, token.kind == .word || token.kind == .string else { throw expected(what) }
    _ = next()
    return Literal(token.text)
  }

  private mutating func literals() throws(Mistake) -> [Literal] {
    var literals: [Literal] = []
    var seen: Set<Literal> = []
    try expect(symbol: "{")
    repeat {
      let column = column
      let literal = try literal()
      if !seen.insert(literal).inserted {
        throw Mistake(column: column, message: "'\(literal.text)' stands here twice")
      }
      literals.append(literal)
    } while accept(symbol: ",")
    try expect(symbol: "}")
    return literals
  }

  private mutating func pattern() throws(Mistake) -> TextPattern {
    let token = try string("a text in quotes, such as \"https://*\"")
    guard token.text.contains("*") else {
      throw Mistake(column: token.column, message: "a text without '*' matches only itself; write = \"\(token.text)\"")
    }
    guard !token.text.allSatisfy({ $0 == "*" }) else {
      throw Mistake(column: token.column, message: "'*' alone matches everything; write 'exists'")
    }
    return TextPattern(token.text)
  }

  /// `2xx, 409`.
  mutating func statuses() throws(Mistake) -> StatusSet {
    var ranges: [ClosedRange<Int>] = []
    repeat {
      let token = try word("a status such as 2xx or 409")
      guard let range = Self.statuses(token.text) else {
        throw Mistake(column: token.column, message: "'\(token.text)' is no status; write 2xx or 409")
      }
      if ranges.contains(where: { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }) {
        throw Mistake(column: token.column, message: "'\(token.text)' stands here already")
      }
      ranges.append(range)
    } while accept(symbol: ",")
    return StatusSet(ranges: ranges)
  }

  private static func statuses(_ text: String) -> ClosedRange<Int>? {
    guard text.utf8.count == 3, let hundred = text.first?.wholeNumberValue, (1...5).contains(hundred) else {
      return nil
    }
    if text.hasSuffix("xx") { return (hundred * 100)...(hundred * 100 + 99) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text) else { return nil }
    return status...status
  }
}
