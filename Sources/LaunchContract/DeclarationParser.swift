/// Reads one `mark` or `call` line.
struct DeclarationParser {
  private var cursor: TokenCursor
  /// What was declared before a mistake, too: the names exist even if the line is wrong.
  private(set) var declarations: [Declaration] = []

  init(_ tokens: [Token]) { cursor = TokenCursor(tokens) }

  mutating func parse() throws(Mistake) {
    if cursor.accept("mark") { try parseMarks() } else { try parseCall() }
  }

  /// `mark a, b`, the text being the name itself, or `mark a = "text" or "text" where … key …`.
  private mutating func parseMarks() throws(Mistake) {
    try declareMark()
    if cursor.accept(symbol: "=") { return try parseTexts() }
    while cursor.accept(symbol: ",") { try declareMark() }
    if cursor.peek?.isSymbol("=") == true {
      throw Mistake(column: cursor.column, message: "a list of marks takes no '='; give this mark a line of its own")
    }
    if let word = cursor.peek, word.isWord("where") || word.isWord("key") {
      throw Mistake(
        column: word.column, message: "'\(word.text)' follows a mark's text, as in a = \"text\" \(word.text) …")
    }
    try cursor.expectEnd()
  }

  private mutating func declareMark() throws(Mistake) {
    let token = try name()
    declare(token, .mark(MarkPattern(texts: [token.text])))
  }

  private mutating func parseTexts() throws(Mistake) {
    var texts: [String] = []
    var seen: Set<String> = []
    repeat {
      let token = try cursor.string("the mark's text in quotes")
      if token.text.isEmpty { throw Mistake(column: token.column, message: "a mark's text is not empty") }
      if !seen.insert(token.text).inserted {
        throw Mistake(column: token.column, message: "\"\(token.text)\" stands here twice")
      }
      texts.append(token.text)
    } while cursor.accept("or")
    var conditions: [Condition] = []
    let column = cursor.column
    if cursor.accept("where") {
      conditions = try cursor.conditions(of: .mark)
      try refuseContradictions(conditions, column)
    }
    if cursor.accept("key") {
      declarations[0].key = try FieldPath(parsing: try cursor.word("a field such as mark.id"), of: .mark)
    }
    try cursor.expectEnd()
    declarations[0].meaning = .mark(MarkPattern(texts: texts, conditions: conditions))
  }

  /// `call NAME = METHOD URL`, then in any order `where …`, `ok …`, `attempts by …`, `key …` and `order …`.
  private mutating func parseCall() throws(Mistake) {
    try cursor.expect("call")
    declare(try name(), .unusable)
    try cursor.expect(symbol: "=")
    let method = try self.method()
    let url = try LocationPattern(parsing: try cursor.word("a URL"))
    var call = CallDeclaration(pattern: CallPattern(method: method, url: url, conditions: []))
    var seen: Set<String> = []
    while let clause = cursor.peek {
      let isNew = seen.insert(clause.text).inserted
      if cursor.accept("where") {
        call.pattern.conditions = try cursor.conditions(of: .request)
        try refuseContradictions(call.pattern.conditions, clause.column, method: method)
      } else if cursor.accept("ok") {
        call.success = try cursor.statuses()
      } else if cursor.accept("attempts by") {
        call.attemptField = try requestField(after: "attempts by")
      } else if cursor.accept("key") {
        declarations[0].key = try requestField(after: "key")
      } else if cursor.accept("order") {
        declarations[0].order = try requestField(after: "order")
      } else {
        throw cursor.expected("the end of the line")
      }
      if !isNew { throw Mistake(column: clause.column, message: "'\(clause.text)' stands here twice") }
    }
    declarations[0].meaning = .call(call)
  }

  private mutating func requestField(after clause: String) throws(Mistake) -> FieldPath {
    try FieldPath(parsing: try cursor.word("a field such as form.created_at"), of: .request, after: clause)
  }

  /// A new name. One that cannot be is declared all the same, so that the rules which use it are not blamed.
  private mutating func name() throws(Mistake) -> Token {
    let token = try cursor.word("a name")
    if Vocabulary.isName(token.text), !Vocabulary.keywords.contains(token.text) { return token }
    declare(token, .unusable)
    let reason =
      Vocabulary.keywords.contains(token.text)
      ? "is a word of the language; a name may contain it"
      : "is no name; names are letters, digits, '_' and '-', with dots between"
    throw Mistake(column: token.column, message: "'\(token.text)' \(reason)")
  }

  private mutating func declare(_ token: Token, _ meaning: Declaration.Meaning) {
    declarations.append(Declaration(name: token.text, meaning: meaning, column: token.column))
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

  /// Conditions that nothing passes make a name that never matches.
  private func refuseContradictions(
    _ conditions: [Condition], _ column: Int, method: String? = nil
  ) throws(Mistake) {
    if let method {
      for condition in conditions
      where condition.field.root == .method && !condition.passes(Literal(method)) {
        throw Mistake(
          column: column, message: "this 'where' never matches: the method is \(method), never \(condition.test.text)")
      }
    }
    for (index, condition) in conditions.enumerated() {
      guard let other = conditions[..<index].first(where: { $0.excludes(condition) }) else { continue }
      let field = condition.field.text
      throw Mistake(
        column: column,
        message: "this 'where' never matches: \(field) cannot be \(other.test.text) and \(condition.test.text) at once")
    }
  }
}
