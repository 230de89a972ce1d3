import LaunchTrace

/// Rules 4 and 6: every trigger has a requirement that starts after its instant, and, with a bound, is over in time.
///
/// Remembers the triggers that still wait, and those whose instant a retry may yet move.
struct ResponseMonitor: RuleMonitor {
  private let trigger: Side
  private let requirement: Side
  /// Microseconds from the trigger's instant to the requirement's, inclusive; nil for ever.
  private let bound: Int64?
  /// In the order of their starts.
  private var obligations: [Obligation] = []
  /// Requirements that are not settled.
  private var candidates: [Occurrence] = []
  private var wasTriggered = false
  /// The first obligation that nothing can meet any more.
  private var breach: Obligation?
  /// The requirement seen last, whatever became of it.
  private var previous: Occurrence?

  private struct Obligation {
    var trigger: Occurrence
    /// A settled requirement met it. A retry of the trigger undoes that.
    var isMet = false
    /// The last requirement that started before this trigger's instant.
    var earlier: Occurrence?
    /// The first requirement after it that failed or is open.
    var insufficient: Occurrence?
    /// The first requirement after it that counts, and came too late.
    var late: Occurrence?

    /// The trigger's instant has moved, so everything found is void.
    mutating func restart(after previous: Occurrence?) {
      self = Obligation(trigger: trigger, earlier: previous)
    }
  }

  init(trigger: Side, requirement: Side, bound: Int64?) {
    self.trigger = trigger
    self.requirement = requirement
    self.bound = bound
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      expire(at: signal.occurrence)
      if signal.occurrence.name == trigger.name { takeTrigger(signal) }
      if signal.occurrence.name == requirement.name { takeRequirement(signal.occurrence) }
    }
  }

  private mutating func takeTrigger(_ signal: Signal) {
    guard breach == nil else { return }
    if signal.change == .started {
      obligations.append(Obligation(trigger: signal.occurrence, earlier: previous))
    } else if let index = obligations.firstIndex(where: { $0.trigger.id == signal.occurrence.id }) {
      obligations[index].trigger = signal.occurrence
      if trigger.moment == .end { obligations[index].restart(after: previous) }
      if isDecided(obligations[index]) { remove(at: index) }
    }
  }

  private mutating func takeRequirement(_ occurrence: Occurrence) {
    if previous.map({ $0.start.position <= occurrence.start.position }) ?? true { previous = occurrence }
    candidates.removeAll { $0.id == occurrence.id }
    let isSettled = requirement.isSettled(occurrence)
    if !isSettled { candidates.append(occurrence) }
    for index in obligations.indices.reversed() where !obligations[index].isMet {
      if isSettled, meets(occurrence, obligations[index].trigger) {
        obligations[index].isMet = true
        if isDecided(obligations[index]) { remove(at: index) }
      } else {
        note(occurrence, in: &obligations[index])
      }
    }
    if var missed = breach {
      note(occurrence, in: &missed)
      breach = missed
    }
  }

  /// Remembers a requirement that came after the trigger and did not suffice.
  private func note(_ occurrence: Occurrence, in obligation: inout Obligation) {
    guard let from = trigger.point(obligation.trigger), from.precedes(occurrence.start) else { return }
    if requirement.isSettled(occurrence), requirement.counts(occurrence) {
      if obligation.insufficient?.id == occurrence.id { obligation.insufficient = nil }
      if obligation.late == nil { obligation.late = occurrence }
    } else if obligation.insufficient == nil || obligation.insufficient?.id == occurrence.id {
      obligation.insufficient = occurrence
    }
  }

  /// Whether nothing can change about the obligation: its trigger is settled and either does not count or is met.
  private func isDecided(_ obligation: Obligation) -> Bool {
    trigger.isSettled(obligation.trigger) && (obligation.isMet || !trigger.counts(obligation.trigger))
  }

  private mutating func remove(at index: Int) {
    if trigger.counts(obligations.remove(at: index).trigger) { wasTriggered = true }
  }

  /// Gives up the oldest obligation once its time has run out, and with it all others: the rule is broken. Only saves
  /// memory, `judge` would find it too.
  private mutating func expire(at occurrence: Occurrence) {
    guard breach == nil, let oldest = obligations.first else { return }
    guard isHopeless(oldest, at: occurrence.end ?? occurrence.start) else { return }
    breach = oldest
    obligations = []
  }

  /// Whether the requirement starts after the trigger's instant and, as it stands, counts and is in time.
  private func meets(_ occurrence: Occurrence, _ triggering: Occurrence) -> Bool {
    guard requirement.counts(occurrence), let from = trigger.point(triggering), from.precedes(occurrence.start) else {
      return false
    }
    guard let bound else { return true }
    return requirement.point(occurrence).map { $0.microseconds(since: from) <= bound } ?? false
  }

  private func isUnmet(_ obligation: Obligation) -> Bool {
    trigger.counts(obligation.trigger) && !obligation.isMet
      && !candidates.contains { meets($0, obligation.trigger) }
  }

  /// Whether no event at `now` or later can meet the obligation.
  private func isHopeless(_ obligation: Obligation, at now: Point) -> Bool {
    guard let bound, isUnmet(obligation), trigger.isSettled(obligation.trigger),
      let from = trigger.point(obligation.trigger)
    else { return false }
    return now.microseconds(since: from) > bound
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken, horizon) }
    let unmet = obligations.filter(isUnmet)
    if let hopeless = unmet.first(where: { isLost($0, horizon) }) { return report(hopeless, .broken, horizon) }
    if let first = unmet.first { return report(first, .open(leaning: .broken), horizon) }
    let isExercised = wasTriggered || obligations.contains { trigger.counts($0.trigger) }
    let isFixed = horizon.isClosed || horizon.isComplete && obligations.isEmpty
    return .kept(isFixed: isFixed, exercised: isExercised, idle: trigger.absence)
  }

  private func isLost(_ obligation: Obligation, _ horizon: Horizon) -> Bool {
    if horizon.isClosed || isHopeless(obligation, at: horizon.last) { return true }
    guard horizon.isComplete, trigger.filter == .any || obligation.trigger.isFinal else { return false }
    // An end that is still to come lies after everything that started in the stretch.
    guard let from = trigger.point(obligation.trigger) else { return true }
    return !candidates.contains { from.precedes($0.start) }
  }
}

