import LaunchTrace

/// Rule 22: after each trigger a requirement comes in time, or else a fallback at the moment when the time is up.
///
/// What comes first decides. A requirement in time with no fallback before it keeps the rule, and so does a fallback in
/// the window from the bound to the bound with its tolerance and no requirement before it. A fallback that comes too
/// early only forbids later requirements: another one may still come at the right moment.
struct FallbackMonitor: RuleMonitor {
  /// A requirement or a fallback that came after some trigger.
  private struct Answer {
    var occurrence: Occurrence
    /// A requirement's own instant, a fallback's start.
    var point: Point
    var isFallback: Bool
  }

  private struct Breach {
    var trigger: Occurrence
    /// A fallback that came before the time was up.
    var early: Occurrence?
    /// What came too late, or after the early fallback.
    var requirement: Occurrence?
    var late: Occurrence?
  }

  private let trigger: Side
  private let requirement: Side
  private let fallback: Side
  private let bound: Int64
  /// The bound with its tolerance: until then either may come.
  private let limit: Int64
  /// Triggers that wait, in the order of their starts.
  private var waiting: ArraySlice<Occurrence> = []
  /// Triggers that count or not by their outcome, as they are now, while they wait or have failed.
  private var unsettled: [Int: Occurrence] = [:]
  /// Unsettled triggers that would break the rule.
  private var failing: [Int: Breach] = [:]
  /// What came since the oldest trigger that waits and cannot be applied, because it, or something before it, may
  /// change.
  private var held: [Answer] = []
  /// The last fallback that came too early for some trigger that waits.
  private var early: Occurrence?
  private var triggered: Happening
  private var breach: Breach?

  init(trigger: Side, requirement: Side, bound: Int64, tolerance: Int64, fallback: Side) {
    self.trigger = trigger
    self.requirement = requirement
    self.fallback = fallback
    self.bound = bound
    limit = bound.plusClamped(tolerance)
    triggered = Happening(trigger)
  }

  mutating func take(_ signals: [Signal]) {
    triggered.take(signals)
    if breach != nil { return noteLate(signals) }
    if let occurrence = signals.first?.occurrence { expire(at: occurrence.end ?? occurrence.start) }
    for signal in signals where signal.occurrence.name == trigger.name { takeTrigger(signal) }
    for signal in signals where signal.occurrence.name == fallback.name { takeFallback(signal) }
    for signal in signals where signal.occurrence.name == requirement.name { takeRequirement(signal) }
    drain(all: false)
    if breach != nil { noteLate(signals) }
  }

  private mutating func takeTrigger(_ signal: Signal) {
    let occurrence = signal.occurrence
    if signal.change == .started { waiting.append(occurrence) }
    guard trigger.filter != .any, signal.change == .started || unsettled[occurrence.id] != nil else { return }
    unsettled[occurrence.id] = occurrence
    guard occurrence.isFinal, var failed = failing.removeValue(forKey: occurrence.id) else { return }
    unsettled[occurrence.id] = nil
    failed.trigger = occurrence
    if trigger.counts(occurrence), breach == nil { breach = failed }
  }

  /// A fallback's moment is its start, whether it counts may turn out later.
  private mutating func takeFallback(_ signal: Signal) {
    let occurrence = signal.occurrence
    if let index = held.firstIndex(where: { $0.isFallback && $0.occurrence.id == occurrence.id }) {
      held[index].occurrence = occurrence
    } else if signal.change == .started, !waiting.isEmpty {
      held.append(Answer(occurrence: occurrence, point: occurrence.start, isFallback: true))
    }
  }

  /// A requirement's moment is, as a rule, its end; a retry takes that back.
  private mutating func takeRequirement(_ signal: Signal) {
    let occurrence = signal.occurrence
    if requirement.filter == .any, requirement.moment == .start, signal.change != .started { return }
    held.removeAll { !$0.isFallback && $0.occurrence.id == occurrence.id }
    guard !waiting.isEmpty, requirement.counts(occurrence), let point = requirement.point(occurrence) else { return }
    held.append(Answer(occurrence: occurrence, point: point, isFallback: false))
  }

