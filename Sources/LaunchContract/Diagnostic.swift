/// A mistake or a doubt in a contract file, with the place it stands at.
///
/// ```
/// launch.contract:14:12: error: 'att.answerd' is not declared; did you mean 'att.answered'?
/// [R10] adjust.session only after att.answerd
///                                 ^
/// ```
public struct Diagnostic: Hashable, Sendable {
  /// How much of the contract is left.
  public enum Severity: String, Hashable, Sendable {
    /// The contract cannot be used.
    case error
    /// The contract can be used, and checks less than it seems to.
    case warning
  }

  /// The file's name as given to the parser.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in characters; a tab is one.
  public var column: Int
  public var severity: Severity
  /// One sentence without a full stop.
  public var message: String
  /// The line as written, its line break left out.
  public var sourceLine: String

  public init(file: String, line: Int, column: Int, severity: Severity, message: String, sourceLine: String) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
    self.sourceLine = sourceLine
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, the source line, and a caret under the column; without a source line the message
  /// alone.
  public var description: String {
    let heading = "\(file):\(line):\(column): \(severity.rawValue): \(message)"
    return sourceLine.isEmpty ? heading : "\(heading)\n\(Self.excerpt(of: sourceLine, column: column))"
  }

  /// The line and a caret under the column; of a long line what stands around the column.
  /// - Parameter column: Counted from 1, in characters.
  package static func excerpt(of sourceLine: String, column: Int) -> String {
    let before = sourceLine.prefix(column - 1)
    let start = before.count > 100 ? "…" + before.suffix(60) : before
    let rest = sourceLine.dropFirst(before.count)
    let end = rest.count > 100 ? rest.prefix(60) + "…" : rest
    let margin = String(start.map { $0 == "\t" ? "\t" : " " })
    return "\(start)\(end)\n\(margin)^"
  }
}

/// Why a contract cannot be used: everything that is wrong with it, in the order of its lines.
public struct ContractError: Error, Hashable, Sendable {
  /// Errors and warnings; at least one error.
  public var diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension ContractError: CustomStringConvertible {
  /// The diagnostics, at most fifty of them, and how many more there are.
  public var description: String {
    let more = diagnostics.count - 50
    let shown = diagnostics.prefix(50).map(\.description).joined(separator: "\n")
    return more > 0 ? "\(shown)\n… and \(more) more" : shown
  }
}
