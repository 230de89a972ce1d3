/// Everything that is wrong with a rules file, in the order of its lines.
public struct RedactionRulesError: Error, Hashable, Sendable {
  /// A mistake or a doubt, with the place it stands at.
  public struct Diagnostic: Hashable, Sendable {
    /// Whether the file cannot be used, or does less than it seems to.
    public enum Severity: String, Hashable, Sendable { case error, warning }

    /// The file's name as given to the parser.
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in characters; a tab is one.
    public var column: Int
    public var severity: Severity
    /// One sentence without a full stop.
    public var message: String
    /// The line as written.
    public var sourceLine: String
  }

  /// At least one.
  public var diagnostics: [Diagnostic]
}

extension RedactionRulesError: CustomStringConvertible {
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension RedactionRulesError.Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, the source line, and a caret under the column. Of a long line what stands
  /// around the column is shown.
  public var description: String {
    let before = sourceLine.prefix(column - 1)
    let start = before.count > 100 ? "…" + before.suffix(60) : before
    let rest = sourceLine.dropFirst(before.count)
    let end = rest.count > 100 ? rest.prefix(60) + "…" : rest
    let margin = String(start.map { $0 == "\t" ? "\t" : " " })
    return "\(file):\(line):\(column): \(severity.rawValue): \(message)\n\(start)\(end)\n\(margin)^"
  }
}
