/// Rule 15.
struct BackoffMonitor: RuleMonitor {
  init(side: Side, backoff: Rule.Backoff) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
