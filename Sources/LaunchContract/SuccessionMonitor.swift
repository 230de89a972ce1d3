import LaunchTrace

/// Rule 12: of the starts of the names in braces, the one after each A is a B.
///
/// Remembers the A whose successor has not come, and the pairs of which it is open whether they count.
struct SuccessionMonitor: RuleMonitor {
  private let first: Side
  private let next: Side
  private let among: Set<Int>
  /// What the names in braces are called, by number.
  private let labels: [Int: String]
  /// The last A, while nothing of the names has come after it.
  private var waiting: Occurrence?
  /// By the id of the A.
  private var undecided: [Int: Pair] = [:]
  /// By the id of a B, the A that it follows.
  private var followed: [Int: Int] = [:]
  private var wasExercised = false
  private var breach: Pair?
  /// The first B after the breach.
  private var later: Occurrence?

  private struct Pair {
    var first: Occurrence
    /// What came directly after.
    var second: Occurrence
  }

  init(first: Side, next: Side, among: [Int: String]) {
    self.first = first
    self.next = next
    self.among = Set(among.keys)
    labels = among
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.change != .started { update(signal.occurrence) }
    if breach != nil, later == nil {
      later = signals.first { $0.change == .started && $0.occurrence.name == next.name }?.occurrence
    }
    let started = signals.filter { $0.change == .started && among.contains($0.occurrence.name) }
    guard breach == nil, let any = started.first?.occurrence else { return }
    if let waiting { decide(Pair(first: waiting, second: started.first(of: next) ?? any)) }
    waiting = started.first(of: first)
  }

  private mutating func update(_ occurrence: Occurrence) {
    if waiting?.id == occurrence.id { waiting = occurrence }
    if breach?.second.id == occurrence.id { breach?.second = occurrence }
    if var pair = undecided.removeValue(forKey: occurrence.id) {
      pair.first = occurrence
      decide(pair)
    }
    if let id = followed.removeValue(forKey: occurrence.id), var pair = undecided.removeValue(forKey: id) {
      pair.second = occurrence
      decide(pair)
    }
  }

  private mutating func decide(_ pair: Pair) {
    guard breach == nil else { return }
    let isFirstSettled = first.isSettled(pair.first)
    if isFirstSettled {
      guard first.counts(pair.first) else { return }
      wasExercised = true
    }
    if isFirstSettled, isSettled(pair.second) {
      if !fits(pair.second) { breach = pair }
      return
    }
    undecided[pair.first.id] = pair
    if !isSettled(pair.second) { followed[pair.second.id] = pair.first.id }
  }

  private func isSettled(_ second: Occurrence) -> Bool { second.name != next.name || next.isSettled(second) }

  private func fits(_ second: Occurrence) -> Bool { second.name == next.name && next.counts(second) }

  func isBroken(_ horizon: Horizon) -> Bool {
    if breach != nil { return true }
    guard horizon.isComplete, let waiting else { return false }
    return first.isSettled(waiting) && first.counts(waiting)
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let verdict: Verdict = horizon.isClosed ? .broken : .open(leaning: .broken)
    let counting = undecided.values.filter { first.counts($0.first) }
    let unfit = counting.filter { !fits($0.second) }
    if let pair = unfit.min(by: { $0.first.start.precedes($1.first.start) }) { return report(pair, verdict) }
    if let waiting, first.counts(waiting) {
      return report(waiting, isBroken(horizon) ? .broken : verdict, horizon)
    }
    return .kept(
      isFixed: horizon.isClosed, exercised: wasExercised || !counting.isEmpty, idle: first.absence)
  }

  private func report(_ pair: Pair, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let isNext = pair.second.name == next.name
    judgement.witness = [
      WitnessEvent(pair.first, .start, first.label, remark: "<- needs \(next.demand) right after it"),
      WitnessEvent(
        pair.second, .start, isNext ? next.label : labels[pair.second.name] ?? "",
        remark: isNext ? "does not count" : "comes instead"),
    ]
    if isNext { judgement.nearMiss = "\(next.label) came right after it, \(pair.second.fate)" }
    if let later, !isNext {
      let delay = later.start.microseconds(since: pair.second.start)
      judgement.witness.append(
        WitnessEvent(later, .start, next.label, remark: "comes after that, \(Span.text(delay)) later"))
      judgement.nearMiss = "\(next.label) came, but not right after it"
    }
    return judgement
  }

  private func report(_ waiting: Occurrence, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    judgement.witness = [
      WitnessEvent(waiting, .start, first.label, remark: "<- needs \(next.demand) right after it")
    ]
    let reach = Span.text(horizon.last.microseconds(since: waiting.start))
    judgement.note = "nothing came after it in the \(reach) until the trace \(horizon.isClosed ? "ends" : "stops")"
    return judgement
  }
}

extension [Signal] {
  fileprivate func first(of side: Side) -> Occurrence? { first { $0.occurrence.name == side.name }?.occurrence }
}
