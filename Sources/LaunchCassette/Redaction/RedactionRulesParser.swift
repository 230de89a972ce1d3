public import LaunchDiagnostics
import LaunchHTTP

extension RedactionRules {
  /// Reads a rules file: one rule a line, `#` begins a comment.
  /// - Parameter file: What messages call it.
  /// - Throws: `DiagnosticsError` with every mistake of the file.
  public init(parsing text: String, file: String) throws(DiagnosticsError) {
    rules = []
    var diagnostics: [Diagnostic] = []
    // Some editors put a byte order mark before a text.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    for (index, line) in lines.enumerated() {
      do throws(Mistake) {
        guard line.utf8.count <= lineLimit else {
          throw Mistake(column: 1, message: "this line has more than \(lineLimit) bytes, which no rule needs")
        }
        if let place = line.firstIndex(where: { $0 == "\0" || $0 == "\u{FFFD}" }) {
          throw Mistake(
            column: line.distance(from: line.startIndex, to: place) + 1,
            message: "this is no text in UTF-8, as a rules file must be; save it in that encoding")
        }
        var parser = RuleParser(line)
        let column = parser.column
        guard var rule = try parser.rule() else { continue }
        rule.source = Source(file: file, line: index + 1, column: column, text: String(line))
        rules.append(rule)
      } catch {
        diagnostics.append(
          Diagnostic(
            file: file, line: index + 1, column: error.column, severity: .error, message: error.message,
            sourceLine: String(line.prefix(lineLimit))))
      }
    }
    if !diagnostics.isEmpty { throw DiagnosticsError(diagnostics) }
  }
}

/// Words are looked up among known ones at a cost that grows with the square of their length.
private let lineLimit = 1000

private struct Mistake: Error {
  var column: Int
  var message: String
}

/// A word of a line.
private struct Token {
  var text: Substring
  /// Counted from 1, in characters.
  var column: Int
}

/// Reads one line: `redact header X-Tenant as tenant on api.example.com`.
private struct RuleParser {
  private var tokens: ArraySlice<Token>
  /// Where the line ends.
  private let endColumn: Int

  init(_ line: Substring) {
    var tokens: [Token] = []
    for (index, character) in line.enumerated() {
      if character == " " || character == "\t" { continue }
      let place = line.index(line.startIndex, offsetBy: index)
      if let last = tokens.last, last.text.endIndex == place {
        tokens[tokens.count - 1].text = line[last.text.startIndex...place]
      } else if character == "#" {
        break
      } else {
        tokens.append(Token(text: line[place...place], column: index + 1))
      }
    }
    self.tokens = tokens[...]
    endColumn = (tokens.last.map { $0.column + $0.text.count }) ?? 1
  }

  /// Where what is not read yet begins.
  var column: Int { tokens.first?.column ?? endColumn }

  /// The rule of the line; nil for a line without one.
  mutating func rule() throws(Mistake) -> RedactionRules.Rule? {
    guard let verb = tokens.popFirst() else { return nil }
    guard let action = Verb(rawValue: String(verb.text)) else { throw unknown(verb, "rule", Verb.self) }
    let place = try self.place(action)
    let kind = try self.kind(action, place)
    let hosts = try self.hosts()
    let parsed: RedactionRules.Rule.Action =
      switch action {
      case .redact: .redact(kind: kind ?? place.name)
      case .digest: .digest
      case .keep: .keep
      }
    return RedactionRules.Rule(action: parsed, place: place, hosts: hosts)
  }

  private mutating func place(_ action: Verb) throws(Mistake) -> RedactionRules.Place {
    let examples = "header X-Tenant, query key, form field name, field name, json a.b, path /a/{key}, text matching k_*"
    guard let token = tokens.popFirst() else { throw missing("where the value stands: \(examples)") }
    guard let word = PlaceWord(rawValue: String(token.text)) else { throw unknown(token, "place", PlaceWord.self) }
    if action == .digest, word != .json { throw mistake(token, "'digest' stands for JSON texts only: digest json a.b") }
    switch word {
    case .header: return .header(try self.word("the name of the header").lowercasedASCII)
    case .query: return .query(try self.word("the name of the query item"))
    case .form:
      skip("field")
      return .form(try self.word("the name of the form field"))
    case .field: return .field(try self.word("the name of the field"))
    case .json: return .json(try jsonPath())
    case .path: return .path(try path())
    case .text: return .text(try wordPattern())
    }
  }

  private mutating func jsonPath() throws(Mistake) -> PartPattern {
    let token = try self.token("a path such as user.email or events.*.token")
    let keys = token.text.split(separator: ".", omittingEmptySubsequences: false)
    if let empty = keys.firstIndex(of: "") {
      let column = token.column + keys[..<empty].reduce(0) { $0 + $1.count + 1 }
      throw Mistake(column: column, message: "a key of the path is empty; write it as user.email or events.*.token")
    }
    try requireWholeStars(keys, of: token)
    return PartPattern(keys)
  }

