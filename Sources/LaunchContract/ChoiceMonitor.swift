/// Rule 21: at least one of the sides happens, or exactly one of them.
struct ChoiceMonitor: RuleMonitor {
  private var choices: [Happening]
  private let isExclusive: Bool

  init(sides: [Side], isExclusive: Bool) {
    choices = sides.map(Happening.init)
    self.isExclusive = isExclusive
  }

  mutating func take(_ signals: [Signal]) {
    for index in choices.indices { choices[index].take(signals) }
  }

  /// Two have happened, where only one may.
  private var isLost: Bool { isExclusive && choices.count { $0.certain != nil } > 1 }

  func isBroken(_ horizon: Horizon) -> Bool { isLost }

  func judge(_ horizon: Horizon) -> Judgement {
    let happened = choices.filter { $0.current != nil }
    if happened.count == 1 || !isExclusive && !happened.isEmpty {
      let isCertain = !isExclusive && choices.contains { $0.certain != nil }
      return .kept(isFixed: horizon.isClosed || isCertain, exercised: true, idle: "")
    }
    var judgement = Judgement(horizon.isClosed || isLost ? .broken : .open(leaning: .broken))
    judgement.witness = happened.prefix(5).compactMap { choice in
      choice.current.map { WitnessEvent($0, .start, choice.side.label, remark: "happens") }
    }
    judgement.witness.sort { $0.position < $1.position }
    for index in judgement.witness.indices.dropFirst() { judgement.witness[index].remark = "<- happens, too" }
    if happened.isEmpty {
      judgement.note = "none of them: " + choices.map(\.side.absence).joined(separator: ", ")
      judgement.nearMiss = choices.lazy.compactMap(\.nearMiss).first
    } else {
      judgement.distance = "\(happened.count) of them, and only one may happen"
    }
    return judgement
  }
}
