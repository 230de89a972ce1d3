import LaunchTrace

/// Rule 23, `only these calls`: every call is under one of the names.
struct OnlyCallsMonitor: RuleMonitor {
  private let names: [Int]
  /// The first that is not listed.
  private var breach: Occurrence?

  init(names: [Int]) { self.names = names }

  mutating func take(_ signals: [Signal]) {
    guard breach == nil else { return }
    breach =
      signals.first { signal in
        signal.occurrence.name == Names.everyCall && !names.contains(where: signal.occurrence.names.contains)
      }?.occurrence
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let breach else { return .kept(isFixed: horizon.isClosed, exercised: true, idle: "") }
    var judgement = Judgement(.broken)
    judgement.witness = [WitnessEvent(breach, .start, "calls", remark: "<- is not listed")]
    return judgement
  }
}
