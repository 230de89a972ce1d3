/// Rule 17.
struct TransferMonitor: RuleMonitor {
  init(side: Side, field: FieldPath, source: Side, sourceField: FieldPath) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