  /// Applies what is held in its order: up to the first that may change, or all as things stand.
  private mutating func drain(all: Bool) {
    var rest = held[...]
    while let answer = rest.first, !waiting.isEmpty {
      let side = answer.isFallback ? fallback : requirement
      guard all || isSettled(answer) else { break }
      rest.removeFirst()
      guard side.counts(answer.occurrence) else { continue }
      if answer.isFallback { apply(fallback: answer.occurrence) } else { apply(answer) }
    }
    held = waiting.isEmpty ? [] : Array(rest)
    if waiting.isEmpty { early = nil }
  }

  private func isSettled(_ answer: Answer) -> Bool {
    let side = answer.isFallback ? fallback : requirement
    return answer.occurrence.isFinal || side.filter == .any && (answer.isFallback || side.moment == .start)
  }

  /// Decides every trigger before it.
  private mutating func apply(_ answer: Answer) {
    while let oldest = waiting.first, oldest.start.precedes(answer.occurrence.start) {
      waiting.removeFirst()
      let before = earlyFallback(after: oldest)
      if before != nil || answer.point.microseconds(since: oldest.start) > limit {
        fail(Breach(trigger: oldest, early: before, requirement: answer.occurrence))
      } else {
        unsettled[oldest.id] = nil
      }
    }
  }

  /// Decides the triggers whose time is up.
  private mutating func apply(fallback occurrence: Occurrence) {
    while let oldest = waiting.first, oldest.start.precedes(occurrence.start) {
      let elapsed = occurrence.start.microseconds(since: oldest.start)
      guard elapsed >= bound else { break }
      waiting.removeFirst()
      if elapsed > limit {
        fail(Breach(trigger: oldest, early: earlyFallback(after: oldest), late: occurrence))
      } else {
        unsettled[oldest.id] = nil
      }
    }
    if let oldest = waiting.first, oldest.start.precedes(occurrence.start) { early = occurrence }
  }

  private func earlyFallback(after trigger: Occurrence) -> Occurrence? {
    early.flatMap { trigger.start.precedes($0.start) ? $0 : nil }
  }

  /// Gives up the triggers that nothing from `now` on can help, unless something that is held still may.
  private mutating func expire(at now: Point) {
    guard held.isEmpty else { return }
    while let oldest = waiting.first, now.microseconds(since: oldest.start) > limit {
      waiting.removeFirst()
      fail(Breach(trigger: oldest, early: earlyFallback(after: oldest)))
    }
  }

  private mutating func fail(_ missed: Breach) {
    var missed = missed
    missed.trigger = unsettled[missed.trigger.id] ?? missed.trigger
    if !trigger.isSettled(missed.trigger) {
      failing[missed.trigger.id] = missed
    } else {
      unsettled[missed.trigger.id] = nil
      if trigger.counts(missed.trigger), breach == nil { breach = missed }
    }
  }

  /// What comes when it is too late, for the message.
  private mutating func noteLate(_ signals: [Signal]) {
    for signal in signals {
      let occurrence = signal.occurrence
      guard let from = breach?.trigger.start, from.precedes(occurrence.start) else { continue }
      if occurrence.name == requirement.name, breach?.requirement == nil, requirement.counts(occurrence) {
        breach?.requirement = occurrence
      } else if occurrence.name == fallback.name, breach?.late == nil, fallback.counts(occurrence),
        occurrence.start.microseconds(since: from) > limit
      {
        breach?.late = occurrence
      }
    }
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    if breach != nil { return true }
    guard let deadline, deadline < horizon.last.at else { return false }
    return judge(horizon).verdict == .broken
  }

