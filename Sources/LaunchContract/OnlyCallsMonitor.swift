/// Rule 23.
struct OnlyCallsMonitor: RuleMonitor {
  init(names: [Int]) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
