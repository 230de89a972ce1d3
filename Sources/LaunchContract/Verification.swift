public import LaunchDiagnostics

/// One contract checked against one trace.
///
/// ```swift
/// let verification = contract.verification(of: trace)
/// print(TextReport(verification).text)
/// exit(verification.exitCode())
/// ```
public struct Verification: Hashable, Sendable {
  /// The contract's name.
  public var contract: String
  /// The contract's file.
  public var file: String
  /// The trace's name.
  public var trace: String
  /// How many events the trace has, its closing event included.
  public var eventCount: Int
  /// False for a cut trace, whose verdicts may be open.
  public var isClosed: Bool
  /// One a rule, in the order of the file.
  public var reports: [RuleReport]
  /// Names that no rule uses, then names that nothing in the trace matched.
  public var warnings: [Diagnostic]
  /// Whether anything in the trace has a name that the contract declares and some rule uses.
  public var isConcerned: Bool

  public init(
    contract: String, file: String, trace: String, eventCount: Int, isClosed: Bool, reports: [RuleReport],
    warnings: [Diagnostic] = [], isConcerned: Bool = true
  ) {
    self.contract = contract
    self.file = file
    self.trace = trace
    self.eventCount = eventCount
    self.isClosed = isClosed
    self.reports = reports
    self.warnings = warnings
    self.isConcerned = isConcerned
  }

  /// How a run with this result exits: 1 broken, 3 open or unordered, 4 idle if `idleFails`, else 0; the first that
  /// applies. Advice never counts, and optional rules may be idle.
  public func exitCode(idleFails: Bool = false) -> Int32 { reports.exitCode(idleFails: idleFails) }
}

extension Sequence<RuleReport> {
  /// As `Verification.exitCode(idleFails:)`, for the reports of any number of traces and contracts.
  public func exitCode(idleFails: Bool = false) -> Int32 {
    let binding = filter { !$0.rule.isAdvice }
    if binding.contains(where: { $0.verdict == .broken }) { return 1 }
    if binding.contains(where: \.verdict.isUndecided) { return 3 }
    if idleFails, binding.contains(where: { $0.verdict == .idle && !$0.rule.isOptional }) { return 4 }
    return 0
  }
}

extension Verdict {
  /// Neither kept nor broken, because the trace does not say.
  public var isUndecided: Bool {
    switch self {
    case .open, .unordered: true
    case .holds, .broken, .idle: false
    }
  }
}
