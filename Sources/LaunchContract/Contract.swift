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
  /// What is doubtful about the file: declared names that no rule uses.
  public let warnings: [Diagnostic]

  let names: Names
  /// The lines of the declarations, for later warnings about them.
  let declarationLines: [Int: String]

  /// Reads the content of a contract file. `file` is what diagnostics call it.
  /// - Throws: `ContractError` with everything that is wrong, in the order of the lines.
  public init(parsing bytes: [UInt8], file: String) throws(ContractError) {
    self = try ContractParser.parse(bytes, file: file)
  }

  /// Reads a contract from a text.
  /// - Throws: `ContractError` with everything that is wrong, in the order of the lines.
  public init(parsing text: String, file: String) throws(ContractError) {
    try self.init(parsing: Array(text.utf8), file: file)
  }

  init(
    name: String, file: String, tolerance: Duration, rules: [Rule], warnings: [Diagnostic], names: Names,
    declarationLines: [Int: String]
  ) {
    self.name = name
    self.file = file
    self.tolerance = tolerance
    self.rules = rules
    self.warnings = warnings
    self.names = names
    self.declarationLines = declarationLines
  }
}

extension Contract {
  /// The verdict on every rule, in the order of the file.
  public func reports(on trace: Trace) -> [RuleReport] { verification(of: trace).reports }

  /// The verdicts together with what should be said about them.
  public func verification(of trace: Trace) -> Verification {
    verification(of: trace.events, named: trace.name)
  }

  /// The same on events that need not be in memory all at once.
  /// - Parameters:
  ///   - events: In recorded order.
  ///   - trace: What the verification calls them.
  public func verification(of events: some Sequence<Event>, named trace: String) -> Verification {
    var monitor = Monitor(self)
    var count = 0
    var isClosed = false
    for event in events {
      monitor.step(event)
      count += 1
      if case .closed = event.kind { isClosed = true } else { isClosed = false }
    }
    return Verification(
      contract: name, file: file, trace: trace, eventCount: count, isClosed: isClosed, reports: monitor.finish(),
      warnings: warnings + monitor.warnings)
  }

  func unmatchedWarning(_ number: Int) -> Diagnostic {
    let declaration = names[number]
    return Diagnostic(
      file: file, line: declaration.line, column: declaration.column, severity: .warning,
      message: "nothing in the trace matched '\(declaration.name)'",
      sourceLine: declarationLines[declaration.line] ?? "")
  }
}
