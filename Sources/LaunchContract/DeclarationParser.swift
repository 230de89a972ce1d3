/// Reads one `mark` or `call` line.
struct DeclarationParser {
  private var cursor: TokenCursor
  /// What was declared before a mistake, too: the names exist even if the line is wrong.
  private(set) var declarations: [(Token, Declaration.Meaning)] = []

  init(_ cursor: TokenCursor) { self.cursor = cursor }

  mutating func parse() throws(Mistake) {
    if cursor.accept("mark") { try parseMarks() } else { try parseCall() }
  }

  /// `mark a, b`, the text being the name itself, or `mark a = "text" or "text" where …`.
  private mutating func parseMarks() throws(Mistake) {
    _ = cursor.accept("mark")
    try declareMark()
    if cursor.accept(symbol: "=") { return try parseTexts() }
    while cursor.accept(symbol: ",") { try declareMark() }
    if cursor.peek?.isSymbol("=") == true {
      throw Mistake(column: cursor.column, message: "a list of marks takes no '='; give this mark a line of its own")
    }
    if cursor.peek?.isWord("where") == true {
      throw Mistake(column: cursor.column, message: "'where' follows a mark's text, as in a = \"text\" where …")
    }
    guard cursor.isAtEnd else { throw cursor.expected("'=', ',' or the end of the line") }
  }

  private mutating func declareMark() throws(Mistake) {
    let token = try name()
    declarations.append((token, .mark(MarkPattern(texts: [token.text]))))
  }

  private mutating func parseTexts() throws(Mistake) {
    var texts: [String] = []
    repeat {
      let token = try cursor.string("the mark's text in quotes")
      if token.text.isEmpty { throw Mistake(column: token.column, message: "a mark's text is not empty") }
      if texts.contains(token.text) {
        throw Mistake(column: token.column, message: "\"\(token.text)\" stands here twice")
      }
      texts.append(token.text)
    } while cursor.accept("or")
    let conditions = cursor.accept("where") ? try parseConditions(of: .mark) : []
    guard cursor.isAtEnd else {
      throw cursor.expected((conditions.isEmpty ? "'or', 'where'" : "'and'") + " or the end of the line")
    }
    declarations[0].1 = .mark(MarkPattern(texts: texts, conditions: conditions))
  }

  /// `call NAME = METHOD URL`, then in any order `where …`, `ok …` and `attempts by …`.
  private mutating func parseCall() throws(Mistake) {
    try cursor.expect("call")
    let name = try name()
    declarations.append((name, .unusable))
    try cursor.expect(symbol: "=")
    let method = try self.method()
    let url = try LocationPattern(parsing: try cursor.word("a URL"))
    var call = CallDeclaration(pattern: CallPattern(method: method, url: url, conditions: []))
    var seen: Set<String> = []
    while let clause = cursor.peek {
      if !seen.insert(clause.text).inserted {
        throw Mistake(column: clause.column, message: "'\(clause.text)' stands here twice")
      }
      if cursor.accept("where") {
        call.pattern.conditions = try parseConditions(of: .request)
      } else if cursor.accept("ok") {
        call.success = try parseStatuses()
      } else if cursor.accept("attempts") {
        try cursor.expect("by")
        let field = try cursor.word("a field such as form.created_at")
        call.attemptField = try FieldPath(parsing: field, of: .request)
      } else {
        throw cursor.expected("'where', 'ok', 'attempts by' or the end of the line")
      }
    }
    declarations[0].1 = .call(call)
  }

  /// A new name. One that cannot be is declared all the same, so that the rules which use it are not blamed.
  private mutating func name() throws(Mistake) -> Token {
    let token = try cursor.word("a name")
    if Vocabulary.isName(token.text), !Vocabulary.keywords.contains(token.text) { return token }
    declarations.append((token, .unusable))
    let reason =
      Vocabulary.keywords.contains(token.text)
      ? "is a word of the language; a name may contain it"
      : "is no name; names are letters, digits, '_' and '-', with dots between"
    throw Mistake(column: token.column, message: "'\(token.text)' \(reason)")
  }

  private mutating func method() throws(Mistake) -> String? {
    let token = try cursor.word("a method such as GET, or ANY")
    if token.text == "ANY" { return nil }
    guard token.text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D }) else {
      throw Mistake(
        column: token.column, message: "'\(token.text)' is no method; methods are upper case, and ANY is each")
    }
    return token.text
  }

  private mutating func parseConditions(of owner: FieldPath.Owner) throws(Mistake) -> [Condition] {
    var conditions: [Condition] = []
    repeat {
      let field = try FieldPath(parsing: try cursor.word("a field such as \(owner.example)"), of: owner)
      conditions.append(Condition(field: field, test: try parseTest()))
    } while cursor.accept("and")
    return conditions
  }

  private mutating func parseTest() throws(Mistake) -> Condition.Test {
    if cursor.accept("exists") { return .exists }
    if cursor.accept(symbol: "=") { return .equals(try literal()) }
    if cursor.accept(symbol: "!=") { return .differs(try literal()) }
    throw cursor.expected("'exists', '=' or '!='")
  }

  private mutating func literal() throws(Mistake) -> Literal {
    guard let token = cursor.peek, token.kind == .word || token.kind == .string else {
      throw cursor.expected("a value: a number, a word or a text in quotes")
    }
    _ = cursor.next()
    return Literal(token.text)
  }

  private mutating func parseStatuses() throws(Mistake) -> StatusSet {
    var ranges: [ClosedRange<Int>] = []
    repeat {
      let token = try cursor.word("a status such as 2xx or 409")
      guard let range = Self.statuses(token.text) else {
        throw Mistake(column: token.column, message: "'\(token.text)' is no status; write 2xx or 409")
      }
      ranges.append(range)
    } while cursor.accept(symbol: ",")
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
