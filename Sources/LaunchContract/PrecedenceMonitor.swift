import LaunchTrace

/// Rules 1 and 2: every trigger has a requirement whose instant lies before its own.
///
/// One requirement suffices for all later triggers, so the earliest settled one is all that is remembered of them; beside
/// it, what is not settled. An end that never comes triggers nothing.
struct PrecedenceMonitor: RuleMonitor {
  private let trigger: Side
  private let requirement: Side
  /// The settled requirement with the earliest instant.
  private var met: Occurrence?
  /// Requirements that are not settled, by id.
  private var candidates = NumberTable<Occurrence>()
  /// Triggers that are not settled, by id.
  private var waiting = NumberTable<Occurrence>()
  /// The settled trigger with the earliest instant of those that only candidates lie before. What saves it saves the
  /// others.
  private var hopeful: Occurrence?
  /// Of the candidates, those that lie before `hopeful` or may come to.
  private var hopes: Set<Int> = []
  private var breach: PrecedenceBreach?
  private var wasTriggered = false
  /// The last requirement that is settled and does not count.
  private var unfit: Occurrence?

  init(trigger: Side, requirement: Side) {
    self.trigger = trigger
    self.requirement = requirement
  }

  mutating func take(_ signals: [Signal]) {
    if breach != nil {
      for signal in signals { breach?.follow(signal.occurrence) }
      return
    }
    for signal in signals where signal.occurrence.name == requirement.name { takeRequirement(signal.occurrence) }
    for signal in signals where signal.occurrence.name == trigger.name { takeTrigger(signal.occurrence) }
  }

  private mutating func takeRequirement(_ occurrence: Occurrence) {
    // Nothing that starts now lies before what met the rule already.
    if met != nil, hopeful == nil, waiting.isEmpty { return }
    guard requirement.isSettled(occurrence) else {
      candidates[occurrence.id] = occurrence
      if let point = hopeful.flatMap(trigger.point), !couldPrecede(occurrence, point) { lose(occurrence.id) }
      return
    }
    candidates.take(occurrence.id)
    if requirement.counts(occurrence), let point = requirement.point(occurrence) {
      if met.flatMap(requirement.point).map({ point.precedes($0) }) ?? true { met = occurrence }
      if let saved = hopeful.flatMap(trigger.point), point.precedes(saved) {
        hopeful = nil
        hopes = []
      }
    } else {
      unfit = occurrence
    }
    lose(occurrence.id)
  }

  /// A candidate does not lie before `hopeful` after all.
  private mutating func lose(_ id: Int) {
    guard hopes.remove(id) != nil, hopes.isEmpty, let hopeful, let point = trigger.point(hopeful) else { return }
    breach = explain(hopeful, at: point)
  }

  private mutating func takeTrigger(_ occurrence: Occurrence) {
    guard trigger.isSettled(occurrence) else {
      waiting[occurrence.id] = occurrence
      return
    }
    waiting.take(occurrence.id)
    guard breach == nil, trigger.counts(occurrence), let point = trigger.point(occurrence) else { return }
    wasTriggered = true
    if met.flatMap(requirement.point)?.precedes(point) == true { return }
    if let earlier = hopeful.flatMap(trigger.point), earlier.precedes(point) { return }
    hopes = Set(candidates.values.filter { couldPrecede($0, point) }.map(\.id))
    if hopes.isEmpty { breach = explain(occurrence, at: point) } else { hopeful = occurrence }
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
    return candidates.values.contains { requirement.counts($0) && requirement.point($0)?.precedes(point) == true }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    var live = waiting.values.filter { trigger.counts($0) && trigger.point($0) != nil }
    if let hopeful { live.append(hopeful) }
    let unmet = live.filter { trigger.point($0).map(isMet) == false }
    if let first = unmet.min(by: { $0.start.precedes($1.start) }), let point = trigger.point(first) {
      return report(explain(first, at: point), horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(
      isFixed: horizon.isClosed || isSettledEarly, exercised: wasTriggered || !live.isEmpty, idle: trigger.absence)
  }

  /// Met once and for all: whatever comes has the requirement before it.
  private var isSettledEarly: Bool {
    guard wasTriggered, hopeful == nil, let point = met.flatMap(requirement.point) else { return false }
    return waiting.values.allSatisfy { trigger.point($0).map { point.precedes($0) } ?? true }
  }

  private func explain(_ occurrence: Occurrence, at point: Point) -> PrecedenceBreach {
    let before = candidates.values.filter { $0.start.precedes(point) }
    let open = before.filter { $0.end == nil }.max { $0.start.precedes($1.start) }
    let failed = before.filter { $0.end?.precedes(point) == true } + [unfit].compactMap(\.self)
    let last = failed.filter { $0.end?.precedes(point) == true }.max { $0.start.precedes($1.start) }
    return PrecedenceBreach(
      side: trigger, requirement: requirement, trigger: occurrence, unfit: last, overlapping: open, later: met)
  }

  private func report(_ breach: PrecedenceBreach, _ verdict: Verdict) -> Judgement {
    var judgement = breach.judgement(verdict, demand: requirement.momentDemand)
    if breach.later == nil, breach.overlapping == nil, breach.unfit == nil { judgement.note = requirement.absence }
    return judgement
  }
}
