/// Rule 19.
struct StatusMonitor: RuleMonitor {
  init(side: Side, statuses: StatusSet) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
