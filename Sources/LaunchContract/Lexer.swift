import LaunchDiagnostics

/// What is wrong in one line, before it becomes a `Diagnostic`.
struct Mistake: Error {
  /// Counted from 1, in characters.
  var column: Int
  var message: String
}

/// A piece of a line.
struct Token: Hashable {
  enum Kind: Hashable {
    /// A keyword, name, number, field, method or URL.
    case word
    /// A quoted text, its escapes undone.
    case string
    /// One of `= != < <= > >= , ( ) { } ± % :`.
    case symbol
    /// `[R10]`, its brackets left out.
    case label
  }

  var kind: Kind
  var text: String
  /// Where the token starts, counted from 1 in characters.
  var column: Int
  /// The column after its last character.
  var endColumn: Int

  /// As messages name it: `'within'`.
  var shown: String {
    switch kind {
    case .word, .symbol: "'\(text)'"
    case .string: "\"\(text)\""
    case .label: "[\(text)]"
    }
  }

  func isWord(_ text: some StringProtocol) -> Bool { kind == .word && self.text == text }
  func isSymbol(_ text: String) -> Bool { kind == .symbol && self.text == text }
}

/// Cuts one line into tokens and its comment.
struct Lexer {
  private(set) var tokens: [Token] = []
  /// The text after `#`, white space around it left out; nil without a comment.
  private(set) var comment: String?
  private let characters: [Character]
  private var index = 0

  init(_ text: String) throws(Mistake) {
    characters = Array(text)
    while index < characters.count {
      let character = characters[index]
      if character == " " || character == "\t" {
        index += 1
      } else if character == "#" {
        comment = String(characters[(index + 1)...]).trimmingBlanks
        return
      } else {
        try appendToken()
      }
    }
  }

  private mutating func appendToken() throws(Mistake) {
    let start = index
    let (kind, text): (Token.Kind, String)
    switch characters[index] {
    case "\"": (kind, text) = (.string, try quoted())
    case "[": (kind, text) = (.label, try label())
    case "=", ",", "(", ")", "{", "}", "±", "%", ":":
      (kind, text) = (.symbol, String(characters[index]))
      index += 1
    case "<", ">":
      let isPair = index + 1 < characters.count && characters[index + 1] == "="
      (kind, text) = (.symbol, String(characters[index]) + (isPair ? "=" : ""))
      index += isPair ? 2 : 1
    case "!":
      guard index + 1 < characters.count, characters[index + 1] == "=" else {
        throw Mistake(column: start + 1, message: "'!' stands only in '!='")
      }
      (kind, text) = (.symbol, "!=")
      index += 2
    case "\u{201C}", "\u{201D}", "\u{201E}":
      throw Mistake(column: start + 1, message: "texts stand in straight quotes (\")")
    default: (kind, text) = (.word, try word())
    }
    tokens.append(Token(kind: kind, text: text, column: start + 1, endColumn: index + 1))
  }

  private mutating func quoted() throws(Mistake) -> String {
    let start = index
    var text = ""
    index += 1
    while index < characters.count {
      let character = characters[index]
      index += 1
      if character == "\"" { return text }
      try refuseControl(character, at: index)
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard index < characters.count, characters[index] == "\"" || characters[index] == "\\" else {
        throw Mistake(column: index, message: "a backslash stands only before a quote or a backslash")
      }
      text.append(characters[index])
      index += 1
    }
    throw Mistake(column: start + 1, message: "this text has no closing quote")
  }

  private mutating func label() throws(Mistake) -> String {
    let start = index
    guard let end = characters[index...].firstIndex(of: "]") else {
      throw Mistake(column: start + 1, message: "this rule name has no closing ']'")
    }
    index = end + 1
    let text = String(characters[(start + 1)..<end]).trimmingBlanks
    for character in text { try refuseControl(character, at: start + 1) }
    if text.isEmpty {
      throw Mistake(column: start + 1, message: "a rule name stands between the brackets, as in [R10]")
    }
    return text
  }

  /// A word runs to white space or punctuation. A URL runs to white space; the quoted keys of a field belong to the word.
  private mutating func word() throws(Mistake) -> String {
    var text = ""
    var isURL = false
    while index < characters.count, !characters[index].isBlank, isURL || !endsWord(after: text) {
      let character = characters[index]
      if character == "\"", text.hasSuffix(".") {
        let start = index
        _ = try quoted()
        text += String(characters[start..<index])
        continue
      }
      try refuseControl(character, at: index + 1)
      text.append(character)
      index += 1
      if character == "/", text.hasSuffix("://") { isURL = true }
    }
    return text
  }

  /// Whether the next character stands for itself. A quote belongs to the word behind a dot, `:` and `%` in the middle.
  private func endsWord(after text: String) -> Bool {
    switch characters[index] {
    case "\"": !text.hasSuffix(".")
    case ":", "%": index + 1 == characters.count || characters[index + 1].isBlank || characters[index + 1].isPunctuating
    case let character: character.isPunctuating
    }
  }

  private func refuseControl(_ character: Character, at column: Int) throws(Mistake) {
    if character.isASCII, let value = character.asciiValue, (0x20..<0x7F).contains(value) { return }
    for scalar in character.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar != "\t":
        throw Mistake(column: column, message: "the control character \(scalar.codePoint) cannot stand here")
      case .spaceSeparator where scalar != " ":
        throw Mistake(column: column, message: "\(scalar.codePoint) is not an ordinary space")
      default: continue
      }
    }
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }

  /// Punctuation that stands for itself wherever it occurs outside texts and URLs.
  fileprivate var isPunctuating: Bool {
    switch self {
    case "=", "<", ">", ",", "(", ")", "{", "}", "#", "±", "\"", "!": true
    default: false
    }
  }
}

extension String {
  var trimmingBlanks: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}

extension Unicode.Scalar {
  /// `U+00A0`.
  var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
