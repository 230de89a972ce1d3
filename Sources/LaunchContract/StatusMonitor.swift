import LaunchTrace

/// Rule 19, `A is answered 2xx`: each attempt, or with `in the end` each logical call, gets one of the statuses. The
/// side's name says which.
struct StatusMonitor: RuleMonitor {
  private let side: Side
  private let statuses: StatusSet
  private var undecided: Undecided
  private var breach: Occurrence?
  private var wasExercised = false

  init(side: Side, statuses: StatusSet) {
    self.side = side
    self.statuses = statuses
    undecided = Undecided(side)
  }

  mutating func take(_ signals: [Signal]) {
    guard breach == nil else { return }
    for signal in signals where signal.occurrence.name == side.name {
      guard let occurrence = undecided.decide(signal.occurrence) else { continue }
      wasExercised = true
      if breach == nil, !passes(occurrence) { breach = occurrence }
    }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  var isSpent: Bool { breach == nil && wasExercised && undecided.isEmpty }

  /// An answer that then failed, or is still open, is none.
  private func passes(_ occurrence: Occurrence) -> Bool {
    switch occurrence.outcome {
    case .ok, .failed: occurrence.status.map(statuses.contains) ?? false
    case .error, .cancelled, .open: false
    }
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken, horizon) }
    let open = undecided.counting
    if let failing = open.first(where: { !passes($0) }) {
      return report(failing, horizon.isClosed ? .broken : .open(leaning: .broken), horizon)
    }
    return .kept(isFixed: horizon.isClosed, exercised: wasExercised || !open.isEmpty, idle: side.absence)
  }

  private func report(_ occurrence: Occurrence, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    let moment: Side.Moment = occurrence.end == nil ? .start : .end
    let remark = "<- must be answered \(statuses.text)"
    judgement.witness = [WitnessEvent(occurrence, moment, side.label, remark: remark)]
    if occurrence.end == nil {
      let waited = Span.text(horizon.last.microseconds(since: occurrence.start))
      judgement.note = "no answer in the \(waited) until the trace \(horizon.isClosed ? "ends" : "stops")"
    } else if occurrence.group == occurrence.id, occurrence.attempts > 1 {
      judgement.note = "the last of \(occurrence.attempts) attempts"
    }
    return judgement
  }
}
