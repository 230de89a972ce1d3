import LaunchTrace

/// Rules 8 and 9: how many logical calls or marks there are.
struct CountMonitor: RuleMonitor {
  private let side: Side
  private let count: Rule.Count
  /// Names whose occurrences are left out.
  private let except: [Int]
  private var number = 0
  /// Occurrences of which it is open whether they count, by id.
  private var candidates = NumberTable<Occurrence>()
  /// The first few counted, as evidence.
  private var first: [Occurrence] = []
  /// The one that was one too many.
  private var excess: Occurrence?
  /// The last that does not count.
  private var unfit: Occurrence?

  init(side: Side, count: Rule.Count, except: [Int]) {
    self.side = side
    self.count = count
    self.except = except
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name {
      guard !except.contains(where: signal.occurrence.names.contains) else { continue }
      take(signal)
    }
  }

  private mutating func take(_ signal: Signal) {
    let occurrence = signal.occurrence
    if signal.change != .started, side.filter == .any {
      first.update(occurrence)
      return
    }
    let isSettled = side.isSettled(occurrence)
    if isSettled { candidates.take(occurrence.id) } else { candidates[occurrence.id] = occurrence }
    if isSettled, !side.counts(occurrence) { unfit = occurrence }
    guard isSettled, side.counts(occurrence) else { return }
    number += 1
    if first.count < 3 { first.append(occurrence) }
    if excess == nil, number == (most ?? .max) &+ 1 { excess = occurrence }
  }

  private var most: Int? {
    switch count {
    case .exactly(let limit), .atMost(let limit): limit
    case .atLeast: nil
    }
  }

  private var least: Int {
    switch count {
    case .exactly(let limit), .atLeast(let limit): limit
    case .atMost: 0
    }
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    number > most ?? .max || horizon.isComplete && number + candidates.count < least
      || horizon.isClosed && judge(horizon).verdict == .broken
  }

  func judge(_ horizon: Horizon) -> Judgement {
    let current = candidates.values.filter(side.counts).sorted { $0.start.precedes($1.start) }
    // What the number may still become: less if a candidate turns out not to count, more if anything may start.
    let (lowest, total) = (number, number + current.count)
    let highest = horizon.isComplete ? number + candidates.count : Int.max
    let isFixed = horizon.isClosed || lowest >= least && highest <= most ?? .max
    if (least...(most ?? .max)).contains(total) { return .kept(isFixed: isFixed, exercised: true, idle: "") }
    let isLost = horizon.isClosed || lowest > most ?? .max || highest < least
    return report(current, isLost ? .broken : .open(leaning: .broken))
  }
}

extension CountMonitor {
  private var excessRemark: String { most == 0 ? "<- is not allowed" : "<- is one too many" }

  /// What the rule asks for: `at most 2 allowed`.
  private var demand: String {
    switch count {
    case .exactly(0), .atMost(0): "none allowed"
    case .exactly(let number): "exactly \(number) needed"
    case .atMost(let number): "at most \(number) allowed"
    case .atLeast(let number): "at least \(number) needed"
    }
  }

  private func report(_ current: [Occurrence], _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let total = number + current.count
    var shown = Array((first + current).prefix(3))
    if let last = excess ?? current.last, !shown.contains(where: { $0.id == last.id }) { shown.append(last) }
    shown.sort { $0.start.position < $1.start.position }
    judgement.witness = shown.enumerated().map { index, occurrence in
      let isExcess = most.map { index >= $0 } ?? false
      return WitnessEvent(occurrence, .start, side.label, remark: isExcess ? excessRemark : occurrence.attemptNote)
    }
    let what = side.name == Names.everyCall && total == 1 ? "call" : side.demand
    let found = "\(total == 0 ? "no" : "\(total)") \(what) came"
    judgement.distance = "\(found), \(demand)"
    let failed = candidates.values.filter { !side.counts($0) }.max { $0.start.precedes($1.start) } ?? unfit
    if total < least, let failed { judgement.nearMiss = "\(side.label) came, \(failed.fate)" }
    return judgement
  }
}
