/// Rule 16.
struct RateMonitor: RuleMonitor {
  init(side: Side, most: Int, window: Int64) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
