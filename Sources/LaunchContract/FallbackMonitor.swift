/// Rule 22.
struct FallbackMonitor: RuleMonitor {
  init(trigger: Side, requirement: Side, bound: Int64, tolerance: Int64, fallback: Side) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