extension ResponseMonitor {
  private func report(_ obligation: Obligation, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    var remark = "<- needs \(requirement.demand) after it"
    if let bound { remark += " within \(Span.text(bound))" }
    judgement.witness = [WitnessEvent(obligation.trigger, trigger.moment, trigger.label, remark: remark)]
    guard let from = trigger.point(obligation.trigger) else {
      judgement.note = "\(trigger.label) never ended"
      return judgement
    }
    if let found = obligation.insufficient { describe(insufficient: found, &judgement) }
    if let late = obligation.late { describe(late: late, from, &judgement) }
    if judgement.witness.count == 1 {
      let reach = Span.text(horizon.last.microseconds(since: from))
      judgement.note = "no \(requirement.label) in the \(reach) until the trace \(horizon.isClosed ? "ends" : "stops")"
      if let earlier = obligation.earlier {
        judgement.nearMiss = "the last \(requirement.label) was before it, at \(Span.clock(earlier.start.at))"
      }
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }

  private func describe(insufficient found: Occurrence, _ judgement: inout Judgement) {
    let moment: Side.Moment = found.end == nil ? .start : .end
    let remark = found.end == nil ? "never ends" : "does not count"
    judgement.witness.append(WitnessEvent(found, moment, requirement.label, remark: remark))
    judgement.nearMiss = "\(requirement.label) came after it, \(found.fate)"
  }

  private func describe(late: Occurrence, _ from: Point, _ judgement: inout Judgement) {
    guard let bound, let point = requirement.point(late) else { return }
    let taken = point.microseconds(since: from)
    let excess = "\(Span.text(taken.minusClamped(bound))) too late"
    judgement.distance = excess
    judgement.witness.append(
      WitnessEvent(late, requirement.moment, requirement.label, remark: "comes after \(Span.text(taken)), \(excess)"))
  }
}
