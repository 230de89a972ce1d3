/// when.
struct GuardMonitor: RuleMonitor {
  init(_ guardian: Rule.Guard, _ inner: any RuleMonitor) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
