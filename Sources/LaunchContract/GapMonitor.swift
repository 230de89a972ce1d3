import LaunchTrace

/// Rule 7: each B starts long enough after the last A that was over before it.
///
/// The last A that is settled is enough, since time only grows; beside it, what ended and may be retried: a retry takes
/// it out of the past of the Bs that came in between.
struct GapMonitor: RuleMonitor {
  private let late: Side
  private let early: Side
  /// Microseconds.
  private let least: Int64
  /// The settled A whose instant came last.
  private var last: Occurrence?
  /// As whose instants came since the last settled B, and may yet go on; by id.
  private var recent = NumberTable<Occurrence>()
  /// The same once a settled B has come after them, with the B.
  private var tentative = NumberTable<Pair>()
  /// Bs of which it is open whether they count, by id.
  private var waiting = NumberTable<Waiting>()
  private var wasExercised = false
  private var idleness = Idleness()
  private var breach: Pair?

  private struct Pair {
    var early: Occurrence
    var late: Occurrence
  }

  /// What came though nothing exercised the rule.
  private struct Idleness {
    var hasLate = false
    var hasEarly = false
    /// As that have not ended, by id.
    var open: Set<Int> = []
    /// A B started while an A was open.
    var hasOverlap = false

    mutating func takeEarly(_ occurrence: Occurrence) {
      hasEarly = true
      if occurrence.end == nil { open.insert(occurrence.id) } else { open.remove(occurrence.id) }
    }

    mutating func takeLate() {
      hasLate = true
      if !open.isEmpty { hasOverlap = true }
    }
  }

  private struct Waiting {
    var late: Occurrence
    /// The settled A before it.
    var last: Occurrence?
    /// Unsettled As before it.
    var recent: [Occurrence]
  }

  init(late: Side, early: Side, least: Int64) {
    self.late = late
    self.early = early
    self.least = least
  }

  mutating func take(_ signals: [Signal]) {
    guard breach == nil else { return }
    // An A at the same event does not lie before.
    for signal in signals where signal.occurrence.name == late.name { takeLate(signal) }
    for signal in signals where signal.occurrence.name == early.name { takeEarly(signal) }
  }

  private mutating func takeEarly(_ signal: Signal) {
    let occurrence = signal.occurrence
    if !wasExercised { idleness.takeEarly(occurrence) }
    if signal.change == .resumed, early.moment == .end {
      recent.take(occurrence.id)
      tentative.take(occurrence.id)
    }
    guard early.counts(occurrence), let point = early.point(occurrence) else { return }
    if early.moment == .start, signal.change != .started, early.filter == .any { return }
    if !early.isSettled(occurrence) {
      recent[occurrence.id] = occurrence
    } else if last.flatMap(early.point).map({ $0.precedes(point) }) ?? true {
      last = occurrence
    }
  }

  private mutating func takeLate(_ signal: Signal) {
    let occurrence = signal.occurrence
    if signal.change == .started {
      if !wasExercised { idleness.takeLate() }
      let before = Waiting(late: occurrence, last: last, recent: Array(recent.values))
      if late.isSettled(occurrence) { decide(before) } else { waiting[occurrence.id] = before }
    } else if var before = waiting.take(occurrence.id) {
      before.late = occurrence
      if late.isSettled(occurrence) { decide(before) } else { waiting[occurrence.id] = before }
    }
  }

  /// Looks at a B that is settled.
  private mutating func decide(_ before: Waiting) {
    guard late.counts(before.late), breach == nil else { return }
    if let last = before.last {
      wasExercised = true
      let pair = Pair(early: last, late: before.late)
      if isTooClose(pair) { breach = pair }
    }
    for occurrence in before.recent where isStillOver(occurrence) {
      recent[occurrence.id] = nil
      let pair = Pair(early: occurrence, late: before.late)
      if tentative[occurrence.id] == nil || isTooClose(pair) { tentative[occurrence.id] = pair }
    }
  }

  /// Whether no retry has begun since.
  private func isStillOver(_ occurrence: Occurrence) -> Bool {
    let current = recent[occurrence.id] ?? tentative[occurrence.id]?.early
    return current?.end == occurrence.end
  }

  private func isTooClose(_ pair: Pair) -> Bool { gap(pair) < least }

  private func gap(_ pair: Pair) -> Int64 {
    early.point(pair.early).map { pair.late.start.microseconds(since: $0) } ?? .max
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    var supposed = self
    for before in waiting.values.sorted(by: { $0.late.start.precedes($1.late.start) }) { supposed.decide(before) }
    let close = supposed.tentative.values.filter(isTooClose).min { $0.late.start.precedes($1.late.start) }
    if let pair = supposed.breach ?? close {
      return report(pair, horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(
      isFixed: horizon.isClosed, exercised: supposed.wasExercised || !supposed.tentative.isEmpty,
      idle: idleNote)
  }

  private var idleNote: String {
    if !idleness.hasLate { return "\(late.label) never came" }
    if !idleness.hasEarly { return "\(early.label) never came" }
    if idleness.hasOverlap, early.moment == .end {
      return "\(late.label) came while \(early.label) was still open, and the time counts from its end"
    }
    return "no \(late.label) came after \(early.momentDemand)"
  }

  private func report(_ pair: Pair, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let missing = "\(Span.text(least - gap(pair))) too early"
    judgement.witness = [
      WitnessEvent(pair.early, early.moment, early.label, remark: pair.early.attemptNote),
      WitnessEvent(pair.late, .start, late.label, remark: "<- comes after \(Span.text(gap(pair))), \(missing)"),
    ]
    judgement.distance = missing
    if verdict != .broken, !pair.early.isFinal {
      judgement.note = "\(early.label) may yet be retried, and then does not lie before"
    }
    return judgement
  }
}
