/// Walks over the tokens of one line, and remembers what would have been right where it could not go on.
///
/// What a mistake says was expected is what the parser tried there, so the two cannot disagree.
struct TokenCursor {
  let tokens: [Token]
  private(set) var index = 0
  /// What was tried in vain since the last step, at the furthest place that a phrase got to.
  private var wanted: [Wanted] = []
  private var wantedPlace = 0

  /// Words of the language, or what they stand for.
  private struct Wanted: Hashable {
    var text: String
    var isWords: Bool

    var shown: String { isWords ? "'\(text)'" : text }
  }

  init(_ tokens: [Token]) { self.tokens = tokens }

  var peek: Token? { token(at: index) }
  var isAtEnd: Bool { index >= tokens.count }

  /// The column of the next token, or the one after the last.
  var column: Int { column(at: index) }

  func token(at place: Int) -> Token? { tokens.indices.contains(place) ? tokens[place] : nil }

  /// Whether the words of the phrase come next.
  func sees(_ phrase: String, ahead: Int = 0) -> Bool {
    phrase.split(separator: " ").enumerated().allSatisfy { offset, word in
      token(at: index + ahead + offset)?.isWord(word) ?? false
    }
  }

  mutating func next() -> Token? {
    defer { advance(to: index + 1) }
    return peek
  }

  /// Steps over one or more words if all of them come next.
  mutating func accept(_ phrase: String) -> Bool {
    guard let peek, peek.kind == .word, phrase.hasPrefix(peek.text) else {
      want(phrase, at: index)
      return false
    }
    var place = index
    for word in phrase.split(separator: " ") {
      guard let token = token(at: place), token.isWord(word) else {
        want(place == index ? phrase : String(word), at: place)
        return false
      }
      place += 1
    }
    advance(to: place)
    return true
  }

  /// The same for what is rarely meant: the words are not named among those that would have been right.
  mutating func acceptSilently(_ phrase: String) -> Bool { sees(phrase) && accept(phrase) }

  mutating func acceptSilently(symbol: String) -> Bool { peek?.isSymbol(symbol) == true && accept(symbol: symbol) }

  mutating func accept(symbol: String) -> Bool {
    guard let peek, peek.isSymbol(symbol) else {
      want(symbol, at: index)
      return false
    }
    advance(to: index + 1)
    return true
  }

  mutating func expect(_ phrase: String) throws(Mistake) {
    if !accept(phrase) { throw unexpected() }
  }

  mutating func expect(symbol: String) throws(Mistake) {
    if !accept(symbol: symbol) { throw unexpected() }
  }

  mutating func word(_ what: String) throws(Mistake) -> Token { try token(of: .word, what) }

  mutating func string(_ what: String) throws(Mistake) -> Token { try token(of: .string, what) }

  mutating func label() -> Token? { peek?.kind == .label ? next() : nil }

  mutating func expectEnd() throws(Mistake) {
    if !isAtEnd { throw expected("the end of the line") }
  }

  /// The mistake that neither one of these nor anything that was tried before came next.
  mutating func expected(_ choices: String...) -> Mistake {
    for choice in choices { want(choice, isWords: false, at: index) }
    return unexpected()
  }

  /// The mistake that nothing of what was tried came next.
  func unexpected() -> Mistake {
    var names: [String] = []
    for choice in wanted.map(\.shown) where !names.contains(choice) { names.append(choice) }
    let choices = names.dropLast().joined(separator: ", ")
    let list = choices.isEmpty ? names.last ?? "" : "\(choices) or \(names.last ?? "")"
    let column = column(at: wantedPlace)
    return Mistake(column: column, message: "expected \(list), found \(found(at: wantedPlace))\(suggestion)")
  }

  private mutating func token(of kind: Token.Kind, _ what: String) throws(Mistake) -> Token {
    guard let peek, peek.kind == kind else { throw expected(what) }
    advance(to: index + 1)
    return peek
  }

  private mutating func advance(to place: Int) {
    index = place
    wanted = []
    wantedPlace = place
  }

  private mutating func want(_ what: String, isWords: Bool = true, at place: Int) {
    if place > wantedPlace { (wanted, wantedPlace) = ([], place) }
    if place == wantedPlace { wanted.append(Wanted(text: what, isWords: isWords)) }
  }

  private func column(at place: Int) -> Int { token(at: place)?.column ?? tokens.last?.endColumn ?? 1 }

  private func found(at place: Int) -> String { token(at: place)?.shown ?? "the end of the line" }

  /// The wanted phrase that begins with a word like the one found.
  private var suggestion: String {
    guard let token = token(at: wantedPlace), token.kind == .word else { return "" }
    let phrases = wanted.filter(\.isWords).map(\.text)
    guard wanted.count > 1 else { return "" }
    let firstWords = phrases.map { String($0.prefix { $0 != " " }) }.filter { $0.count > 2 }
    // The end of a phrase whose beginning was left out: `after` for `only after`.
    let meant =
      phrases.first { $0.hasSuffix(" \(token.text)") }
      ?? Suggestion.nearest(to: token.text, in: firstWords).flatMap { nearest in
        phrases.first { $0.prefix { $0 != " " } == nearest }
      }
    return meant.map { "; did you mean '\($0)'?" } ?? ""
  }
}
