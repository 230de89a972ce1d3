import LaunchTrace

/// Rules 4 and 6: every trigger has a requirement that starts after its instant, and, with a bound, is over in time.
///
/// Remembers the triggers that still wait, in the order of their instants, so that a requirement meets a whole beginning
/// of them; and those whose instant a retry may yet move.
struct ResponseMonitor: RuleMonitor {
  private let trigger: Side
  private let requirement: Side
  /// Microseconds from the trigger's instant to the requirement's, inclusive; nil for ever.
  /// With the tolerance.
  private let bound: Int64?
  private let tolerance: Int64
  /// Settled triggers that count and wait, in the order of their instants, from `head` on.
  private var queue: [Obligation] = []
  private var head = 0
  /// Triggers that are not settled and wait, by id.
  private var unsettled = NumberTable<Obligation>()
  /// The same once a requirement came too late for them; only a retry helps.
  private var missed = NumberTable<Obligation>()
  /// Triggers whose instant has not come, by id.
  private var open = NumberTable<Occurrence>()
  /// Unsettled triggers that are met, by id. A retry may undo that.
  private var met = NumberTable<Occurrence>()
  /// Requirements that are not settled, by id.
  private var candidates = NumberTable<Occurrence>()
  private var wasTriggered = false
  /// The first obligation that nothing can meet any more.
  private var breach: Obligation?
  /// The requirement that started last, whatever became of it.
  private var previous: Occurrence?
  /// The last requirement that failed or is open, and those that obligations name, by id.
  private var lastUnfit: Occurrence?
  private var unfit = NumberTable<Occurrence>()

  fileprivate struct Obligation {
    var trigger: Occurrence
    var from: Point
    /// The last requirement that started before this trigger's instant.
    var earlier: Occurrence?
    /// The first requirement between this trigger and the next that failed or is open, by id.
    var unfit: Int?
    /// The first requirement after it that failed or is open, once that is asked for.
    var insufficient: Occurrence?
    /// The first requirement after it that counts, and came too late.
    var late: Occurrence?
  }

  init(trigger: Side, requirement: Side, bound: Int64?, tolerance: Int64 = 0) {
    self.trigger = trigger
    self.requirement = requirement
    self.bound = bound?.plusClamped(tolerance)
    self.tolerance = tolerance
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      expire(at: signal.occurrence.end ?? signal.occurrence.start)
      if signal.occurrence.name == trigger.name { takeTrigger(signal) }
      if signal.occurrence.name == requirement.name { takeRequirement(signal.occurrence) }
    }
  }
}

/// Triggers.
extension ResponseMonitor {
  private mutating func takeTrigger(_ signal: Signal) {
    guard breach == nil else { return }
    let occurrence = signal.occurrence
    if trigger.filter == .any, trigger.moment == .start {
      if signal.change == .started { enqueue(obligation(occurrence, from: occurrence.start)) }
      return
    }
    open.take(occurrence.id)
    let waiting = unsettled.take(occurrence.id) ?? missed.take(occurrence.id)
    let wasMet = met.take(occurrence.id) != nil
    guard let from = trigger.point(occurrence) else {
      open[occurrence.id] = occurrence
      return
    }
    // The start stays where it is, and an end that is told anew has moved.
    let isKnown = trigger.moment == .start && signal.change != .started
    var current = isKnown ? waiting ?? obligation(occurrence, from: from) : obligation(occurrence, from: from)
    current.trigger = occurrence
    let isMet = isKnown && wasMet
    if !trigger.isSettled(occurrence) {
      if isMet { met[occurrence.id] = occurrence } else { keep(current) }
    } else if trigger.counts(occurrence) {
      if isMet { wasTriggered = true } else { enqueue(current) }
    }
  }

  private func obligation(_ occurrence: Occurrence, from: Point) -> Obligation {
    Obligation(trigger: occurrence, from: from, earlier: previous)
  }

  private mutating func keep(_ obligation: Obligation) {
    if obligation.late == nil {
      unsettled[obligation.trigger.id] = obligation
    } else {
      missed[obligation.trigger.id] = obligation
    }
  }

