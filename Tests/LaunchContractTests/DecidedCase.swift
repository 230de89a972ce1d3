import LaunchContract
import LaunchTrace
import Testing

/// A small trace that must come out right, and what rules say about it: the table of the language reference.
struct DecidedCase: Sendable, CustomTestStringConvertible {
  struct Row: Sendable {
    var rule: String
    /// As a report prints it; `refused` for a rule that the parser does not take.
    var verdict: String
    /// A part of what the report says beside the verdict.
    var evidence: String?

    init(_ rule: String, _ verdict: String, _ evidence: String? = nil) {
      self.rule = rule
      self.verdict = verdict
      self.evidence = evidence
    }
  }

  var title: String
  var rows: [Row]
  var trace: Trace

  init(_ title: String, _ rows: [Row], isClosed: Bool = true, _ build: (inout TraceBuilder) -> Void) {
    self.title = title
    self.rows = rows
    trace = TraceBuilder.make(build).trace(isClosed: isClosed)
  }

  var testDescription: String { title }

  /// Expects what the table says of every rule.
  func check(_ location: SourceLocation = #_sourceLocation) {
    for row in rows {
      do {
        let report = try Contract.rule(row.rule).reports(on: trace)[0]
        #expect(report.verdict.description == row.verdict, "\(row.rule)", sourceLocation: location)
        guard let evidence = row.evidence else { continue }
        let said = ([report.distance, report.nearMiss, report.note] + report.witness.map(\.remark)).compactMap { $0 }
        #expect(said.contains { $0.contains(evidence) }, "\(row.rule): \(said)", sourceLocation: location)
      } catch {
        #expect(row.verdict == "refused", "\(error)", sourceLocation: location)
        if let evidence = row.evidence { #expect("\(error)".contains(evidence), sourceLocation: location) }
      }
    }
  }

  /// The table as the language reference prints it.
  static func markdown(_ cases: [DecidedCase]) -> String {
    let lines = cases.flatMap { one in
      one.rows.enumerated().map { index, row in
        "| \(index == 0 ? one.title : "") | `\(row.rule)` | \(row.verdict)\(row.evidence.map { ", \"\($0)\"" } ?? "") |"
      }
    }
    return (["| case | rule | verdict |", "|---|---|---|"] + lines).joined(separator: "\n")
  }
}

extension DecidedCase {
  private static let fetch = "https://api.adapty.io/api/v1/paywall/variations/p/d/"
  private static let precedence = "adjust.init only after att"
  private static let within = "paywall.shown within 5 s of fetch"

  /// Ten tiny traces on which tools of this kind disagree.
  static let tiny: [DecidedCase] = [
    .init("same millisecond, the answer recorded first", [.init(precedence, "HOLDS")]) {
      $0.mark("ATT answered", at: 5)
      $0.mark("start adjust initialization", at: 5)
    },
    .init(
      "same millisecond, the answer recorded last", [.init(precedence, "BROKEN", "too late, at the same time")]
    ) {
      $0.mark("start adjust initialization", at: 5)
      $0.mark("ATT answered", at: 5)
    },
    .init(
      "a call starts before the answer and ends after it", [.init("a only after att", "BROKEN", "still open")]
    ) {
      let call = $0.start("POST", "https://h.test/a", at: 60)
      $0.mark("ATT answered", at: 912)
      $0.answer(call, 200, at: 960)
    },
    .init("shown exactly 5000 ms after", [.init(within, "HOLDS")]) { $0.shown(after: 5000) },
    .init("shown 5001 ms after", [.init(within, "BROKEN", "1 ms too late")]) { $0.shown(after: 5001) },
    .init(
      "the trace is cut 1000 ms after the fetch", [.init(within, "OPEN, leaning broken")], isClosed: false
    ) {
      $0.shown(after: nil)
      $0.mark("m", at: 1010)
    },
    .init("no fetch at all", [.init(within, "IDLE", "fetch never came")]) { $0.mark("paywall.shown", at: 3) },
    .init(
      "one fetch, sent again after 500",
      [.init("exactly 1 fetch", "HOLDS"), .init("exactly 2 fetch", "BROKEN", "2 attempts, one call")]
    ) {
      $0.answer($0.start("GET", fetch, at: 10), 500, at: 20)
      $0.answer($0.start("GET", fetch, at: 30), 200, at: 40)
    },
    .init(
      "tags answered 500 only, then unpause",
      [
        .init("unpause only after tags", "BROKEN", "answered 500"),
        .init("unpause only after tags (answered 5xx)", "HOLDS"),
      ]
    ) {
      $0.answer($0.start("PATCH", "https://api.onesignal.com/apps/x/users/u", at: 10), 500, at: 20)
      $0.mark("unpause", at: 30)
    },
    .init("no event", [.init(precedence, "IDLE")]) { _ in },
  ]
}

extension TraceBuilder {
  fileprivate mutating func shown(after milliseconds: Int64?) {
    let fetch = start("GET", "https://api.adapty.io/api/v1/paywall/variations/p/d/", at: 10)
    answer(fetch, 200, at: 100)
    if let milliseconds { mark("paywall.shown", at: 10 + milliseconds) }
  }
}
