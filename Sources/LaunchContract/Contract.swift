public import LaunchDiagnostics
package import LaunchHTTP
public import LaunchTrace

/// A contract file: names for marks and calls, and rules about their order, number and time.
///
/// ```swift
/// let contract = try Contract(
///   parsing: """
///     contract "cold launch" version 1
///     mark att.answered = "ATT answered"
///     call adjust.session = POST https://{analytics,consent}.adjust.com/session
///     [R10] adjust.session only after att.answered
///     """, file: "launch.contract")
/// let reports = contract.reports(on: trace)
/// ```
public struct Contract: Sendable {
  /// The name in the header.
  public let name: String
  /// As given to the parser.
  public let file: String
  /// What every bound on a time is widened by.
  public let tolerance: Duration
  /// In the order of the file; never empty.
  public let rules: [Rule]
  /// What is doubtful about the file: declared names that no rule uses, rules that say nothing new or can never be
  /// exercised.
  public let warnings: [Diagnostic]

  let names: Names
  let plan: Plan

  /// Reads the content of a contract file.
  /// - Parameters:
  ///   - file: What diagnostics call it, and what the paths of its includes are relative to.
  ///   - include: Gives the content of an included file by its path; what it throws becomes a diagnostic at the include
  ///     line. Without it, includes are mistakes.
  /// - Throws: `DiagnosticsError` with everything that is wrong, in the order of the lines.
  public init(
    parsing bytes: [UInt8], file: String, include: ((_ path: String) throws -> [UInt8])? = nil
  ) throws(DiagnosticsError) {
    self = try ContractParser.parse(bytes, file: file, include: include)
  }

  /// Reads a contract from a text.
  /// - Throws: `DiagnosticsError` with everything that is wrong, in the order of the lines.
  public init(
    parsing text: String, file: String, include: ((_ path: String) throws -> [UInt8])? = nil
  ) throws(DiagnosticsError) {
    try self.init(parsing: Array(text.utf8), file: file, include: include)
  }

  init(name: String, file: String, tolerance: Duration, rules: [Rule], warnings: [Diagnostic], names: Names) {
    self.name = name
    self.file = file
    self.tolerance = tolerance
    self.rules = rules
    self.warnings = warnings
    self.names = names
    plan = Plan(rules, names)
  }
}

extension Contract {
  /// The verdict on every rule, in the order of the file.
  public func reports(on trace: Trace) -> [RuleReport] { verification(of: trace).reports }

  /// The verdicts together with what should be said about them.
  public func verification(of trace: Trace) -> Verification {
    var verification = verification(of: trace.events, named: trace.name)
    if case .time(let order) = trace.order {
      verification.reports = reports(verification.reports, on: trace.events, orderedBy: order)
    }
    return verification
  }

  /// The same on events that need not be in memory all at once, in recorded order.
  /// - Parameter trace: What the verification calls them.
  public func verification(of events: some Sequence<Event>, named trace: String) -> Verification {
    var monitor = Monitor(self)
    for event in events { monitor.step(event) }
    return monitor.verification(of: trace)
  }

  func unmatchedWarning(_ number: Int) -> Diagnostic {
    names[number].warning("nothing in the trace matched '\(names[number].name)'")
  }
}

extension Contract {
  /// What the contract calls the call; nothing when it declares none like it.
  package func callNames(of request: Request) -> [String] { plan.recognizer.names(request).map { names[$0].name } }

  /// Whether some rule is about calls like this one.
  package func names(_ request: Request) -> Bool {
    plan.recognizer.names(request).contains { !plan.concerned[$0].isEmpty }
  }
}
