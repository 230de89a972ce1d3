/// Rule 3.
struct OwnPrecedenceMonitor: RuleMonitor {
  init(trigger: Side, requirement: Side) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