  private mutating func path() throws(Mistake) -> PartPattern {
    let token = try self.token("a path such as /v1/keys/{key}")
    guard token.text.hasPrefix("/") else { throw mistake(token, "a path begins with '/'") }
    let segments = token.text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let named = segments.filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
    for name in named where !isKind(name.dropFirst().dropLast()) {
      throw mistake(token, "'\(name)' names a kind with letters, digits, '_' and '-': {api_key}")
    }
    for segment in segments where segment.contains(where: { "{}".contains($0) }) && !named.contains(segment) {
      throw mistake(token, "braces hold a whole part of the path, and '\(segment)' mixes them with other characters")
    }
    try requireWholeStars(segments, of: token)
    if named.isEmpty { throw mistake(token, "mark the secret part with braces: /v1/keys/{key}") }
    return PartPattern(segments)
  }

  private mutating func wordPattern() throws(Mistake) -> WordPattern {
    guard let matching = tokens.first, matching.text == "matching" else {
      throw missing("'matching' and a word: text matching sk_live_*")
    }
    tokens.removeFirst()
    let token = try self.token("a word such as sk_live_*")
    guard token.text.filter({ $0 != "*" }).count >= 3 else {
      throw mistake(token, "a word needs three characters beside its '*', or it would fit too much")
    }
    return WordPattern(String(token.text))
  }

  private mutating func kind(_ action: Verb, _ place: RedactionRules.Place) throws(Mistake) -> String? {
    guard let word = tokens.first, word.text == "as" else {
      if action == .redact, case .json = place { throw missing("'as' and a kind: as email") }
      if action == .redact, case .text = place { throw missing("'as' and a kind: as api_key") }
      return nil
    }
    guard action == .redact else { throw mistake(word, "only 'redact' gives a kind") }
    tokens.removeFirst()
    let token = try self.token("a kind such as api_key")
    guard isKind(token.text) else {
      throw mistake(token, "'\(token.text)' is no kind; it has letters, digits, '_' and '-': api_key")
    }
    return String(token.text)
  }

  private mutating func hosts() throws(Mistake) -> [PartPattern] {
    guard let word = tokens.popFirst() else { return [] }
    guard word.text == "on" else {
      let known = Suggestion.nearest(to: String(word.text), in: ["as", "on"]).map { "; did you mean '\($0)'?" } ?? ""
      throw mistake(
        word, "expected 'as KIND', 'on HOST' or the end of the line, found '\(word.text)'\(known)")
    }
    var hosts: [PartPattern] = []
    repeat {
      let token = try self.token("a host such as api.example.com or **.example.com")
      if token.text == "on" { throw mistake(token, "'on' stands here twice; a host belongs behind it") }
      if token.text == "as" { throw mistake(token, "'as KIND' stands before 'on HOST'") }
      for text in token.text.split(separator: ",") { hosts.append(try host(text, of: token)) }
    } while !tokens.isEmpty
    guard !hosts.isEmpty else { throw mistake(word, "which host?") }
    return hosts
  }

  private func host(_ text: Substring, of token: Token) throws(Mistake) -> PartPattern {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains(""), !text.contains(where: { "/:{}".contains($0) }) else {
      throw mistake(token, "'\(text)' is no host; write it as api.example.com or **.example.com")
    }
    try requireWholeStars(labels, of: token)
    return PartPattern(labels.map { String($0).lowercasedASCII })
  }

  private func requireWholeStars(_ parts: some Sequence<Substring>, of token: Token) throws(Mistake) {
    for part in parts where part.contains("*") && part != "*" && part != "**" {
      throw mistake(token, "'*' stands for a whole part, and '\(part)' mixes it with other characters")
    }
  }

  private mutating func word(_ what: String) throws(Mistake) -> String { String(try token(what).text) }

  private mutating func token(_ what: String) throws(Mistake) -> Token {
    guard let token = tokens.popFirst() else { throw missing(what) }
    return token
  }

  private mutating func skip(_ word: Substring) {
    if tokens.first?.text == word, tokens.count > 1, tokens.dropFirst().first?.text != "as" { tokens.removeFirst() }
  }

  private func missing(_ what: String) -> Mistake {
    Mistake(column: column, message: "expected \(what)")
  }

  private func mistake(_ token: Token, _ message: String) -> Mistake { Mistake(column: token.column, message: message) }

  private func unknown<Choice: RawRepresentable<String> & CaseIterable>(
    _ token: Token, _ what: String, _ choices: Choice.Type
  ) -> Mistake {
    let names = Choice.allCases.map(\.rawValue)
    let nearest = Suggestion.nearest(to: String(token.text), in: names)
    let hint =
      nearest == nil
      ? "; it is one of \(names.joined(separator: ", "))" : (nearest.map { "; did you mean '\($0)'?" } ?? "")
    return mistake(token, "'\(token.text)' is no \(what)\(hint)")
  }
}

private enum Verb: String, CaseIterable { case redact, digest, keep }

private enum PlaceWord: String, CaseIterable { case header, query, form, field, json, path, text }

private func isKind(_ text: Substring) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x5F || $0 == 0x2D }
}

extension RedactionRules.Place {
  /// The kind of a rule that names none.
  fileprivate var name: String {
    switch self {
    case .header(let name), .query(let name), .form(let name), .field(let name):
      String(name.lowercasedASCII.map { $0 == "-" ? "_" : $0 })
    case .json, .path, .text, .credential: ""
    }
  }
}
