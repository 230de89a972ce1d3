import LaunchContract
import LaunchHTTP
import LaunchTrace
import TestSupport
import Testing

/// The monitors against the definitions, on random rules and random small traces.
struct OracleTests {
  @Test(arguments: 0..<8)
  func `monitors agree with the definitions`(batch: UInt64) throws {
    var generator = SeededGenerator(seed: 20_261_130 &+ batch &* 7919)
    var seen: [Verdict: Int] = [:]
    for _ in 0..<2600 {
      let sentence = Oracle.Sentence.random(using: &generator)
      let trace = RandomLaunch.trace(using: &generator)
      let verdict = try Contract(parsing: OracleTests.header + sentence.text, file: "random").reports(on: trace)[0]
        .verdict
      seen[verdict, default: 0] += 1
      let judge = Judge(oracle: Oracle(sentence: sentence), trace: trace)
      if let complaint = judge.complaint(about: verdict, using: &generator) {
        Issue.record("\(sentence.text): \(verdict), but \(complaint)\n\(trace.listing)")
        return
      }
    }
    // Every verdict occurs often enough for agreement to mean something.
    for verdict in [Verdict.holds, .broken, .idle, .open(leaning: .kept), .open(leaning: .broken)] {
      #expect(seen[verdict, default: 0] > 100, "\(verdict): \(seen)")
    }
  }

  static let header = """
    contract "random" version 1
    mark m, n
    call a = POST https://h.test/a
    call b = POST https://h.test/b ok 2xx, 409

    """
}

/// Compares a verdict with the oracle. What a cut trace may still become is tried out: continuations of it.
private struct Judge {
  var oracle: Oracle
  var trace: Trace

  func complaint(about verdict: Verdict, using generator: inout SeededGenerator) -> String? {
    let now = closed(trace.events)
    if trace.isClosed { return matches(now, verdict) ? nil : "the definition says \(now)" }
    let tries = verdict == .open(leaning: .kept) || verdict == .open(leaning: .broken) ? 600 : 10
    var (canKeep, canBreak, canIdle) = (now == .holds, now == .broken, now == .idle)
    for _ in 0..<tries {
      switch closed(RandomLaunch.continuation(of: trace, using: &generator).events) {
      case .holds: canKeep = true
      case .broken: canBreak = true
      case .idle: canIdle = true
      }
      if isOpenEnough(verdict, canKeep || canIdle, canBreak) { break }
    }
    switch verdict {
    case .broken: return canKeep || canIdle ? "a continuation keeps it" : nil
    case .holds: return canBreak || canIdle ? "a continuation does not keep it" : nil
    case .idle: return canBreak || canKeep ? "a continuation exercises it" : nil
    case .open(.broken):
      if now != .broken { return "it would be \(now) if the trace ended here" }
      return canKeep || canIdle || entails ? nil : "no continuation keeps it"
    case .open(.kept):
      if now == .broken { return "it would be broken if the trace ended here" }
      return !settles || entails || canBreak || canKeep && canIdle ? nil : "no continuation changes it"
    case .unordered: return "nothing is unordered here"
    }
  }

  private func isOpenEnough(_ verdict: Verdict, _ canKeep: Bool, _ canBreak: Bool) -> Bool {
    switch verdict {
    case .open(.broken): canKeep || entails
    case .open(.kept): !settles || entails || canBreak
    default: false
    }
  }

  /// Monitors treat names as independent, so they do not conclude from there being one begin, or from every `a` being
  /// one of `calls`, that a continuation is impossible: they stay open where they might be sure.
  private var entails: Bool { ["launch.", "calls"].contains { oracle.sentence.text.contains($0) } }

  /// Rules about "only after" and "followed by" stay open on a cut trace; counts and closed stretches settle.
  private var settles: Bool {
    if case .before = oracle.sentence.stretch { return true }
    if case .count = oracle.sentence.kind { return true }
    return false
  }

  /// Launches of one trace are judged alone, and one broken one breaks the rule.
  private func closed(_ events: [Event]) -> Oracle.Closed {
    var verdicts: [Oracle.Closed] = []
    var start = 0
    for index in events.indices.dropFirst() {
      if case .launch = events[index].kind {
        let end = Event(at: events[index].at, .closed(Closing(events: 0)))
        verdicts.append(oracle.closed(Array(events[start..<index]) + [end], offset: start))
        start = index
      }
    }
    verdicts.append(oracle.closed(Array(events[start...]), offset: start))
    if verdicts.contains(.broken) { return .broken }
    return verdicts.contains(.holds) ? .holds : .idle
  }

  private func matches(_ closed: Oracle.Closed, _ verdict: Verdict) -> Bool {
    switch (closed, verdict) {
    case (.holds, .holds), (.broken, .broken), (.idle, .idle): true
    default: false
    }
  }
}
