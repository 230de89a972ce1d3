/// Reads a contract and the files it includes: all declarations first, because they may stand after the rules that use
/// them, then the rules.
///
/// A line with a mistake is reported and left; the rest of the file is still read.
struct ContractParser {
  typealias Include = (_ path: String) throws -> [UInt8]

  /// Bytes of a file: more than people write, and read in a moment.
  static let largestFile = 4 << 20
  /// Nobody reads further, and each hint is a search among all names.
  private static let mostHints = 100

  let include: Include?
  var files: [SourceFile] = []
  /// With the place of the file that each is about.
  private var diagnostics: [(file: Int, Diagnostic)] = []
  private var warnings: [(file: Int, Diagnostic)] = []
  var names = Names()
  var rules: [PlacedRule] = []

  static func parse(_ bytes: [UInt8], file: String, include: Include?) throws(ContractError) -> Contract {
    var parser = ContractParser(include: include)
    parser.read(bytes, file: file)
    if parser.errors.isEmpty, parser.rules.isEmpty { parser.reportNoRules() }
    guard parser.errors.isEmpty else { throw ContractError(parser.errors) }
    return parser.contract()
  }

  /// Everything there is to say about a file, which may be one that only declares names for others.
  static func diagnostics(_ bytes: [UInt8], file: String, include: Include?) -> [Diagnostic] {
    var parser = ContractParser(include: include)
    parser.read(bytes, file: file)
    let errors = parser.errors
    return errors.isEmpty && !parser.rules.isEmpty ? parser.contract().warnings : errors
  }

  private init(include: Include?) { self.include = include }

  private mutating func read(_ bytes: [UInt8], file: String) {
    readLines(bytes, file: file, chain: [])
    for file in files.indices { readDeclarations(file) }
    readRules(0)
    for conflict in RuleConflicts(rules, names).all {
      let rule = rules[conflict.rule]
      report(Mistake(column: rule.column, message: conflict.message), rule.file, rule.source, conflict.severity)
    }
    for file in files.indices { dropNoise(file) }
  }

  /// In the order of the files and lines.
  private var errors: [Diagnostic] { sorted(diagnostics) }

  private func sorted(_ diagnostics: [(file: Int, Diagnostic)]) -> [Diagnostic] {
    diagnostics.sorted { ($0.file, $0.1.line, $0.1.column) < ($1.file, $1.1.line, $1.1.column) }.map(\.1)
  }

  /// A file in which nothing is said as contracts say it is no contract, and that is all there is to say.
  private mutating func dropNoise(_ file: Int) {
    guard !files[file].hasHeader, !files[file].isForeign else { return }
    let line = files[file].firstLine.map { files[file].lines[$0].source }
    if files[file].understood == 0 { diagnostics.removeAll { $0.file == file } }
    add(Mistake(column: 1, message: "a contract begins with: \(Self.beginning)"), file, line)
  }

  private static let beginning = "contract \"name\" version 1"

  /// Reports a file that is no contract at a glance, or too large for one; false for any other.
  mutating func refuse(_ bytes: [UInt8], _ file: String) -> Bool {
    let message: String
    if let kind = RecordingKind(bytes) {
      message = "this is \(kind.rawValue), not a contract; a contract begins with: \(Self.beginning)"
    } else if bytes.count > Self.largestFile {
      message = "this file has \(bytes.count) bytes; a contract has at most \(Self.largestFile >> 20) MiB"
    } else {
      return false
    }
    files.append(SourceFile([], name: file) { _, _ in })
    files[files.count - 1].isForeign = true
    add(Mistake(column: 1, message: message), files.count - 1, nil)
    return true
  }

  /// Whether a mistake may still cost a search for what was meant.
  var hasHints: Bool { diagnostics.count < Self.mostHints }

  private mutating func reportNoRules() {
    let line = files.first.flatMap { file in file.firstLine.map { file.lines[$0].source } }
    add(Mistake(column: 1, message: "a contract without rules checks nothing"), 0, line)
  }

  mutating func report(
    _ mistake: Mistake, _ file: Int, _ line: SourceText.Line, _ severity: Diagnostic.Severity = .error
  ) {
    add(mistake, file, line, severity)
  }

  private mutating func add(
    _ mistake: Mistake, _ file: Int, _ line: SourceText.Line?, _ severity: Diagnostic.Severity = .error
  ) {
    let diagnostic = Diagnostic(
      file: files[file].name, line: line?.number ?? 1, column: mistake.column, severity: severity,
      message: mistake.message, sourceLine: line?.text ?? "")
    if severity == .error { diagnostics.append((file, diagnostic)) } else { warnings.append((file, diagnostic)) }
  }

  private func contract() -> Contract {
    Contract(
      name: files[0].title, file: files[0].name, tolerance: .microseconds(files[0].tolerance ?? 0),
      rules: rules.map(\.rule), warnings: sorted(warnings + unused), names: names)
  }

  /// Names of the file itself that no rule uses; a file of names for several contracts may hold more than one needs.
  private var unused: [(file: Int, Diagnostic)] {
    let used = rules.reduce(into: Set<Int>()) { $0.formUnion($1.rule.mentioned) }
    let calls = Set(
      used.compactMap { number -> Int? in
        if case .attempts(let call) = names[number].meaning { call } else { nil }
      })
    return names.declared.filter { !used.contains($0) && !calls.contains($0) && names[$0].file == files[0].name }.map {
      let declaration = names[$0]
      return (0, declaration.warning("no rule uses '\(declaration.name)'"))
    }
  }
}

/// A rule with where it stands.
struct PlacedRule {
  var rule: Rule
  /// The place of its file.
  var file: Int
  var column: Int
  var source: SourceText.Line
}

extension Declaration {
  func warning(_ message: String) -> Diagnostic {
    Diagnostic(
      file: file, line: line, column: column, severity: .warning, message: message, sourceLine: sourceLine)
  }
}
