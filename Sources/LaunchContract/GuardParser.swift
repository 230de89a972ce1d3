/// Reads the head of a block: `when att.answered status = 3:`.
struct GuardParser {
  private let line: SourceFile.Line
  private var cursor: TokenCursor
  private let names: Names
  /// As of a `RuleParser`.
  private let hasHints: Bool

  init(_ line: SourceFile.Line, names: Names, hasHints: Bool) {
    self.line = line
    self.hasHints = hasHints
    cursor = TokenCursor(line.tokens)
    self.names = names
  }

  mutating func parse() throws(Mistake) -> Rule.Guard {
    let column = cursor.column
    try cursor.expect("when")
    let (name, joined) = try mark()
    let token = if let joined { joined } else { try cursor.word("a field such as status") }
    let field = try FieldPath(parsing: marked(token), of: .mark)
    let condition = Condition(field: field, test: try cursor.test())
    let endColumn = cursor.column
    try cursor.expect(symbol: ":")
    if !cursor.isAtEnd {
      throw Mistake(column: cursor.column, message: "the rules of a block stand on lines of their own, indented")
    }
    let text = line.text(from: column, to: endColumn).trimmingBlanks
    return Rule.Guard(name: name, condition: condition, text: text)
  }

  /// The longest declared mark that the word begins with; what follows behind a dot is its field.
  private mutating func mark() throws(Mistake) -> (Int, field: Token?) {
    let token = try cursor.word("a mark")
    var end = token.text.endIndex
    while true {
      if let number = names.number(of: String(token.text[..<end])) {
        try requireMark(number, token)
        if end == token.text.endIndex { return (number, nil) }
        var field = token
        field.text = String(token.text[token.text.index(after: end)...])
        field.column += token.text.distance(from: token.text.startIndex, to: end) + 1
        return (number, field)
      }
      guard let dot = token.text[..<end].lastIndex(of: ".") else { break }
      end = dot
    }
    let marks = names.declarations.lazy.filter { if case .mark = $0.meaning { true } else { false } }.map(\.name)
    let beginnings = [token.text, token.text.split(separator: ".").dropLast().joined(separator: ".")]
    let nearest = hasHints ? beginnings.lazy.compactMap { Suggestion.nearest(to: $0, in: marks) }.first : nil
    let hint = nearest.map { "did you mean '\($0)'?" }
    throw Mistake(
      column: token.column, message: "'\(token.text)' is not declared; \(hint ?? "declare it with 'mark'")")
  }

  private func requireMark(_ number: Int, _ token: Token) throws(Mistake) {
    switch names[number].meaning {
    case .mark, .unusable: return
    default:
      throw Mistake(
        column: token.column, message: "'\(names[number].name)' is no declared mark, and 'when' asks for a field of one"
      )
    }
  }

  /// The field with the root that fields of marks have, which may be left out here.
  private func marked(_ field: Token) -> Token {
    guard !field.text.hasPrefix("mark.") else { return field }
    var field = field
    field.text = "mark." + field.text
    return field
  }
}