  /// Nearly always at the end.
  private mutating func enqueue(_ obligation: Obligation) {
    wasTriggered = true
    if obligation.late != nil, !isCovered(obligation.from) { return fail(obligation) }
    var place = queue.count
    while place > head, obligation.from.precedes(queue[place - 1].from) { place -= 1 }
    queue.insert(obligation, at: place)
  }

  private mutating func fail(_ obligation: Obligation) {
    var obligation = obligation
    obligation.insufficient = firstUnfit(after: obligation.from)
    breach = obligation
    (queue, head, unsettled, missed, open, met, unfit) = ([], 0, [:], [:], [:], [:], [:])
  }

  /// Drops the oldest.
  private mutating func dequeue() {
    if let id = queue[head].unfit { unfit.take(id) }
    head += 1
    guard head == queue.count || head > 32 && head > queue.count / 2 else { return }
    queue.removeFirst(head)
    head = 0
  }

  /// Gives up the first that time has run out for.
  private mutating func expire(at now: Point) {
    if breach == nil, let lost = expired(at: now) { fail(lost) }
  }

  private func expired(at now: Point) -> Obligation? {
    guard let bound else { return nil }
    var place = head
    while place < queue.count, now.microseconds(since: queue[place].from) > bound {
      if !isCovered(queue[place].from) { return queue[place] }
      place += 1
    }
    return nil
  }

  /// Whether an unsettled requirement meets an obligation from that instant on as things stand.
  private func isCovered(_ from: Point) -> Bool {
    requirement.filter != .ok && candidates.values.contains { requirement.counts($0) && meets($0, from) }
  }
}

/// Requirements.
extension ResponseMonitor {
  private mutating func takeRequirement(_ occurrence: Occurrence) {
    if previous.map({ $0.start.position <= occurrence.start.position }) ?? true { previous = occurrence }
    let isSettled = requirement.isSettled(occurrence)
    if isSettled { candidates.take(occurrence.id) } else { candidates[occurrence.id] = occurrence }
    if isSettled, requirement.counts(occurrence) {
      breach?.take(occurrence)
      serve(occurrence)
    } else {
      breach?.take(insufficient: occurrence)
      note(unfit: occurrence)
    }
  }

  /// Meets what it is in time for.
  private mutating func serve(_ occurrence: Occurrence) {
    var place = head
    while place < queue.count, queue[place].from.precedes(occurrence.start) {
      if meets(occurrence, queue[place].from) {
        if place == head {
          // It may have moved the rest to the front.
          dequeue()
          place = head
        } else {
          queue.remove(at: place)
        }
        continue
      }
      if queue[place].late == nil { queue[place].late = occurrence }
      guard isCovered(queue[place].from) else { return fail(queue[place]) }
      place += 1
    }
    for obligation in unsettled.values where obligation.from.precedes(occurrence.start) {
      let id = obligation.trigger.id
      unsettled.take(id)
      if meets(occurrence, obligation.from) {
        met[id] = obligation.trigger
      } else {
        var obligation = obligation
        obligation.late = occurrence
        missed[id] = obligation
      }
    }
  }

  /// Whether the requirement, which counts, starts after the trigger's instant and is over in time.
  private func meets(_ occurrence: Occurrence, _ from: Point) -> Bool {
    guard from.precedes(occurrence.start) else { return false }
    guard let bound else { return true }
    return requirement.point(occurrence).map { $0.microseconds(since: from) <= bound } ?? false
  }

  /// Remembers what did not suffice, with the last trigger before it.
  private mutating func note(unfit occurrence: Occurrence) {
    lastUnfit = occurrence
    if unfit.contains(occurrence.id) {
      unfit[occurrence.id] = occurrence
    } else if case let last = queue.count - 1, last >= head, queue[last].unfit == nil,
      queue[last].from.precedes(occurrence.start)
    {
      queue[last].unfit = occurrence.id
      unfit[occurrence.id] = occurrence
    }
  }

  private func firstUnfit(after point: Point) -> Occurrence? {
    for obligation in queue[head...] where !obligation.from.precedes(point) {
      if let first = obligation.unfit.flatMap({ unfit[$0] }) { return first }
    }
    return lastUnfit.flatMap { point.precedes($0.start) ? $0 : nil }
  }
}

