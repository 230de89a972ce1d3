import LaunchTrace

/// The scope `before B`: the inner rule sees what starts before the first B starts.
struct BeforeMonitor: RuleMonitor {
  private let boundary: Side
  private var inner: any RuleMonitor
  /// The first B.
  private var closing: Occurrence?

  init(until boundary: Side, _ inner: any RuleMonitor) {
    self.boundary = boundary
    self.inner = inner
  }

  mutating func take(_ signals: [Signal]) {
    if closing == nil {
      closing = signals.first { $0.change == .started && $0.occurrence.name == boundary.name }?.occurrence
    }
    guard let end = closing?.start else { return inner.take(signals) }
    let inside = signals.filter { $0.occurrence.start.precedes(end) }
    if !inside.isEmpty { inner.take(inside) }
  }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let closing else { return inner.judge(horizon) }
    if closing.start.position <= 0 { return .idle("\(boundary.label) comes first, so nothing lies before it") }
    return inner.judge(horizon.completed)
      .adding(WitnessEvent(closing, .start, boundary.label, remark: "ends the stretch"))
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    guard let closing else { return inner.isBroken(horizon) }
    return closing.start.position > 0 && inner.isBroken(horizon.completed)
  }

  var deadline: Instant? { closing.map { $0.start.position > 0 } ?? true ? inner.deadline : nil }
}

/// The scope `after B`: the inner rule sees what starts after the end of the first B.
///
/// A retry of that B moves its end, so what was seen until then is forgotten.
struct AfterMonitor: RuleMonitor {
  private let boundary: Side
  private let fresh: any RuleMonitor
  private var inner: any RuleMonitor
  /// The first B, as it is now.
  private var opening: Occurrence?

  init(from boundary: Side, _ inner: any RuleMonitor) {
    self.boundary = boundary
    fresh = inner
    self.inner = inner
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == boundary.name {
      guard opening == nil || opening?.id == signal.occurrence.id else { continue }
      opening = signal.occurrence
      if signal.change == .resumed { inner = fresh }
    }
    guard let start = opening?.end else { return }
    let inside = signals.filter { start.precedes($0.occurrence.start) }
    if !inside.isEmpty { inner.take(inside) }
  }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let opening, opening.end != nil else {
      let note = "\(boundary.label) never \(opening == nil ? "came" : "ended"), so nothing lies after it"
      return .kept(isFixed: horizon.isClosed, exercised: false, idle: note)
    }
    let judgement = inner.judge(horizon)
    return (horizon.isClosed || opening.isFinal ? judgement : judgement.doubted)
      .adding(WitnessEvent(opening, .end, boundary.label, remark: "begins the stretch"))
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    isCertain || horizon.isClosed && opening?.end != nil ? inner.isBroken(horizon) : false
  }

  var deadline: Instant? { isCertain ? inner.deadline : nil }

  /// No retry can move the end that opens the stretch.
  private var isCertain: Bool { opening.map { $0.end != nil && $0.isFinal } ?? false }
}
