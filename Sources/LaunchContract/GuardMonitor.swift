import LaunchTrace

/// A `when` block (rule 24): the inner rule applies only if the guard's mark came with the value, anywhere in the launch.
struct GuardMonitor: RuleMonitor {
  private let guardian: Rule.Guard
  private var inner: any RuleMonitor
  /// The mark that made the rule apply.
  private var seen: Occurrence?

  init(_ guardian: Rule.Guard, _ inner: any RuleMonitor) {
    self.guardian = guardian
    self.inner = inner
  }

  mutating func take(_ signals: [Signal]) {
    if seen == nil { seen = signals.first { opens($0.occurrence) }?.occurrence }
    inner.take(signals)
  }

  private func opens(_ occurrence: Occurrence) -> Bool {
    guard occurrence.name == guardian.name, case .mark(let fields) = occurrence.subject else { return false }
    return guardian.condition.holds(for: fields)
  }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let seen else {
      return .kept(isFixed: horizon.isClosed, exercised: false, idle: "'\(guardian.text)' was never true")
    }
    let label = guardian.text.split(separator: " ").dropFirst().first.map(String.init) ?? guardian.text
    return inner.judge(horizon).adding(WitnessEvent(seen, .start, label, remark: "makes the rule apply"))
  }

  func isBroken(_ horizon: Horizon) -> Bool { seen != nil && inner.isBroken(horizon) }

  var deadline: Instant? { seen == nil ? nil : inner.deadline }
}
