/// Why a text file cannot be used: everything that is wrong with it, in the order of its lines.
public struct DiagnosticsError: Error, Hashable, Sendable {
  /// Errors and warnings; at least one error.
  public var diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
}

extension DiagnosticsError: CustomStringConvertible {
  /// The diagnostics, at most fifty of them, and how many more there are.
  public var description: String {
    let more = diagnostics.count - 50
    let shown = diagnostics.prefix(50).map(\.description).joined(separator: "\n")
    return more > 0 ? "\(shown)\n… and \(more) more" : shown
  }
}