/// Verdicts.
extension ResponseMonitor {
  func isBroken(_ horizon: Horizon) -> Bool {
    if breach != nil || expired(at: horizon.last) != nil { return true }
    guard horizon.isComplete else { return false }
    return queue[head...].contains { isLost($0, horizon) }
      || trigger.filter == .any && (!open.isEmpty || unsettled.values.contains { isLost($0, horizon) })
  }

  var deadline: Instant? {
    guard let bound, head < queue.count else { return nil }
    let (end, overflow) = queue[head].from.at.microseconds.addingReportingOverflow(bound)
    return overflow ? nil : Instant(microseconds: end)
  }

  var isSpent: Bool {
    breach == nil && wasTriggered && head == queue.count && unsettled.isEmpty && missed.isEmpty && open.isEmpty
      && met.isEmpty
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken, horizon) }
    let pending = open.values.map { Obligation(trigger: $0, from: $0.start, earlier: previous) }
    let supposed = (Array(unsettled.values) + Array(missed.values) + pending).filter { trigger.counts($0.trigger) }
    let unmet = (queue[head...] + supposed).filter { !isCovered($0.from) }
      .sorted { $0.trigger.start.precedes($1.trigger.start) }
    if let lost = unmet.first(where: { isLost($0, horizon) }) { return report(explained(lost), .broken, horizon) }
    if let first = unmet.first { return report(explained(first), .open(leaning: .broken), horizon) }
    let isFixed = horizon.isClosed || horizon.isComplete && nothingWaits
    let isExercised = wasTriggered || !supposed.isEmpty || met.values.contains(where: trigger.counts)
    return .kept(isFixed: isFixed, exercised: isExercised, idle: trigger.absence)
  }

  private var nothingWaits: Bool {
    head == queue.count && unsettled.isEmpty && missed.isEmpty && open.isEmpty && met.isEmpty
  }

  /// Whether nothing that may come can meet an obligation that is not met.
  private func isLost(_ obligation: Obligation, _ horizon: Horizon) -> Bool {
    if horizon.isClosed { return true }
    let isCertain = trigger.isSettled(obligation.trigger)
    if let bound, isCertain, horizon.last.microseconds(since: obligation.from) > bound { return true }
    guard horizon.isComplete, trigger.filter == .any || isCertain, !isCovered(obligation.from) else { return false }
    // An end that is still to come lies after everything that started in the stretch.
    guard trigger.point(obligation.trigger) != nil else { return true }
    return !candidates.values.contains { obligation.from.precedes($0.start) }
  }

  private func explained(_ obligation: Obligation) -> Obligation {
    var obligation = obligation
    obligation.insufficient = firstUnfit(after: obligation.from)
    return obligation
  }

  private func report(_ obligation: Obligation, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    var remark = "<- needs \(requirement.demand) after it"
    if let bound { remark += " within \(Span.text(bound.minusClamped(tolerance)))" }
    if tolerance > 0 { remark += " ± \(Span.text(tolerance))" }
    judgement.witness = [WitnessEvent(obligation.trigger, trigger.moment, trigger.label, remark: remark)]
    guard let from = trigger.point(obligation.trigger) else {
      judgement.note = "\(trigger.label) never ended"
      return judgement
    }
    if let found = obligation.insufficient, found.id != obligation.late?.id {
      describe(insufficient: found, &judgement)
    }
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

extension ResponseMonitor.Obligation {
  /// Keeps a breach up to date with a requirement that counts.
  fileprivate mutating func take(_ occurrence: Occurrence) {
    guard from.precedes(occurrence.start) else { return }
    if insufficient?.id == occurrence.id { insufficient = nil }
    if late == nil { late = occurrence }
  }

  /// The same with one that failed or is open.
  fileprivate mutating func take(insufficient occurrence: Occurrence) {
    guard from.precedes(occurrence.start) else { return }
    if insufficient == nil || insufficient?.id == occurrence.id { insufficient = occurrence }
  }
}
