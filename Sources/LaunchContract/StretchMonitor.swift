/// Scopes.
struct StretchMonitor: RuleMonitor {
  init(from opening: Side, to closing: Side, needsClosing: Bool, _ inner: any RuleMonitor) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
