/// Rule 14.
struct OrderMonitor: RuleMonitor {
  init(side: Side, field: FieldPath, isSerial: Bool, isGapless: Bool) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
