public import LaunchContract
import LaunchDiagnostics

/// A verification for people: one line a rule, the whole story for what is broken, and a summary. Optional rules that are
/// idle are counted only.
///
/// ```swift
/// print(TextReport(contract.verification(of: trace)).text)
/// ```
///
/// ```
/// launch.contract "App launch" on first-launch: 214 events, closed
///   HOLDS   [R02] every onesignal.initialized is followed by splash.launch
/// launch.contract:14: BROKEN  [R10] adjust.session only after att.answered
///       0.060 s  adjust.session  POST /session starts  <- needs att.answered before it
///       0.912 s  att.answered    {status: 2}           comes 852 ms too late
///    nothing else matters: 2 of 214 events
///    near miss: adjust.session was still open when att.answered came (answered 200 at 0.960 s)
///    because the host and the idfa of a request depend on the answer
/// 2 rules: 1 holds, 1 broken
/// ```
public struct TextReport: Sendable {
  private let run: RunReport
  private let paint: Paint

  /// - Parameters:
  ///   - rerun: the command that reproduces a failure, printed with it.
  ///   - colour: whether verdicts are coloured, for a terminal.
  public init(_ verification: Verification, rerun: String? = nil, colour: Bool = false) {
    var run = RunReport()
    run.entries = [RunReport.Entry(verification, rerun: rerun)]
    self.init(run, colour: colour)
  }

  /// - Parameter colour: whether verdicts are coloured, for a terminal.
  public init(_ run: RunReport, colour: Bool = false) {
    self.run = run
    paint = Paint(isOn: colour)
  }

  /// The whole report, without a line break at its end.
  public var text: String {
    let contracts = run.contracts
    var lines = contracts.flatMap(section)
    lines += run.strengths.flatMap(Self.lines(about:))
    lines += run.doubts.map(Self.line)
    lines += run.problems.map { "not read: \($0.message)".printableLines }
    if contracts.count > 1 || !run.problems.isEmpty { lines.append(Self.total(of: run)) }
    return lines.joined(separator: "\n")
  }

  /// What is wrong alone: the rules that fail a run, without the rest; empty when nothing does.
  public var failures: String {
    run.contracts.flatMap { contract in contract.rules.filter { !$0.rule.isAdvice && $0.verdict.needsStory } }
      .flatMap(stories).joined(separator: "\n")
  }

  /// Everything about one rule on one trace, without colours.
  static func story(of result: RuleSummary.Result) -> String {
    TextReport(RunReport()).story(result, of: 1)
  }

  /// The same for a rule on a single trace.
  static func story(of summary: RuleSummary) -> String { summary.results.first.map(story(of:)) ?? "" }

  private func section(_ contract: ContractReport) -> [String] {
    heading(contract) + contract.rules.flatMap(entry) + contract.warnings.map(Self.line)
      + [Summary(contract.rules.map(\.worst)).description]
  }

  private func heading(_ contract: ContractReport) -> [String] {
    let title = "\(contract.file) \"\(contract.name)\" on ".printable
    let traces = zip(contract.entries, contract.traces).map { entry, trace in
      let events = "\(entry.verification.eventCount) event\(entry.verification.eventCount == 1 ? "" : "s")"
      return "\(trace): \(events), \(entry.verification.isClosed ? "closed" : "cut")".printable
    }
    return traces.count == 1 ? [title + traces[0]] : ["\(title)\(traces.count) traces"] + traces.map { "  " + $0 }
  }

  private func entry(_ summary: RuleSummary) -> [String] {
    if summary.verdict.needsStory { return stories(summary) }
    return summary.verdict == .idle && summary.rule.isOptional ? [] : [shortLine(summary)]
  }

  private func shortLine(_ summary: RuleSummary) -> String {
    let report = summary.worst
    var notes = report.note.map { [$0.printable] } ?? []
    if summary.exercised < summary.results.count, summary.results.count > 1 {
      notes.append("exercised in \(summary.exercised) of \(summary.results.count)")
    }
    let note = notes.isEmpty ? "" : "   (\(notes.joined(separator: "; ")))"
    return "  \(paint.verdict(report.verdict, report.verdict.word.padded(to: 7))) \(report.title)\(note)"
  }

  /// How many failures of one rule are told in full.
  private static let mostStories = 3

  private func stories(_ summary: RuleSummary) -> [String] {
    let wrong = summary.results.filter { $0.report.verdict.needsStory }
    var lines = wrong.prefix(Self.mostStories).map { story($0, of: summary.results.count) }
    let rest = wrong.dropFirst(Self.mostStories).map(\.trace)
    if !rest.isEmpty { lines.append("   the same rule fails on \(rest.joined(separator: ", "))".printable) }
    return lines
  }

  private func story(_ result: RuleSummary.Result, of count: Int) -> String {
    let report = result.report
    let trace = count == 1 ? "" : "     on \(result.trace)".printable
    let heading = "\(paint.verdict(report.verdict, report.verdict.description))  \(report.title)\(trace)"
    var lines = ["\(report.rule.file.printable):\(report.rule.line): \(heading)"]
    lines += details(report, eventCount: result.eventCount)
    if let rerun = result.rerun { lines.append("   rerun: \(rerun.printable)") }
    return lines.joined(separator: "\n")
  }

