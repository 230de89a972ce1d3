/// Rule 20.
struct CoexistenceMonitor: RuleMonitor {
  init(first: Side, second: Side, isForbidden: Bool) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
