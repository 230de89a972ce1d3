/// Rule 19.
struct FieldMonitor: RuleMonitor {
  init(side: Side, condition: Condition) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