  private func details(_ report: RuleReport, eventCount: Int) -> [String] {
    var lines = witness(report)
    if let note = report.note { lines.append("   \(note.printable)") }
    let count = report.witness.count
    if count > 0 { lines.append("   nothing else matters: \(count) of \(eventCount) events") }
    if report.witness.isEmpty || !report.witness.contains(where: { $0.remark.contains(report.distance ?? "") }) {
      if let distance = report.distance { lines.append("   \(distance.printable)") }
    }
    if let nearMiss = report.nearMiss { lines.append("   near miss: \(nearMiss.printable)") }
    if let reason = report.rule.reason { lines.append("   because \(reason.printable)") }
    return lines
  }

  private func witness(_ report: RuleReport) -> [String] {
    let events = report.witness.prefix(5).map { event in
      var event = event
      (event.name, event.what, event.remark) = (event.name.printable, event.what.printable, event.remark.printable)
      return event
    }
    let nameWidth = events.map(\.name.count).max() ?? 0
    let whatWidth = events.map(\.what.count).max() ?? 0
    return events.map { event in
      let time = Span.clock(event.at).leftPadded(to: 13)
      return "\(time)  \(event.name.padded(to: nameWidth))  \(event.what.padded(to: whatWidth))  \(event.remark)"
        .trimmingTrailingSpaces
    }
  }

  static func line(_ warning: Diagnostic) -> String {
    "\(warning.file):\(warning.line):\(warning.column): \(warning.severity.rawValue): \(warning.message)".printable
  }

  /// What a contract protects of a trace.
  static func lines(about strength: Strength) -> [String] {
    var lines = [
      "strength of \(strength.contract) on \(strength.trace): \(strength.caught) of \(strength.mutants) mutants caught"
        .printable
    ]
    lines += strength.rules.map { "\(String($0.caught).leftPadded(to: 7))  \($0.rule.title)" }
    lines += strength.rules.filter { $0.caught == 0 }.map {
      "\($0.rule.file):\($0.rule.line): warning: this rule catches no mutant: \($0.rule.sentence)".printable
    }
    lines += strength.unprotected.map { "no rule protects \($0.name) at \(Span.clock($0.at))".printable }
    return lines
  }

  /// The line that sums up a whole run: `2 contracts on 3 traces: 58 rules: 57 hold, 1 broken`.
  static func total(of run: RunReport) -> String {
    let contracts = run.contracts
    let traces = Set(run.entries.map(run.traceLabel)).count
    var text =
      "\(contracts.count) contract\(contracts.count == 1 ? "" : "s") on \(traces) trace\(traces == 1 ? "" : "s"): "
    text += Summary(contracts.flatMap { $0.rules.map(\.worst) }).description
    let problems = run.problems.count
    if problems > 0 { text += "; \(problems) file\(problems == 1 ? "" : "s") could not be read" }
    return text
  }
}

extension Rule {
  /// `[R26] advice: iam.page only after tags`, as a line of a report names a rule.
  var title: String { ((name.map { "[\($0)] " } ?? "") + (isAdvice ? "advice: " : "") + sentence).printable }
}

extension RuleReport {
  fileprivate var title: String { rule.title }
}

extension Verdict {
  /// Something is wrong, or would be if the trace ended here.
  var needsStory: Bool {
    switch self {
    case .broken, .open(leaning: .broken), .unordered: true
    case .holds, .idle, .open(leaning: .kept): false
    }
  }

  var word: String {
    if case .open = self { "OPEN" } else { description }
  }
}

/// How many rules fared how: `12 rules: 10 hold, 1 broken, 1 optional idle`. Advice is counted apart.
struct Summary: CustomStringConvertible {
  private let reports: [RuleReport]

  init(_ reports: [RuleReport]) { self.reports = reports }

  var description: String {
    let rules = reports.filter { !$0.rule.isAdvice }
    let advice = reports.filter(\.rule.isAdvice)
    var text = "\(rules.count) rule\(rules.count == 1 ? "" : "s"): \(Self.counts(rules))"
    if !advice.isEmpty { text += "; \(advice.count) advice: \(Self.counts(advice))" }
    return text
  }

  private static func counts(_ reports: [RuleReport]) -> String {
    let kinds: [(String, String, (RuleReport) -> Bool)] = [
      ("holds", "hold", { $0.verdict == .holds }), ("broken", "broken", { $0.verdict == .broken }),
      ("open", "open", { $0.verdict == .open(leaning: .kept) || $0.verdict == .open(leaning: .broken) }),
      ("idle", "idle", { $0.verdict == .idle && !$0.rule.isOptional }),
      ("unordered", "unordered", { $0.verdict == .unordered }),
      ("optional idle", "optional idle", { $0.verdict == .idle && $0.rule.isOptional }),
    ]
    let parts = kinds.compactMap { one, many, fits -> String? in
      let count = reports.count(where: fits)
      return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

/// Colours for a terminal, or none.
private struct Paint: Sendable {
  var isOn: Bool

  func verdict(_ verdict: Verdict, _ text: String) -> String {
    guard isOn else { return text }
    let code =
      switch verdict {
      case .holds: 32
      case .broken: 31
      case .idle, .open, .unordered: 33
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
