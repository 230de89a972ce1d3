public import LaunchContract
public import LaunchDiagnostics

/// Everything that one command found: contracts on traces, and what could not be read.
///
/// ```swift
/// var run = RunReport()
/// for contract in contracts {
///   for trace in traces { run.entries.append(.init(contract.verification(of: trace))) }
/// }
/// print(ReportFormat.junit.text(of: run))
/// exit(run.exitCode())
/// ```
public struct RunReport: Hashable, Sendable {
  /// One contract on one trace.
  public struct Entry: Hashable, Sendable {
    public var verification: Verification
    /// The trace's file as given; nil when it is none. Tells traces of one name apart.
    public var path: String?
    /// The command that shows the failures again; nil when there is none.
    public var rerun: String?

    public init(_ verification: Verification, path: String? = nil, rerun: String? = nil) {
      self.verification = verification
      self.path = path
      self.rerun = rerun
    }
  }

  /// A file that was to take part and could not.
  public struct Problem: Hashable, Sendable {
    public var path: String
    /// One sentence; what to do next may stand on a line of its own.
    public var message: String

    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }
  }

  /// Contract by contract, each on its traces in their order. Reports keep this order.
  public var entries: [Entry] = []
  public var problems: [Problem] = []
  /// What is wrong with recordings that could be read all the same, such as a closing line that counts other events
  /// than there are.
  public var doubts: [Diagnostic] = []
  /// How much the contracts protect, where that was asked for; one for each contract and closed trace.
  public var strengths: [Strength] = []

  public init() {}

  /// The same entries, contract by contract. A warning about a file that several contracts include stands once.
  public var contracts: [ContractReport] {
    var told: Set<Diagnostic> = []
    return grouped.map { entries in
      var report = ContractReport(entries, traces: entries.map(traceLabel))
      report.warnings.removeAll { !told.insert($0).inserted }
      return report
    }
  }

  private var grouped: [[Entry]] {
    var groups: [[Entry]] = []
    for entry in entries {
      let isSame = groups.last?.first.map { $0.verification.isOfSameContract(as: entry.verification) } ?? false
      if isSame { groups[groups.count - 1].append(entry) } else { groups.append([entry]) }
    }
    return groups
  }

  /// The name of the entry's trace, with its path when another trace has that name, too.
  func traceLabel(_ entry: Entry) -> String {
    let name = entry.verification.trace
    let isAmbiguous = entries.contains { $0.verification.trace == name && $0.path != entry.path }
    guard isAmbiguous, let path = entry.path else { return name }
    return "\(name) (\(path))"
  }

  /// The same for its contract, by its file.
  func contractLabel(_ entry: Entry) -> String {
    let (name, file) = (entry.verification.contract, entry.verification.file)
    let isAmbiguous = entries.contains { $0.verification.contract == name && $0.verification.file != file }
    return isAmbiguous ? "\(name) (\(file))" : name
  }

  /// How the run exits (the contract language's verdicts): 2 when something could not be read, 1 broken, 3 open or
  /// unordered, 4 idle on every trace if `idleFails`, else 0; the first that applies.
  public func exitCode(idleFails: Bool = false) -> Int32 {
    if !problems.isEmpty { return 2 }
    return contracts.flatMap { $0.rules.map(\.worst) }.exitCode(idleFails: idleFails)
  }
}

/// One contract on all traces of a run.
public struct ContractReport: Hashable, Sendable {
  /// At least one.
  public let entries: [RunReport.Entry]
  /// What the trace of each entry is called.
  let traces: [String]
  /// One a rule, in the order of the file.
  public let rules: [RuleSummary]
  /// What is doubtful whatever the trace: a name that nothing matched in one trace and something in another is not.
  public internal(set) var warnings: [Diagnostic]

  init(_ entries: [RunReport.Entry], traces: [String]) {
    self.entries = entries
    self.traces = traces
    let all = entries.map(\.verification)
    rules = (all.first?.reports ?? []).indices.map { index in
      RuleSummary(
        zip(entries, traces).map { entry, trace in
          let verification = entry.verification
          return RuleSummary.Result(
            trace: trace, eventCount: verification.eventCount, report: verification.reports[index],
            rerun: entry.rerun)
        })
    }
    // Sets, as a contract of many names may have a warning for each.
    let others = all.dropFirst().map { Set($0.warnings) }
    warnings = all.first?.warnings.filter { warning in others.allSatisfy { $0.contains(warning) } } ?? []
  }

  public var name: String { entries.first?.verification.contract ?? "" }
  public var file: String { entries.first?.verification.file ?? "" }
}

/// How one rule fared on all traces of a run.
public struct RuleSummary: Hashable, Sendable {
  /// On one trace.
  public struct Result: Hashable, Sendable {
    public var trace: String
    /// How many events the trace has.
    public var eventCount: Int
    public var report: RuleReport
    public var rerun: String?
  }

  /// In the order of the traces; at least one.
  public let results: [Result]
  /// The report that decides over all of them: broken before open before unordered before kept; idle only where every
  /// trace is. Of equal ones the first.
  public let worst: RuleReport

  init(_ results: [Result]) {
    self.results = results
    // Of equal weights `max` would take the last.
    let reports = results.map(\.report)
    worst = reports.reversed().max { $0.verdict.weight < $1.verdict.weight } ?? reports[0]
  }

  public var rule: Rule { worst.rule }
  public var verdict: Verdict { worst.verdict }

  /// On how many of the traces something exercised the rule.
  public var exercised: Int { results.count { $0.report.verdict != .idle } }
}

extension Verdict {
  fileprivate var weight: Int {
    switch self {
    case .broken: 5
    case .open(leaning: .broken): 4
    case .unordered: 3
    case .open(leaning: .kept): 2
    case .holds: 1
    case .idle: 0
    }
  }
}

extension Verification {
  fileprivate func isOfSameContract(as other: Verification) -> Bool {
    file == other.file && contract == other.contract && reports.count == other.reports.count
  }
}
