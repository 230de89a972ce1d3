import LaunchTrace

/// The scope `while B is open` (rule 10): the rule holds for what starts while at least one B is open, in each such
/// stretch for itself. The pauses between attempts belong to it.
struct WhileOpenMonitor: RuleMonitor {
  private var stretches: Rewinding<OpenStretches>

  init(_ side: Side, _ inner: any RuleMonitor) {
    stretches = Rewinding(OpenStretches(side: side, fresh: inner), endsOf: side.name)
  }

  mutating func take(_ signals: [Signal]) { stretches.take(signals) }

  func judge(_ horizon: Horizon) -> Judgement { stretches.state.judge(horizon) }

  func isBroken(_ horizon: Horizon) -> Bool { stretches.state.isBroken(horizon) }

  var deadline: Instant? { stretches.state.deadline }
}

private struct OpenStretches: EndDriven {
  /// From the start of one to where none is open any more.
  private struct Stretch {
    var first: Occurrence
    var inner: any RuleMonitor
    /// The ids of those that are open.
    var open: Set<Int>
    /// The ids of those that ended and may be tried again, which would make the stretch longer.
    var resumable: Set<Int> = []
    /// The one that ended last, once none is open.
    var last: Occurrence?
    /// It was broken beyond repair when it ended.
    var isLost = false

    init(_ first: Occurrence, _ inner: any RuleMonitor) {
      self.first = first
      self.inner = inner
      open = [first.id]
    }

    func contains(_ occurrence: Occurrence) -> Bool {
      first.start.precedes(occurrence.start) && (last?.end).map { occurrence.start.precedes($0) } ?? true
    }

    mutating func close(_ occurrence: Occurrence) {
      open.remove(occurrence.id)
      if occurrence.isFinal { resumable.remove(occurrence.id) } else { resumable.insert(occurrence.id) }
      if open.isEmpty { last = occurrence }
    }
  }

  let side: Side
  let fresh: any RuleMonitor
  /// What is not decided, in order; the last may be open.
  private var stretches: [Stretch] = []
  /// Of those that are decided.
  private var decided: Judgement?

  init(side: Side, fresh: any RuleMonitor) {
    self.side = side
    self.fresh = fresh
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name { takeOwn(signal) }
    for index in stretches.indices {
      let inside = signals.filter { stretches[index].contains($0.occurrence) }
      if !inside.isEmpty { stretches[index].inner.take(inside) }
    }
    noteLost(signals)
    settle()
  }

  private mutating func takeOwn(_ signal: Signal) {
    let occurrence = signal.occurrence
    switch signal.change {
    case .started:
      if let last = stretches.indices.last, stretches[last].last == nil {
        stretches[last].open.insert(occurrence.id)
      } else {
        stretches.append(Stretch(occurrence, fresh))
      }
    case .ended:
      let index = stretches.lastIndex { $0.open.contains(occurrence.id) }
      if let index { stretches[index].close(occurrence) }
    case .resumed:
      // Its end was never taken: see `Rewinding`.
      break
    }
  }

  /// A stretch that is broken when it ends stays so, however much longer it gets.
  private mutating func noteLost(_ signals: [Signal]) {
    guard let index = stretches.indices.last, let end = stretches[index].last?.end, beginsForSure(index),
      signals.contains(where: { $0.change == .ended && $0.occurrence.id == stretches[index].last?.id })
    else { return }
    stretches[index].isLost = stretches[index].inner.isBroken(Horizon(last: end, isClosed: false))
  }

  /// No retry of an earlier one can make the stretch a part of a longer one.
  private func beginsForSure(_ index: Int) -> Bool { stretches[..<index].allSatisfy(\.resumable.isEmpty) }

  private func endsForSure(_ index: Int) -> Bool { stretches[index].last != nil && stretches[index].resumable.isEmpty }

  /// Keeps the verdict alone of what is over and certain.
  private mutating func settle() {
    for index in stretches.indices.reversed() {
      guard let end = stretches[index].last?.end, endsForSure(index), beginsForSure(index) else { continue }
      let judgement = judge(index, Horizon(last: end, isClosed: false))
      if case .open = judgement.verdict { continue }
      decided = decided?.and(judgement) ?? judgement
      stretches.remove(at: index)
    }
  }

  private func judge(_ index: Int, _ horizon: Horizon) -> Judgement {
    let stretch = stretches[index]
    let isCertain = horizon.isClosed || beginsForSure(index) && (stretch.last == nil || endsForSure(index))
    var result = stretch.inner.judge(stretch.last == nil ? horizon : horizon.completed)
    if !isCertain, !stretch.isLost { result = result.doubted }
    result = result.adding(WitnessEvent(stretch.first, .start, side.label, remark: "begins the stretch"))
    guard let last = stretch.last else { return result }
    return result.adding(WitnessEvent(last, .end, side.label, remark: "ends the stretch"))
  }

  func judge(_ horizon: Horizon) -> Judgement {
    var result = decided
    for index in stretches.indices {
      let judgement = judge(index, horizon)
      result = result?.and(judgement) ?? judgement
    }
    guard let result else {
      return .kept(isFixed: horizon.isClosed, exercised: false, idle: "\(side.label) was never open")
    }
    // Another one may start.
    return horizon.isClosed ? result : result.whileMoreMayCome
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    if decided?.verdict == .broken { return true }
    return stretches.indices.contains { index in
      if stretches[index].isLost { return true }
      guard horizon.isClosed || beginsForSure(index) else { return false }
      guard stretches[index].last != nil else { return stretches[index].inner.isBroken(horizon) }
      return (horizon.isClosed || endsForSure(index)) && stretches[index].inner.isBroken(horizon.completed)
    }
  }

  var deadline: Instant? {
    stretches.indices.filter { beginsForSure($0) && (stretches[$0].last == nil || endsForSure($0)) }
      .map { stretches[$0].inner.deadline }.earliest
  }
}
