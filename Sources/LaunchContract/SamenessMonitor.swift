/// Rule 18.
struct SamenessMonitor: RuleMonitor {
  init(side: Side, field: FieldPath, isSame: Bool) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
