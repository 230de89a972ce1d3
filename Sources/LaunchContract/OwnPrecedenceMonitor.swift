import LaunchTrace

/// Rule 3: each B has an A of its own that was over before it started. Among the starts of B and the ends of A in order,
/// no beginning holds more B than A.
struct OwnPrecedenceMonitor: RuleMonitor {
  private let trigger: Side
  private let requirement: Side
  private var timeline = Timeline<Balance>()
  /// Requirements that are not over, by id.
  private var open: [Int: Occurrence] = [:]
  /// The last requirement that is settled and does not count.
  private var unfit: Occurrence?
  /// The last As and the Bs that used them, as evidence.
  private var recent: [Recent] = []
  private var triggers = 0
  private var requirements = 0
  private var breach: Breach?

  private struct Recent {
    var occurrence: Occurrence
    var isTrigger: Bool
  }

  private struct Breach {
    var miss: PrecedenceBreach
    var before: [Recent]
    var triggers: Int
    var requirements: Int
  }

  /// How many more As than Bs, at the end and where that is least.
  private struct Balance: Summary {
    var sum = 0
    var least = 0
    /// The B that brings the least; nil where nothing goes below the start.
    var lowest: Occurrence?
    var hasTrigger = false

    mutating func append(_ next: Self) {
      if sum + next.least < least { (least, lowest) = (sum + next.least, next.lowest) }
      sum += next.sum
      if next.hasTrigger { hasTrigger = true }
    }

    static let requirement = Self(sum: 1)
    static func trigger(_ occurrence: Occurrence) -> Self {
      Self(sum: -1, least: -1, lowest: occurrence, hasTrigger: true)
    }
  }

  init(trigger: Side, requirement: Side) {
    self.trigger = trigger
    self.requirement = requirement
  }

  mutating func take(_ signals: [Signal]) {
    // An A that is over at the same event does not lie before.
    for signal in signals where signal.occurrence.name == trigger.name { takeTrigger(signal) }
    for signal in signals where signal.occurrence.name == requirement.name { takeRequirement(signal) }
    if breach == nil, let lacking = timeline.certain.lowest { breach = explain(lacking) }
  }

  private mutating func takeTrigger(_ signal: Signal) {
    let occurrence = signal.occurrence
    breach?.miss.follow(occurrence)
    guard breach == nil else { return }
    let isSettled = trigger.filter == .any || occurrence.isFinal
    let present = trigger.counts(occurrence) ? Balance.trigger(occurrence) : Balance()
    let certain = isSettled ? present : Balance()
    if signal.change == .started {
      timeline.append(occurrence.id, certain: certain, present: present, isSettled: isSettled)
      triggers += 1
      remember(Recent(occurrence: occurrence, isTrigger: true))
    } else {
      timeline.update(occurrence.id, certain: certain, present: present, isSettled: isSettled)
    }
  }

  private mutating func takeRequirement(_ signal: Signal) {
    let occurrence = signal.occurrence
    breach?.miss.follow(occurrence)
    guard breach == nil else { return }
    open[occurrence.id] = occurrence.end == nil ? occurrence : nil
    if requirement.moment == .start, requirement.filter == .any {
      if signal.change == .started { add(occurrence) }
      return
    }
    switch requirement.moment {
    case .end:
      if signal.change == .resumed {
        timeline.update(occurrence.id, certain: Balance(), present: Balance(), isSettled: true)
      } else if occurrence.end != nil {
        if requirement.counts(occurrence) { add(occurrence) } else { unfit = occurrence }
      }
    case .start:
      if signal.change == .started {
        add(occurrence)
      } else {
        let present = requirement.counts(occurrence) ? Balance.requirement : Balance()
        let certain = requirement.isSettled(occurrence) ? present : .requirement
        timeline.update(
          occurrence.id, certain: certain, present: present, isSettled: requirement.isSettled(occurrence))
      }
    }
  }

  /// An A whose instant has come. As long as it may count, no B that it would serve is lost.
  private mutating func add(_ occurrence: Occurrence) {
    let isSettled = requirement.isSettled(occurrence)
    let present = requirement.counts(occurrence) ? Balance.requirement : Balance()
    timeline.append(occurrence.id, certain: .requirement, present: present, isSettled: isSettled)
    requirements += 1
    remember(Recent(occurrence: occurrence, isTrigger: false))
  }

  private mutating func remember(_ item: Recent) {
    recent.append(item)
    if recent.count > 8 { recent.removeFirst(4) }
  }

  private func explain(_ lacking: Occurrence) -> Breach {
    let others = recent.filter { $0.occurrence.id != lacking.id && $0.occurrence.start.precedes(lacking.start) }
    let overlapping = open.values.filter { $0.start.precedes(lacking.start) }
      .max { $0.start.precedes($1.start) }
    let failed = unfit.flatMap { $0.end?.precedes(lacking.start) == true ? $0 : nil }
    let miss = PrecedenceBreach(
      side: trigger, requirement: requirement, trigger: lacking, unfit: failed, overlapping: overlapping)
    return Breach(miss: miss, before: Array(others.suffix(2)), triggers: triggers, requirements: requirements)
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    if let lacking = timeline.present.lowest {
      return report(explain(lacking), horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: timeline.present.hasTrigger, idle: trigger.absence)
  }

  private func report(_ breach: Breach, _ verdict: Verdict) -> Judgement {
    var judgement = breach.miss.judgement(verdict, demand: "\(requirement.momentDemand) of its own")
    for item in breach.before.reversed() where judgement.witness.count < 5 {
      judgement.witness.append(
        item.isTrigger
          ? WitnessEvent(item.occurrence, .start, trigger.label, remark: "used it")
          : WitnessEvent(item.occurrence, requirement.moment, requirement.label, remark: ""))
    }
    judgement.witness.sort { $0.position < $1.position }
    judgement.note =
      "\(breach.triggers) \(trigger.label), and \(breach.requirements) \(requirement.momentDemand) before"
    return judgement
  }
}
