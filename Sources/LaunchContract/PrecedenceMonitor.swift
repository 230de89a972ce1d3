import LaunchTrace

/// Rules 1 and 2: every trigger has a requirement whose instant lies before its own.
///
/// One requirement suffices for all later triggers, so the earliest settled one is all that is remembered; beside it,
/// what is open. An end that never comes triggers nothing.
struct PrecedenceMonitor: RuleMonitor {
  private let trigger: Side
  private let requirement: Side
  /// The settled requirement with the earliest instant.
  private var met: Occurrence?
  /// Requirements that are not settled, in the order they started.
  private var candidates: [Occurrence] = []
  /// Triggers without a requirement so far, of which something may still change.
  private var waiting: [Occurrence] = []
  private var breach: Breach?
  private var wasTriggered = false
  /// The last requirement that is settled and does not count.
  private var unfit: Occurrence?

  /// A trigger that nothing can help any more.
  private struct Breach {
    var trigger: Occurrence
    /// The requirement nearest to it that was over before and did not count.
    var unfit: Occurrence?
    /// A requirement that was open at the trigger's instant, as it went on.
    var overlapping: Occurrence?
    /// The first requirement that came after all, too late.
    var later: Occurrence?
  }

  init(trigger: Side, requirement: Side) {
    self.trigger = trigger
    self.requirement = requirement
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      if signal.occurrence.name == requirement.name { takeRequirement(signal.occurrence) }
      if signal.occurrence.name == trigger.name { takeTrigger(signal) }
    }
    settle()
  }

  private mutating func takeRequirement(_ occurrence: Occurrence) {
    follow(occurrence)
    candidates.removeAll { $0.id == occurrence.id }
    guard requirement.isSettled(occurrence) else { return candidates.append(occurrence) }
    guard requirement.counts(occurrence), let point = requirement.point(occurrence) else {
      unfit = occurrence
      return
    }
    if let earlier = met.flatMap(requirement.point), !point.precedes(earlier) { return }
    met = occurrence
  }

  /// A trigger that settles when it starts is decided then; later changes matter to those that wait.
  private mutating func takeTrigger(_ signal: Signal) {
    let occurrence = signal.occurrence
    if breach?.trigger.id == occurrence.id { breach?.trigger = occurrence }
    guard breach == nil else { return }
    if signal.change == .started { waiting.append(occurrence) } else { waiting.update(occurrence) }
  }

  /// Drops the triggers that are decided, and keeps the first that nothing can help.
  private mutating func settle() {
    guard breach == nil else { return }
    var rest: [Occurrence] = []
    for occurrence in waiting {
      guard trigger.isSettled(occurrence) else {
        rest.append(occurrence)
        continue
      }
      guard trigger.counts(occurrence), let point = trigger.point(occurrence) else { continue }
      wasTriggered = true
      if met.flatMap(requirement.point)?.precedes(point) == true { continue }
      if candidates.contains(where: { couldPrecede($0, point) }) {
        rest.append(occurrence)
      } else if breach == nil {
        breach = explain(occurrence, at: point)
      }
    }
    waiting = breach == nil ? rest : []
  }

  /// Whether an unsettled requirement counts as before `point`, or may come to.
  private func couldPrecede(_ candidate: Occurrence, _ point: Point) -> Bool {
    switch requirement.moment {
    case .start: candidate.start.precedes(point)
    case .end: requirement.counts(candidate) && candidate.end?.precedes(point) == true
    }
  }

  private func isMet(at point: Point) -> Bool {
    if met.flatMap(requirement.point)?.precedes(point) == true { return true }
    return candidates.contains { requirement.counts($0) && requirement.point($0)?.precedes(point) == true }
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let live = waiting.filter { trigger.counts($0) && trigger.point($0) != nil }
    if let unmet = live.first(where: { trigger.point($0).map(isMet) == false }), let point = trigger.point(unmet) {
      return report(explain(unmet, at: point), horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: wasTriggered || !live.isEmpty, idle: trigger.absence)
  }
}

extension PrecedenceMonitor {
  /// Keeps the breach's neighbours up to date.
  private mutating func follow(_ occurrence: Occurrence) {
    guard breach != nil else { return }
    if breach?.overlapping?.id == occurrence.id { breach?.overlapping = occurrence }
    if breach?.later == nil, requirement.isSettled(occurrence), requirement.counts(occurrence) {
      breach?.later = occurrence
    }
  }

  private func explain(_ occurrence: Occurrence, at point: Point) -> Breach {
    let open = candidates.last { $0.start.precedes(point) && $0.end == nil }
    let failed = ([unfit].compactMap(\.self) + candidates).last { $0.end?.precedes(point) == true }
    return Breach(trigger: occurrence, unfit: failed, overlapping: open, later: met)
  }

  private func report(_ breach: Breach, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    guard let point = trigger.point(breach.trigger) else { return judgement }
    let remark = "<- needs \(requirement.momentDemand) before it"
    judgement.witness = [WitnessEvent(breach.trigger, trigger.moment, trigger.label, remark: remark)]
    if let unfit = breach.unfit {
      let moment: Side.Moment = unfit.end == nil ? .start : .end
      judgement.witness.append(
        WitnessEvent(unfit, moment, requirement.label, remark: "is not ok, so it does not count"))
      judgement.nearMiss = "\(requirement.label) came before, \(unfit.fate)"
    }
    if let open = breach.overlapping {
      judgement.witness.append(WitnessEvent(open, .start, requirement.label, remark: "is still open then"))
      judgement.nearMiss = "\(requirement.label) had started before and was still open (\(open.fate))"
    }
    if let later = breach.later, let laterPoint = requirement.point(later) {
      let lateness = laterPoint.microseconds(since: point)
      let distance = lateness == 0 ? "too late, at the same time" : "\(Span.text(lateness)) too late"
      judgement.witness.append(WitnessEvent(later, requirement.moment, requirement.label, remark: "comes \(distance)"))
      judgement.distance = distance
      if judgement.nearMiss == nil, breach.trigger.isOpen(at: laterPoint) {
        judgement.nearMiss = "\(trigger.label) was still open when \(requirement.label) came (\(breach.trigger.fate))"
      }
    } else if breach.overlapping == nil, breach.unfit == nil {
      judgement.note = requirement.absence
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }
}
