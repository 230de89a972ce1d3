import LaunchTrace

/// The scope `while B is open` (rule 10): for each B, the rule holds for what starts between its start and its end. The
/// pauses between attempts belong to it.
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
  private struct Stretch {
    /// What is open, or was.
    var call: Occurrence
    var inner: any RuleMonitor

    func contains(_ occurrence: Occurrence) -> Bool {
      call.start.precedes(occurrence.start) && call.end.map { occurrence.start.precedes($0) } ?? true
    }
  }

  let side: Side
  let fresh: any RuleMonitor
  /// What is not decided, in the order of the starts.
  private var stretches: [Stretch] = []
  /// Of those that are decided.
  private var decided: Judgement?

  init(side: Side, fresh: any RuleMonitor) {
    self.side = side
    self.fresh = fresh
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name {
      if signal.change == .started {
        stretches.append(Stretch(call: signal.occurrence, inner: fresh))
      } else if let index = stretches.lastIndex(where: { $0.call.id == signal.occurrence.id }) {
        stretches[index].call = signal.occurrence
      }
    }
    for index in stretches.indices {
      let inside = signals.filter { stretches[index].contains($0.occurrence) }
      if !inside.isEmpty { stretches[index].inner.take(inside) }
    }
    settle()
  }

  /// Keeps the verdict alone of what is over and certain.
  private mutating func settle() {
    for index in stretches.indices.reversed() {
      guard stretches[index].call.isFinal, let end = stretches[index].call.end else { continue }
      let judgement = judge(stretches[index], Horizon(last: end, isClosed: false))
      if case .open = judgement.verdict { continue }
      decided = decided?.and(judgement) ?? judgement
      stretches.remove(at: index)
    }
  }

  private func judge(_ stretch: Stretch, _ horizon: Horizon) -> Judgement {
    var result = stretch.inner.judge(stretch.call.isFinal ? horizon.completed : horizon)
      .adding(WitnessEvent(stretch.call, .start, side.label, remark: "begins the stretch"))
    if stretch.call.end != nil {
      result = result.adding(WitnessEvent(stretch.call, .end, side.label, remark: "ends the stretch"))
    }
    return result
  }

  func judge(_ horizon: Horizon) -> Judgement {
    var result = decided
    for stretch in stretches {
      let judgement = judge(stretch, horizon)
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
    return stretches.contains { $0.inner.isBroken($0.call.isFinal ? horizon.completed : horizon) }
  }

  var deadline: Instant? { stretches.map(\.inner.deadline).earliest }
}
