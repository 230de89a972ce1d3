/// Reads a contract: all declarations first, because they may stand after the rules that use them, then the rules.
///
/// A line with a mistake is reported and left; the rest of the file is still read.
struct ContractParser {
  private struct Line {
    var source: SourceText.Line
    var tokens: [Token]
    var comment: String?
  }

  private let file: String
  private var diagnostics: [Diagnostic] = []
  private var lines: [Line] = []
  private var names = Names()
  private var name: String?
  private var tolerance: Int64?
  private var rules: [Rule] = []

  static func parse(_ bytes: [UInt8], file: String) throws(ContractError) -> Contract {
    var parser = ContractParser(file: file)
    parser.readLines(SourceText(bytes))
    parser.readDeclarations()
    parser.readRules()
    return try parser.contract()
  }

  private init(file: String) { self.file = file }

  private mutating func readLines(_ text: SourceText) {
    for line in text.lines {
      if let column = line.invalidColumn {
        report(Mistake(column: column, message: "this is not UTF-8"), line)
        salvage(line)
        continue
      }
      do throws(Mistake) {
        let lexer = try Lexer(line.text)
        if !lexer.tokens.isEmpty { lines.append(Line(source: line, tokens: lexer.tokens, comment: lexer.comment)) }
      } catch {
        report(error, line)
        salvage(line)
      }
    }
  }

  /// Declares what a line that cannot be read would have declared, so that its mistake is reported once.
  private mutating func salvage(_ line: SourceText.Line) {
    let words = line.text.split { $0 == " " || $0 == "\t" || $0 == "=" || $0 == "," }
    guard words.count > 1, words[0] == "mark" || words[0] == "call" else {
      if words.first == "contract" { name = name ?? "" }
      return
    }
    for word in words.dropFirst() {
      _ = names.add(Declaration(name: String(word), meaning: .unusable, line: line.number))
    }
  }

  private mutating func readDeclarations() {
    for (index, line) in lines.enumerated() {
      guard let first = line.tokens.first, first.kind == .word else { continue }
      let isHeader = first.text == "contract"
      if index == 0, !isHeader, name == nil { reportMissingHeader(line) }
      var cursor = TokenCursor(line.tokens)
      do throws(Mistake) {
        switch first.text {
        case "contract": try readHeader(&cursor, isFirst: index == 0)
        case "tolerance": try readTolerance(&cursor)
        case "mark", "call": try readNames(&cursor, line)
        default: continue
        }
      } catch {
        report(error, line.source)
      }
    }
    if let line = lines.first, line.tokens.first?.kind != .word, name == nil { reportMissingHeader(line) }
  }

  private mutating func reportMissingHeader(_ line: Line) {
    report(Mistake(column: 1, message: "a contract begins with: contract \"name\" version 1"), line.source)
    name = ""
  }

  private mutating func readHeader(_ cursor: inout TokenCursor, isFirst: Bool) throws(Mistake) {
    guard isFirst else { throw Mistake(column: cursor.column, message: "the header stands once, on the first line") }
    _ = cursor.next()
    name = name ?? ""
    name = try cursor.string("the contract's name in quotes").text
    try cursor.expect("version")
    let column = cursor.column
    let version = try cursor.count("a version number")
    guard version == 1 else {
      throw Mistake(column: column, message: "version \(version) is not known; this reader knows version 1")
    }
    try cursor.expectEnd(after: "the header")
  }

  private mutating func readTolerance(_ cursor: inout TokenCursor) throws(Mistake) {
    guard tolerance == nil else { throw Mistake(column: cursor.column, message: "the tolerance is already set") }
    _ = cursor.next()
    tolerance = 0
    tolerance = try cursor.duration()
    try cursor.expectEnd(after: "a tolerance")
  }

  private mutating func readNames(_ cursor: inout TokenCursor, _ line: Line) throws(Mistake) {
    var parser = DeclarationParser(cursor)
    let mistake: Mistake?
    do throws(Mistake) {
      try parser.parse()
      mistake = nil
    } catch {
      mistake = error
    }
    for (token, meaning) in parser.declarations {
      declare(token, mistake == nil ? meaning : .unusable, line)
    }
    if let mistake { throw mistake }
  }

  private mutating func declare(_ token: Token, _ meaning: Declaration.Meaning, _ line: Line) {
    let declaration = Declaration(name: token.text, meaning: meaning, line: line.source.number, column: token.column)
    guard !names.add(declaration), let number = names.number(of: token.text) else { return }
    let earlier = names[number].line
    let place = earlier == 0 ? "is a name every contract has" : "is already declared on line \(earlier)"
    report(Mistake(column: token.column, message: "'\(token.text)' \(place)"), line.source)
  }

  private mutating func readRules() {
    for line in lines {
      if let first = line.tokens.first, first.kind == .word, Vocabulary.statements.contains(first.text) { continue }
      var parser = RuleParser(line.tokens, names: names, tolerance: tolerance ?? 0)
      do throws(Mistake) {
        let parsed = try parser.parse()
        rules.append(rule(parsed, line))
      } catch {
        parser.mistakes.append(error)
      }
      for mistake in parser.mistakes { report(mistake, line.source) }
    }
  }

  private func rule(_ parsed: RuleParser.Parsed, _ line: Line) -> Rule {
    let characters = Array(line.source.text)
    let end = (line.tokens.last?.endColumn ?? 1) - 1
    let because = line.comment.flatMap { $0.hasPrefix("because ") ? String($0.dropFirst(8)).trimmingBlanks : nil }
    return Rule(
      name: parsed.name, sentence: String(characters[(parsed.column - 1)..<end]), file: file, line: line.source.number,
      isAdvice: parsed.isAdvice, isOptional: parsed.isOptional, reason: because, form: parsed.form, scope: parsed.scope,
      key: nil, guardian: nil)
  }

  private mutating func contract() throws(ContractError) -> Contract {
    if name == nil {
      add(Mistake(column: 1, message: "a contract begins with: contract \"name\" version 1"), 1, "")
    } else if rules.isEmpty, diagnostics.isEmpty {
      let line = lines.first?.source
      add(Mistake(column: 1, message: "a contract without rules checks nothing"), line?.number ?? 1, line?.text ?? "")
    }
    diagnostics.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    guard diagnostics.isEmpty else { throw ContractError(diagnostics) }
    let texts = Dictionary(lines.map { ($0.source.number, $0.source.text) }) { first, _ in first }
    return Contract(
      name: name ?? "", file: file, tolerance: .microseconds(tolerance ?? 0), rules: rules, warnings: unused(texts),
      names: names, declarationLines: texts)
  }

  private func unused(_ texts: [Int: String]) -> [Diagnostic] {
    let used = rules.reduce(into: Set<Int>()) { $0.formUnion($1.mentioned) }
    return names.declared.filter { !used.contains($0) }.map { number in
      let declaration = names[number]
      return Diagnostic(
        file: file, line: declaration.line, column: declaration.column, severity: .warning,
        message: "no rule uses '\(declaration.name)'", sourceLine: texts[declaration.line] ?? "")
    }
  }

  private mutating func report(_ mistake: Mistake, _ line: SourceText.Line) { add(mistake, line.number, line.text) }

  private mutating func add(_ mistake: Mistake, _ line: Int, _ text: String) {
    diagnostics.append(
      Diagnostic(
        file: file, line: line, column: mistake.column, severity: .error, message: mistake.message, sourceLine: text))
  }
}
