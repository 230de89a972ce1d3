import LaunchTrace

/// The scopes `after B until C` and `between B and C` (rule 10): each stretch from an end of B to the next start of C is
/// judged alone, by what starts in it. Without its C, `until` runs on to the end, and `between` does not count.
struct StretchMonitor: RuleMonitor {
  private var stretches: Rewinding<Stretches>

  init(from opening: Side, to closing: Side, needsClosing: Bool, _ inner: any RuleMonitor) {
    stretches = Rewinding(
      Stretches(opening: opening, closing: closing, needsClosing: needsClosing, fresh: inner), endsOf: opening.name)
  }

  mutating func take(_ signals: [Signal]) { stretches.take(signals) }

  func judge(_ horizon: Horizon) -> Judgement { stretches.state.judge(horizon) }

  func isBroken(_ horizon: Horizon) -> Bool { stretches.state.isBroken(horizon) }

  var deadline: Instant? { stretches.state.deadline }
}

private struct Stretches: EndDriven {
  private struct Stretch {
    var opener: Occurrence
    var from: Point
    var closer: Occurrence?
    var inner: any RuleMonitor

    func contains(_ occurrence: Occurrence) -> Bool {
      from.precedes(occurrence.start) && closer.map { occurrence.start.precedes($0.start) } ?? true
    }
  }

  let opening: Side
  let closing: Side
  let needsClosing: Bool
  let fresh: any RuleMonitor
  /// What is not decided, in order; the last may be open.
  private var stretches: [Stretch] = []
  /// Of those that are decided.
  private var decided: Judgement?
  /// Where the last stretch closed.
  private var closed: Point?

  init(opening: Side, closing: Side, needsClosing: Bool, fresh: any RuleMonitor) {
    self.opening = opening
    self.closing = closing
    self.needsClosing = needsClosing
    self.fresh = fresh
  }

  private var isOpen: Bool { stretches.last.map { $0.closer == nil } ?? false }

  mutating func take(_ signals: [Signal]) {
    close(signals)
    for index in stretches.indices.reversed() {
      if signals.allSatisfy({ stretches[index].contains($0.occurrence) }) {
        stretches[index].inner.take(signals)
        break
      }
      let inside = signals.filter { stretches[index].contains($0.occurrence) }
      if !inside.isEmpty { stretches[index].inner.take(inside) }
    }
    settle()
    open(signals)
  }

  private mutating func close(_ signals: [Signal]) {
    guard isOpen, let last = stretches.indices.last else { return }
    for signal in signals where signal.occurrence.name == closing.name && signal.change == .started {
      guard stretches[last].from.precedes(signal.occurrence.start) else { continue }
      stretches[last].closer = signal.occurrence
      closed = signal.occurrence.start
      return
    }
  }

  private mutating func open(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == opening.name && signal.change != .resumed {
      guard !isOpen, let end = signal.occurrence.end, closed?.precedes(end) ?? true else { continue }
      stretches.append(Stretch(opener: signal.occurrence, from: end, inner: fresh))
    }
  }

  /// Keeps the verdict alone of what is closed and certain.
  private mutating func settle() {
    let horizon = Horizon(last: closed ?? Point(position: -1, at: .zero), isClosed: false)
    for index in stretches.indices.reversed() where stretches[index].closer != nil && stretches[index].opener.isFinal {
      let judgement = judge(stretches[index], horizon)
      if case .open = judgement.verdict { continue }
      decided = decided?.and(judgement) ?? judgement
      stretches.remove(at: index)
    }
  }

  private func judge(_ stretch: Stretch, _ horizon: Horizon) -> Judgement {
    let isCertain = horizon.isClosed || stretch.opener.isFinal
    let judgement = judgeInner(stretch, horizon)
    var result = (isCertain ? judgement : judgement.doubted)
      .adding(WitnessEvent(stretch.opener, .end, opening.label, remark: "begins the stretch"))
    if let closer = stretch.closer {
      result = result.adding(WitnessEvent(closer, .start, closing.label, remark: "ends the stretch"))
    }
    return result
  }

  private func judgeInner(_ stretch: Stretch, _ horizon: Horizon) -> Judgement {
    if stretch.closer != nil { return stretch.inner.judge(horizon.completed) }
    guard needsClosing else { return stretch.inner.judge(horizon) }
    let note = "\(closing.label) never came after \(opening.label), so nothing lies between"
    return .kept(isFixed: horizon.isClosed, exercised: false, idle: note)
  }

  func judge(_ horizon: Horizon) -> Judgement {
    var result = decided
    for stretch in stretches {
      let judgement = judge(stretch, horizon)
      result = result?.and(judgement) ?? judgement
    }
    guard let result else {
      let note = "\(opening.label) never came to its end, so no stretch begins"
      return .kept(isFixed: horizon.isClosed, exercised: false, idle: opening.isPoint ? opening.absence : note)
    }
    // Another stretch may begin.
    return horizon.isClosed ? result : result.whileMoreMayCome
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    if decided?.verdict == .broken { return true }
    return stretches.contains { stretch in
      guard stretch.opener.isFinal || horizon.isClosed else { return false }
      if stretch.closer != nil { return stretch.inner.isBroken(horizon.completed) }
      return !needsClosing && stretch.inner.isBroken(horizon)
    }
  }

  var deadline: Instant? {
    stretches.filter { $0.opener.isFinal && ($0.closer != nil || !needsClosing) }.map(\.inner.deadline).earliest
  }
}
