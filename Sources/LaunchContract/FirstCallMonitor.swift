import LaunchTrace

/// Rule 23, `A is the first call`: of all calls the one that starts first is one of the side's.
struct FirstCallMonitor: RuleMonitor {
  private let side: Side
  /// The first of all calls.
  private var first: Occurrence?
  /// The same call under the side's name, as it is now; nil when it is another.
  private var wanted: Occurrence?
  /// The first of the side's that came after all.
  private var later: Occurrence?

  init(side: Side) { self.side = side }

  mutating func take(_ signals: [Signal]) {
    let own = signals.first { $0.occurrence.name == side.name }
    if first == nil {
      guard let call = signals.first(where: { $0.occurrence.name == Names.everyCall })?.occurrence else { return }
      first = call
      wanted = own?.occurrence
    } else if let own {
      if wanted?.id == own.occurrence.id { wanted = own.occurrence }
      if wanted == nil, later == nil { later = own.occurrence }
    }
  }

  private var isLost: Bool {
    guard first != nil else { return false }
    return wanted.map { side.isSettled($0) && !side.counts($0) } ?? true
  }

  func isBroken(_ horizon: Horizon) -> Bool { isLost }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let first else {
      return .kept(isFixed: horizon.isClosed, exercised: false, idle: "there is no call")
    }
    if let wanted, side.counts(wanted) {
      return .kept(isFixed: horizon.isClosed || side.isSettled(wanted), exercised: true, idle: "")
    }
    var judgement = Judgement(isLost || horizon.isClosed ? .broken : .open(leaning: .broken))
    let remark = wanted == nil ? "<- comes first" : "<- is not \(side.demand)"
    judgement.witness = [WitnessEvent(first, .start, "calls", remark: remark)]
    if let wanted {
      judgement.nearMiss = "\(side.label) is the first call, \(wanted.fate)"
    } else if let later {
      judgement.distance = "\(Span.text(later.start.microseconds(since: first.start))) too late"
      judgement.witness.append(
        WitnessEvent(later, .start, side.label, remark: "comes \(judgement.distance ?? "too late")"))
    } else {
      judgement.note = side.absence
    }
    return judgement
  }
}
