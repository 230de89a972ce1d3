/// Rule 7.
struct GapMonitor: RuleMonitor {
  init(late: Side, early: Side, least: Int64) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
