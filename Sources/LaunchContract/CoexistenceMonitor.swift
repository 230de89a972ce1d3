/// Rule 20: if the first happens, the second happens too, or must not, wherever in the launch.
struct CoexistenceMonitor: RuleMonitor {
  private var first: Happening
  private var second: Happening
  private let isForbidden: Bool

  init(first: Side, second: Side, isForbidden: Bool) {
    self.first = Happening(first)
    self.second = Happening(second)
    self.isForbidden = isForbidden
  }

  mutating func take(_ signals: [Signal]) {
    first.take(signals)
    second.take(signals)
  }

  /// Both have happened, and must not.
  private var isLost: Bool { isForbidden && first.certain != nil && second.certain != nil }

  func isBroken(_ horizon: Horizon) -> Bool { isLost }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let cause = first.current, (second.current != nil) == isForbidden else {
      let isCertain = !isForbidden && first.certain != nil && second.certain != nil
      return .kept(
        isFixed: horizon.isClosed || isCertain, exercised: first.current != nil, idle: first.side.absence)
    }
    var judgement = Judgement(horizon.isClosed || isLost ? .broken : .open(leaning: .broken))
    let demand = isForbidden ? "<- forbids \(second.side.label)" : "<- needs \(second.side.demand)"
    judgement.witness = [WitnessEvent(cause, .start, first.side.label, remark: demand)]
    if let other = second.current {
      judgement.witness.append(WitnessEvent(other, .start, second.side.label, remark: "happens too"))
      judgement.witness.sort { $0.position < $1.position }
    } else {
      judgement.note = second.side.absence
      judgement.nearMiss = second.nearMiss
    }
    return judgement
  }
}
