/// Lays a contract out in the one canonical way: single spaces, a blank line behind the header and at most one anywhere,
/// `=` and trailing comments aligned among neighbours, the rules of `when` blocks indented by two spaces.
///
/// Comments and the author's groups are kept. Formatting twice changes nothing, and no formatting changes a meaning.
struct ContractFormatter {
  private enum Kind: Hashable {
    case header, setting, declaration, rule, block
  }

  private struct Row {
    /// Nil for an empty line and for a comment of its own.
    var kind: Kind?
    var indentation = ""
    /// Up to the first `=` of a declaration, else everything.
    var left = ""
    /// From that `=` on.
    var right = ""
    var comment: String?

    var isEmpty: Bool { kind == nil && comment == nil }
    var isComment: Bool { kind == nil && comment != nil }
    var code: String { indentation + left + (right.isEmpty ? "" : " " + right) }
  }

  /// Code that is longer does not push the comments of its neighbours aside.
  private static let widest = 64

  private var rows: [Row] = []

  /// The canonical text; nil for a text with lines that cannot be read.
  static func format(_ bytes: [UInt8]) -> [UInt8]? {
    var isReadable = true
    let file = SourceFile(bytes, name: "") { _, _ in isReadable = false }
    guard isReadable else { return nil }
    var formatter = ContractFormatter()
    formatter.read(file.lines)
    formatter.separate()
    formatter.align()
    return Array(formatter.text.utf8)
  }

  /// Takes the lines apart. What is indented more deeply than the head of a block belongs to it.
  private mutating func read(_ lines: [SourceFile.Line]) {
    var blockIndentation: Int?
    for line in lines {
      let isInside = blockIndentation.map { line.indentation > $0 } ?? false
      guard let first = line.first else {
        let comment = line.comment.map(Self.comment)
        rows.append(Row(indentation: comment != nil && isInside ? "  " : "", comment: comment))
        continue
      }
      let kind = Self.kind(first)
      if !isInside { blockIndentation = kind == .block ? line.indentation : nil }
      var row = Row(kind: kind, indentation: isInside ? "  " : "", comment: line.comment.map(Self.comment))
      let equals = kind == .declaration && line.tokens.count > 2 && line.tokens[2].isSymbol("=") ? 2 : line.tokens.count
      row.left = Self.text(line, 0..<equals)
      row.right = Self.text(line, equals..<line.tokens.count)
      rows.append(row)
    }
  }

  private static func kind(_ first: Token) -> Kind {
    guard first.kind == .word else { return .rule }
    return switch first.text {
    case "contract": .header
    case "tolerance", "include": .setting
    case "mark", "call": .declaration
    case "when": .block
    default: .rule
    }
  }

  private static func comment(_ text: String) -> String { text.isEmpty ? "#" : "# " + text }

  private static func text(_ line: SourceFile.Line, _ range: Range<Int>) -> String {
    var text = ""
    var rest = line.source.text[...]
    var column = 1
    for index in range {
      let token = line.tokens[index]
      if index > range.lowerBound, needsSpace(line.tokens[index - 1], token) { text += " " }
      rest = rest.dropFirst(token.column - column)
      let written = rest.prefix(token.endColumn - token.column)
      text += token.kind == .label ? "[\(token.text)]" : String(written)
      rest = rest[written.endIndex...]
      column = token.endColumn
    }
    return text
  }

  private static func needsSpace(_ left: Token, _ right: Token) -> Bool {
    let isClosing = right.kind == .symbol && [",", ")", "}", ":"].contains(right.text)
    let isOpening = left.kind == .symbol && ["(", "{"].contains(left.text)
    return !isClosing && !isOpening
  }

  /// One empty line behind the header and between groups, none at the ends.
  private mutating func separate() {
    var result: [Row] = []
    for row in rows {
      if row.isEmpty, result.last?.isEmpty ?? true { continue }
      if result.last?.kind == .header, !row.isEmpty { result.append(Row()) }
      result.append(row)
    }
    if result.last?.isEmpty == true { result.removeLast() }
    rows = result
  }

  private mutating func align() {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[start].kind != nil, rows[end].kind == rows[start].kind { end += 1 }
      align(start..<end)
      start = end
    }
  }

  /// Neighbours of one kind. What is much longer than the rest stands by itself.
  private mutating func align(_ run: Range<Int>) {
    let declared = run.filter { !rows[$0].right.isEmpty }
    let width = declared.map { rows[$0].left.count }.max() ?? 0
    for index in declared { rows[index].left += Self.blanks(width - rows[index].left.count) }
    let commented = run.filter { rows[$0].kind != nil && rows[$0].comment != nil }
    let column = commented.map { rows[$0].code.count }.filter { $0 <= Self.widest }.max() ?? 0
    for index in commented {
      let gap = max(0, column - rows[index].code.count) + 2
      if rows[index].right.isEmpty {
        rows[index].left += Self.blanks(gap)
      } else {
        rows[index].right += Self.blanks(gap)
      }
    }
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  private var text: String {
    rows.map { row in (row.isComment ? row.indentation : row.code) + (row.comment ?? "") + "\n" }.joined()
  }
}
