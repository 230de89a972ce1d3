/// Walks over the tokens of one line.
struct TokenCursor {
  let tokens: [Token]
  private(set) var index = 0

  init(_ tokens: [Token]) { self.tokens = tokens }

  var peek: Token? { index < tokens.count ? tokens[index] : nil }
  var isAtEnd: Bool { index >= tokens.count }

  /// The column of the next token, or the one after the last.
  var column: Int { peek?.column ?? tokens.last?.endColumn ?? 1 }

  /// What the next token is, for messages: `'within'`, or `the end of the line`.
  var found: String {
    switch peek {
    case nil: "the end of the line"
    case .some(let token) where token.kind == .string: "\"\(token.text)\""
    case .some(let token) where token.kind == .label: "[\(token.text)]"
    case .some(let token): "'\(token.text)'"
    }
  }

  mutating func next() -> Token? {
    defer { index += 1 }
    return peek
  }

  mutating func accept(_ word: String) -> Bool {
    guard let peek, peek.isWord(word) else { return false }
    index += 1
    return true
  }

  mutating func accept(symbol: String) -> Bool {
    guard let peek, peek.isSymbol(symbol) else { return false }
    index += 1
    return true
  }

  mutating func expect(_ words: String..., because hint: String = "") throws(Mistake) {
    for word in words where !accept(word) { throw expected("'\(word)'" + hint) }
  }

  mutating func expect(symbol: String, because hint: String = "") throws(Mistake) {
    if !accept(symbol: symbol) { throw expected("'\(symbol)'" + hint) }
  }

  mutating func word(_ what: String) throws(Mistake) -> Token {
    guard let peek, peek.kind == .word else { throw expected(what) }
    index += 1
    return peek
  }

  mutating func string(_ what: String) throws(Mistake) -> Token {
    guard let peek, peek.kind == .string else { throw expected(what) }
    index += 1
    return peek
  }

  mutating func label() -> Token? {
    guard let peek, peek.kind == .label else { return nil }
    index += 1
    return peek
  }

  func expectEnd(after what: String) throws(Mistake) {
    if !isAtEnd { throw Mistake(column: column, message: "\(found) cannot follow \(what)") }
  }

  func expected(_ what: String, hint: String? = nil) -> Mistake {
    Mistake(column: column, message: "expected \(what), found \(found)" + (hint.map { "; " + $0 } ?? ""))
  }
}

extension TokenCursor {
  /// A whole number of decimal digits.
  mutating func count(_ what: String) throws(Mistake) -> Int {
    let token = try word(what)
    guard token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw Mistake(column: token.column, message: "expected \(what), found '\(token.text)'")
    }
    guard let number = Int(token.text), number <= 1_000_000_000 else {
      throw Mistake(column: token.column, message: "'\(token.text)' is more than 1000000000")
    }
    return number
  }

  /// `5 ms`, `5ms` or `0.25 s`, exactly, in microseconds.
  mutating func duration() throws(Mistake) -> Int64 {
    let token = try word("a duration such as '5 ms'")
    let digits = token.text.prefix { "0123456789.".contains($0) }
    var unit = String(token.text.dropFirst(digits.count))
    var unitColumn = token.column + digits.count
    if unit.isEmpty, !digits.isEmpty {
      let units = "a unit (us, ms, s, min)"
      let next = try word(units)
      (unit, unitColumn) = (next.text, next.column)
    }
    guard !digits.isEmpty else {
      throw Mistake(column: token.column, message: "expected a duration such as '5 ms', found '\(token.text)'")
    }
    guard let scale = Self.units[unit] else {
      throw Mistake(column: unitColumn, message: "unknown unit '\(unit)'; the units are us, ms, s and min")
    }
    return try Self.microseconds(digits, scale: scale, column: token.column)
  }

  private static let units: [String: Int64] = ["us": 1, "ms": 1000, "s": 1_000_000, "min": 60_000_000]

  private static func microseconds(_ digits: Substring, scale: Int64, column: Int) throws(Mistake) -> Int64 {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard !parts[0].isEmpty, parts.count == 1 || !fraction.isEmpty, !fraction.contains(".") else {
      throw Mistake(column: column, message: "'\(digits)' is not a number")
    }
    let longest: Int64 = 1_000_000_000_000_000
    guard let whole = Int64(parts[0]), whole <= longest / scale else {
      throw Mistake(column: column, message: "this duration is longer than 30 years")
    }
    var (total, unit) = (whole * scale, scale)
    for digit in fraction {
      guard let digit = digit.wholeNumberValue, digit == 0 || unit % 10 == 0 else {
        throw Mistake(column: column, message: "times are whole microseconds, and this one is finer")
      }
      if digit != 0 || unit % 10 == 0 { unit /= 10 }
      total += Int64(digit) * unit
    }
    return total
  }
}
