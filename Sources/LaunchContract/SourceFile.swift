import LaunchFile

/// One file of a contract, cut into lines and tokens.
struct SourceFile {
  struct Line {
    var source: SourceText.Line
    /// None on a line that is empty, a comment, or cannot be read.
    var tokens: [Token] = []
    var comment: String?
    /// Whether it says something, readable or not.
    var isBlank = false
    /// The place of the file that this line includes, if it is read for it.
    var included: Int?

    /// How many blanks stand in front of it.
    var indentation: Int { source.text.prefix { $0 == " " || $0 == "\t" }.count }
    var first: Token? { tokens.first }

    /// From the token at the column to the last one, as the author wrote it.
    func text(from column: Int, to endColumn: Int? = nil) -> String {
      let end = (endColumn ?? tokens.last?.endColumn ?? 1) - 1
      guard column >= 1, column - 1 <= end else { return "" }
      return String(source.text.dropFirst(column - 1).prefix(end - column + 1))
    }
  }

  /// As diagnostics call it.
  let name: String
  /// What it is whatever it is called.
  let identity: String
  var lines: [Line] = []
  var hasHeader = false
  /// It is no contract, which is reported.
  var isForeign = false
  /// The name in the header.
  var title = ""
  var tolerance: Int64?
  /// How many declarations and rules could be used.
  var understood = 0

  /// Calls `report` for lines that are no text or no tokens.
  init(_ bytes: [UInt8], name: String, report: (Mistake, SourceText.Line) -> Void) {
    self.name = name
    identity = ContractPath.identity(of: name)
    for line in SourceText(bytes).lines {
      do throws(Mistake) {
        if let length = line.excessiveLength {
          let limit = SourceText.longestLine
          throw Mistake(column: 1, message: "this line has \(length) bytes; a line of a contract has at most \(limit)")
        }
        if let column = line.invalidColumn { throw Mistake(column: column, message: "this is not UTF-8") }
        let lexer = try Lexer(line.text)
        lines.append(
          Line(source: line, tokens: lexer.tokens, comment: lexer.comment, isBlank: lexer.tokens.isEmpty))
      } catch {
        report(error, line)
        lines.append(Line(source: line))
      }
    }
  }

  /// The first line that says something.
  var firstLine: Int? { lines.firstIndex { !$0.isBlank } }
}

/// Paths as contracts write them.
enum ContractPath {
  /// `path` as seen from `file`, without `.` and `..`: `../names.contract` from `contracts/launch.contract` is
  /// `names.contract`.
  static func resolve(_ path: String, from file: String) -> String {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let whole = path.hasPrefix("/") || folder.isEmpty ? path : folder.joined(separator: "/") + "/" + path
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (whole.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The one spelling of a path among those that lead to a file on disk; of any other path, the one without `.` and `..`.
  static func identity(of path: String) -> String {
    let target = followingLinks(path)
    return target == path ? resolve(path, from: "") : target
  }
}
