/// Rule 11.
struct TurnsMonitor: RuleMonitor {
  init(first: Side, second: Side) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