  var deadline: Instant? {
    guard breach == nil, let oldest = waiting.first else { return nil }
    return Instant(microseconds: oldest.start.at.microseconds.plusClamped(limit))
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken, horizon) }
    let lost = waiting.first { isCertain($0) && !canBeKept($0, at: horizon.last) }
    var trial = self
    trial.drain(all: true)
    trial.held = []
    trial.expire(at: horizon.last)
    if let lost {
      let missed = trial.breach?.trigger.id == lost.id ? trial.breach : nil
      return report(missed ?? Breach(trigger: lost, early: earlyFallback(after: lost)), .broken, horizon)
    }
    if let missed = trial.missed {
      return report(missed, horizon.isClosed ? .broken : .open(leaning: .broken), horizon)
    }
    return .kept(isFixed: horizon.isClosed, exercised: triggered.current != nil, idle: trigger.absence)
  }

  /// The first trigger that counts as things stand and has nothing.
  private var missed: Breach? {
    let open = waiting.map { Breach(trigger: $0, early: earlyFallback(after: $0)) }
    return ([breach].compactMap(\.self) + failing.values + open)
      .filter { trigger.counts(unsettled[$0.trigger.id] ?? $0.trigger) }
      .min { $0.trigger.start.position < $1.trigger.start.position }
  }

  private func isCertain(_ waiting: Occurrence) -> Bool {
    let current = unsettled[waiting.id] ?? waiting
    return trigger.isSettled(current) && trigger.counts(current)
  }

  /// Whether what is held, or what comes, may still keep the rule for a trigger.
  private func canBeKept(_ trigger: Occurrence, at now: Point) -> Bool {
    let after = held.filter { trigger.start.precedes($0.occurrence.start) }
    let certain = after.filter { isSettled($0) && ($0.isFallback ? fallback : requirement).counts($0.occurrence) }
    let fallbacks =
      (certain.filter(\.isFallback).map(\.point) + [earlyFallback(after: trigger)?.start].compactMap(\.self))
    let requirements = certain.filter { !$0.isFallback }.map(\.point)
    if now.microseconds(since: trigger.start) <= limit, fallbacks.isEmpty || requirements.isEmpty { return true }
    return after.contains { answer in
      let elapsed = answer.point.microseconds(since: trigger.start)
      return answer.isFallback
        ? elapsed >= bound && elapsed <= limit && !requirements.contains { $0.precedes(answer.point) }
        : elapsed <= limit && !fallbacks.contains { $0.precedes(answer.point) }
    }
  }
}

extension FallbackMonitor {
  private func report(_ breach: Breach, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    let from = breach.trigger.start
    let demand = "<- needs \(requirement.demand) within \(Span.text(bound))\(widening), or else \(fallback.label) then"
    judgement.witness = [WitnessEvent(breach.trigger, .start, trigger.label, remark: demand)]
    if let early = breach.early {
      let excess = "\(Span.text(bound.minusClamped(early.start.microseconds(since: from)))) too early"
      judgement.witness.append(WitnessEvent(early, .start, fallback.label, remark: "comes \(excess)"))
      judgement.distance = excess
    }
    if let found = breach.requirement { describe(found, breach, from, &judgement) }
    if let late = breach.late {
      let excess = "\(Span.text(late.start.microseconds(since: from).minusClamped(limit))) too late"
      judgement.witness.append(WitnessEvent(late, .start, fallback.label, remark: "comes \(excess)"))
      if judgement.distance == nil { judgement.distance = excess }
    }
    let deadline = Span.clock(Instant(microseconds: from.at.microseconds.plusClamped(bound)))
    judgement.note = "the time is up at \(deadline)"
    if judgement.witness.count == 1 {
      let reach = Span.clock(horizon.last.at)
      judgement.note =
        "neither \(requirement.label) nor \(fallback.label) came until \(reach), and the time is up at \(deadline)"
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }

  private var widening: String { limit == bound ? "" : " ± \(Span.text(limit.minusClamped(bound)))" }

  private func describe(_ found: Occurrence, _ breach: Breach, _ from: Point, _ judgement: inout Judgement) {
    guard let point = requirement.point(found) else { return }
    let excess = point.microseconds(since: from).minusClamped(limit)
    let isLate = excess > 0
    let remark = isLate ? "comes \(Span.text(excess)) too late" : "comes after \(fallback.label)"
    judgement.witness.append(WitnessEvent(found, requirement.moment, requirement.label, remark: remark))
    if breach.early == nil, isLate { judgement.distance = "\(Span.text(excess)) too late" }
    if breach.early != nil, !isLate {
      judgement.nearMiss = "\(requirement.label) came in time, but \(fallback.label) had come before it"
    }
  }
}
