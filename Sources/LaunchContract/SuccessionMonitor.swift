/// Rule 12.
struct SuccessionMonitor: RuleMonitor {
  init(first: Side, next: Side, among: [Int]) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
