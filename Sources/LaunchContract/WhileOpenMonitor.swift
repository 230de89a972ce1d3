/// Scopes.
struct WhileOpenMonitor: RuleMonitor {
  init(_ side: Side, _ inner: any RuleMonitor) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
