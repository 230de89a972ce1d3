import LaunchDiagnostics

/// The beginnings of the sentences, and the functions that read on from there.
extension RuleParser {
  typealias Opening = @Sendable (inout RuleParser) throws(Mistake) -> Rule.Form
  typealias Relation = @Sendable (inout RuleParser, Party) throws(Mistake) -> Rule.Form

  /// Sentences that begin with words of the language.
  private static let openings: [(words: String, read: Opening)] = [
    ("every", { parser throws(Mistake) in try parser.response() }),
    ("each", { parser throws(Mistake) in try parser.ownPrecedence() }),
    ("no", { parser throws(Mistake) in try parser.none() }),
    ("exactly one of", { parser throws(Mistake) in try parser.exclusiveChoice() }),
    ("exactly", { parser throws(Mistake) in try parser.exactly() }),
    ("at most", { parser throws(Mistake) in try parser.atMost() }),
    ("at least", { parser throws(Mistake) in try parser.atLeast() }),
    ("if", { parser throws(Mistake) in try parser.coexistence() }),
    ("retries of", { parser throws(Mistake) in try parser.backoff() }),
    ("nothing after", { parser throws(Mistake) in try parser.nothingAfter() }),
    ("only these calls", { parser throws(Mistake) in try parser.onlyCalls() }),
    ("launch settles within", { parser throws(Mistake) in try parser.settling() }),
  ]

  /// What follows a name that begins a sentence.
  private static let relations: [(words: String, read: Relation)] = [
    ("only after", { parser, first throws(Mistake) in try parser.precedence(first, nil) }),
    ("starts only after", { parser, first throws(Mistake) in try parser.precedence(first, .start) }),
    ("ends only after", { parser, first throws(Mistake) in try parser.precedence(first, .end) }),
    ("then", { parser, first throws(Mistake) in try parser.sequence(first) }),
    ("within", { parser, first throws(Mistake) in try parser.within(first) }),
    ("at least", { parser, first throws(Mistake) in try parser.gap(first) }),
    ("and", { parser, first throws(Mistake) in try parser.turns(first) }),
    ("or", { parser, first throws(Mistake) in try parser.choice(first) }),
    ("right after", { parser, first throws(Mistake) in try parser.succession(first) }),
    ("one at a time", { parser, first throws(Mistake) in try parser.oneAtATime(first) }),
    ("never overlaps", { parser, first throws(Mistake) in try parser.separation(first) }),
    ("in order of", { parser, first throws(Mistake) in try parser.order(first, isSerial: false) }),
    ("uses", { parser, first throws(Mistake) in try parser.transfer(first) }),
    ("has", { parser, first throws(Mistake) in try parser.condition(first) }),
    ("is answered", { parser, first throws(Mistake) in try parser.status(first) }),
    ("is the first call", { parser, first throws(Mistake) in try parser.firstCall(first) }),
  ]

  /// What follows a field that begins a sentence.
  private static let fieldRelations:
    [(words: String, read: @Sendable (inout RuleParser, Token) throws(Mistake) -> Rule.Form)] = [
      ("of", { parser, field throws(Mistake) in try parser.equality(field) }),
      ("is the same in", { parser, field throws(Mistake) in try parser.sameness(field, isSame: true) }),
      ("differs in", { parser, field throws(Mistake) in try parser.sameness(field, isSame: false) }),
    ]

  /// The words that may begin a line: statements, modifiers and sentences.
  static var beginnings: [String] {
    Vocabulary.statements + ["advice", "optional"] + openings.map(\.words)
  }

  /// The words that tell sentences apart.
  static var phrases: [String] { openings.map(\.words) + relations.map(\.words) + fieldRelations.map(\.words) }

  mutating func sentence() throws(Mistake) -> Rule.Form {
    for (words, read) in Self.openings where cursor.accept(words) { return try read(&self) }
    return try beginsWithField ? fieldSentence() : relation()
  }

  /// Names and fields may look alike; what follows tells them apart.
  private var beginsWithField: Bool {
    guard let token = cursor.peek, token.kind == .word, token.text != "attempt", token.text != "attempts" else {
      return false
    }
    if Self.fieldRelations.contains(where: { cursor.sees($0.words, ahead: 1) }) { return true }
    return FieldPath.isLikely(token.text) && names.number(of: token.text) == nil
  }

  private mutating func fieldSentence() throws(Mistake) -> Rule.Form {
    let field = try cursor.word("a field")
    for (words, read) in Self.fieldRelations where cursor.accept(words) { return try read(&self, field) }
    throw cursor.unexpected()
  }

  private mutating func relation() throws(Mistake) -> Rule.Form {
    guard let start = cursor.peek, start.kind == .word, !isKeyword(start) else {
      throw cursor.expected("a name", "a field")
    }
    let place = cursor.index
    let first = try party()
    for (words, read) in Self.relations where cursor.accept(words) { return try read(&self, first) }
    // A misspelt first word is the likelier mistake when it is no name at all.
    if first.number < 0, cursor.index == place + 1 {
      mistakes.removeLast()
      throw misread(start)
    }
    throw cursor.unexpected()
  }

  private func isKeyword(_ token: Token) -> Bool {
    Vocabulary.keywords.contains(token.text) && token.text != "attempt" && token.text != "attempts"
  }

  /// The mistake that a line begins with neither a name nor a word that begins lines.
  private func misread(_ token: Token) -> Mistake {
    let firstWords = Self.beginnings.map { $0.prefix { $0 != " " } }.map(String.init)
    if let nearest = Suggestion.nearest(to: token.text, in: firstWords) {
      let meant = Self.beginnings.first { $0.hasPrefix(nearest) } ?? nearest
      return Mistake(column: token.column, message: "'\(token.text)' begins no line; did you mean '\(meant)'?")
    }
    let words = Self.openings.map { "'\($0.words)'" }
    return Mistake(
      column: token.column,
      message: "'\(token.text)' begins no rule; rules begin with a declared name, a field or "
        + words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")")
  }
}
