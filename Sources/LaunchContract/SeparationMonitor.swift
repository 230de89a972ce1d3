/// Rule 13.
struct SeparationMonitor: RuleMonitor {
  init(_ left: Side, _ right: Side) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
