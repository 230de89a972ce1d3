/// Rule 13.
struct ConcurrencyMonitor: RuleMonitor {
  init(side: Side, most: Int) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
