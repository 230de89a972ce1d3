public import LaunchContract

/// A verification for people: one line a rule, the whole story for what is broken, and a summary.
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
  private let verification: Verification
  private let rerun: String?
  private let paint: Paint

  /// - Parameters:
  ///   - rerun: the command that reproduces a failure, printed with it.
  ///   - colour: whether verdicts are coloured, for a terminal.
  public init(_ verification: Verification, rerun: String? = nil, colour: Bool = false) {
    self.verification = verification
    self.rerun = rerun
    paint = Paint(isOn: colour)
  }

  /// The whole report, without a line break at its end.
  public var text: String {
    ([heading] + verification.reports.map(entry) + verification.warnings.map(line) + [summary])
      .joined(separator: "\n")
  }

  /// What is wrong alone: the rules that fail a run, without the rest; empty when nothing does.
  public var failures: String {
    verification.reports.filter { !$0.rule.isAdvice && $0.verdict.needsStory }.map(entry).joined(separator: "\n")
  }

  private var heading: String {
    let state = verification.isClosed ? "closed" : "cut"
    let events = "\(verification.eventCount) event\(verification.eventCount == 1 ? "" : "s")"
    return "\(verification.file) \"\(verification.contract)\" on \(verification.trace): \(events), \(state)".printable
  }

  private func entry(_ report: RuleReport) -> String {
    report.verdict.needsStory ? story(report) : shortLine(report)
  }

  private func shortLine(_ report: RuleReport) -> String {
    let note = report.note.map { "   (\($0.printable))" } ?? ""
    return "  \(paint.verdict(report.verdict, report.verdict.word.padded(to: 7))) \(report.title)\(note)"
  }

  private func story(_ report: RuleReport) -> String {
    var lines = [
      "\(report.rule.file.printable):\(report.rule.line): \(paint.verdict(report.verdict, report.verdict.description))  \(report.title)"
    ]
    lines += witness(report)
    if let note = report.note { lines.append("   \(note.printable)") }
    let count = report.witness.count
    if count > 0 { lines.append("   nothing else matters: \(count) of \(verification.eventCount) events") }
    if report.witness.isEmpty || !report.witness.contains(where: { $0.remark.contains(report.distance ?? "") }) {
      if let distance = report.distance { lines.append("   \(distance.printable)") }
    }
    if let nearMiss = report.nearMiss { lines.append("   near miss: \(nearMiss.printable)") }
    if let reason = report.rule.reason { lines.append("   because \(reason.printable)") }
    if let rerun { lines.append("   rerun: \(rerun.printable)") }
    return lines.joined(separator: "\n")
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

  private func line(_ warning: Diagnostic) -> String {
    "\(warning.file):\(warning.line):\(warning.column): \(warning.severity.rawValue): \(warning.message)".printable
  }

  var summary: String { Summary(verification.reports).description }
}

extension RuleReport {
  /// `advice: [R26] iam.page only after tags`, as a line of a report names a rule.
  fileprivate var title: String {
    ((rule.name.map { "[\($0)] " } ?? "") + (rule.isAdvice ? "advice: " : "") + rule.sentence).printable
  }
}

extension Verdict {
  /// Something is wrong, or would be if the trace ended here.
  fileprivate var needsStory: Bool {
    switch self {
    case .broken, .open(leaning: .broken), .unordered: true
    case .holds, .idle, .open(leaning: .kept): false
    }
  }

  fileprivate var word: String {
    if case .open = self { "OPEN" } else { description }
  }
}

/// How many rules fared how: `12 rules: 11 hold, 1 broken`. Advice is counted apart.
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
    let kinds: [(String, String, (Verdict) -> Bool)] = [
      ("holds", "hold", { $0 == .holds }), ("broken", "broken", { $0 == .broken }),
      ("open", "open", { $0 == .open(leaning: .kept) || $0 == .open(leaning: .broken) }),
      ("idle", "idle", { $0 == .idle }), ("unordered", "unordered", { $0 == .unordered }),
    ]
    let parts = kinds.compactMap { one, many, fits -> String? in
      let count = reports.count { fits($0.verdict) }
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
