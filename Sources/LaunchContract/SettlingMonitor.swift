/// Rule 25.
struct SettlingMonitor: RuleMonitor {
  init(bound: Int64, quiet: Int64) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
