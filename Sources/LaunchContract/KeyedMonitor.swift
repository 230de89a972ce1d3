/// per.
struct KeyedMonitor: RuleMonitor {
  init(fields: [Int: FieldPath], label: String, _ inner: any RuleMonitor) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
