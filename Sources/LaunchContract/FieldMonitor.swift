import LaunchJSON

/// Rule 19, `A has F = v`: a field of each occurrence passes a test.
///
/// A call is judged when no retry can give it another value: with its start, or when it is over for good.
struct FieldMonitor: RuleMonitor {
  private let side: Side
  private let condition: Condition
  private var undecided: Undecided
  private var breach: Occurrence?
  private var wasExercised = false

  init(side: Side, condition: Condition) {
    self.side = side
    self.condition = condition
    undecided = Undecided(side, field: condition.field)
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

  private func passes(_ occurrence: Occurrence) -> Bool { condition.holds(for: occurrence.values[condition.field]) }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let open = undecided.counting
    if let failing = open.first(where: { !passes($0) }) {
      return report(failing, horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: wasExercised || !open.isEmpty, idle: side.absence)
  }

  private func report(_ occurrence: Occurrence, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let field = condition.field
    let moment: Side.Moment = field.root.isOfAnswer ? .end : .start
    let remark = "<- needs \(condition.demand)"
    judgement.witness = [WitnessEvent(occurrence, moment, side.label, remark: remark)]
    let values = occurrence.values[field]
    if !values.isEmpty {
      judgement.note = "found \(field.text) = \(values.shown)"
    } else if field.root.isOfAnswer, occurrence.end == nil {
      judgement.note = "\(side.label) never ended, so it has no \(field.text)"
    } else {
      judgement.note = "\(side.label) has no \(field.text)"
    }
    return judgement
  }
}
