/// Rule 23.
struct NothingAfterMonitor: RuleMonitor {
  init(side: Side) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
