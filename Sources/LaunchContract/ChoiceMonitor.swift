/// Rule 21.
struct ChoiceMonitor: RuleMonitor {
  init(sides: [Side], isExclusive: Bool) {
  }

  mutating func take(_ signals: [Signal]) {}

  func judge(_ horizon: Horizon) -> Judgement { .idle("not written yet") }
}
