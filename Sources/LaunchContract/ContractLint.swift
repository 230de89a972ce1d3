package import LaunchDiagnostics

/// What there is to say about a contract file, and how it should be laid out.
///
/// ```swift
/// let lint = ContractLint(bytes, file: path) { try readFile($0) }
/// if lint.diagnostics.isEmpty, !lint.isCanonical { try writeFile(lint.canonical, to: path) }
/// ```
package struct ContractLint: Sendable {
  /// Errors, or else warnings, in the order of the lines. A file of names for others to include need not have rules.
  package let diagnostics: [Diagnostic]
  /// The canonical layout; the file as it is when it has errors.
  package let canonical: [UInt8]
  /// Whether the file is laid out so.
  package let isCanonical: Bool

  /// - Parameters: As for `Contract(parsing:file:include:)`.
  package init(_ bytes: [UInt8], file: String, include: ((_ path: String) throws -> [UInt8])? = nil) {
    diagnostics = ContractParser.diagnostics(bytes, file: file, include: include)
    let isSound = !diagnostics.contains { $0.severity == .error }
    canonical = isSound ? ContractFormatter.format(bytes) ?? bytes : bytes
    isCanonical = canonical == bytes
  }
}
