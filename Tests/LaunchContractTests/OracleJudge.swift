import LaunchContract
import LaunchDiagnostics
import LaunchTrace
import TestSupport

/// Compares verdicts on one trace with the oracle. What a cut trace may still become is tried out.
struct OracleJudge {
  private let isClosed: Bool
  private let scenes: [OracleScene]
  /// What the trace may go on to be; none for a closed one.
  private let continuations: [[OracleScene]]

  init(_ trace: Trace, cast: [String], tries: Int, using generator: inout SeededGenerator) {
    isClosed = trace.isClosed
    scenes = OracleScene.launches(of: trace)
    continuations =
      isClosed
      ? []
      : (0..<tries).map { _ in
        OracleScene.launches(of: RandomLaunch.continuation(of: trace, cast: cast, using: &generator))
      }
  }

  /// Nil when `verdict` is the one that the definition asks for.
  func complaint(about verdict: Verdict, on rule: OracleRule) -> String? {
    let now = rule.closed(scenes)
    if isClosed { return now.verdict == verdict ? nil : "the definition says \(now)" }
    switch verdict {
    case .holds, .broken, .idle:
      let others = continuations.first { rule.closed($0).verdict != verdict }
      return others.map { "a continuation makes it \(rule.closed($0))" }
    case .open(let leaning):
      if rule.text.contains("launch.end") { return nil }
      return (leaning == .broken) == (now == .broken) ? nil : "it would be \(now) if the trace ended here"
    case .unordered: return "nothing is unordered here"
    }
  }

  /// Whether some continuation makes the rule anything but broken.
  func canBeKept(_ rule: OracleRule) -> Bool { continuations.contains { rule.closed($0) != .broken } }
}

extension OracleRule.Closed {
  var verdict: Verdict {
    switch self {
    case .holds: .holds
    case .broken: .broken
    case .idle: .idle
    }
  }
}

extension OracleRule {
  /// Alone in a contract.
  func contract() throws(DiagnosticsError) -> Contract {
    try Contract(parsing: OracleNames.declarations + text + "\n", file: "random.contract")
  }
}

/// Makes a trace smaller as long as the monitors and the oracle still differ about it.
struct OracleShrinking {
  let rule: OracleRule
  let cast: [String]

  /// What the oracle says against the verdict on `trace`.
  func complaint(_ trace: Trace) -> (verdict: Verdict, text: String)? {
    guard let verdict = try? rule.contract().reports(on: trace).first?.verdict else { return nil }
    var generator = SeededGenerator(seed: 1)
    let judge = OracleJudge(trace, cast: cast, tries: 40, using: &generator)
    return judge.complaint(about: verdict, on: rule).map { (verdict, $0) }
  }

  func smallest(_ trace: Trace) -> Trace {
    for piece in pieces(of: trace) {
      let smaller = trace.without(piece)
      if complaint(smaller) != nil { return smallest(smaller) }
    }
    return trace
  }

  /// What can be left out: a mark, a start, a call with its hops, the end of a call.
  private func pieces(of trace: Trace) -> [Set<Int>] {
    var calls: [Int: (all: Set<Int>, end: Set<Int>)] = [:]
    var roots: [Int: Int] = [:]
    var pieces: [Set<Int>] = []
    for (index, event) in trace.events.enumerated() {
      switch event.kind {
      case .mark, .launch: pieces.append([index])
      case .closed: continue
      case .call(let number, let step):
        if case .request(_, let from) = step {
          roots[number] = from.flatMap { roots[$0] } ?? number
          calls[roots[number] ?? number]?.end = []
        }
        calls[roots[number] ?? number, default: ([], [])].all.insert(index)
        if case .request = step { continue }
        calls[roots[number] ?? number]?.end.insert(index)
      }
    }
    for number in calls.keys.sorted() { pieces += calls[number].map { [$0.all, $0.end] } ?? [] }
    return pieces.filter { !$0.isEmpty }
  }
}
