import LaunchContract

/// What a number of schedules came to. Tallies of different parts of an exploration add up to that of the whole.
public struct Tally: Hashable, Sendable {
  /// How a rule fared.
  public struct RuleCount: Hashable, Sendable {
    public var holds = 0
    public var broken = 0
    /// Open or unordered: the trace does not say.
    public var undecided = 0
    public var idle = 0
    /// The first schedule, in the order of an exhaustive exploration, that breaks it.
    public var firstBroken: Schedule?
  }

  /// Schedules of one kind: how many, and the first in the order of an exhaustive exploration.
  public struct Cases: Hashable, Sendable {
    public var count = 0
    public var first: Schedule?
    /// What there is to say of the first.
    public var note = ""

    mutating func add(_ schedule: Schedule, _ note: @autoclosure () -> String) {
      count += 1
      guard first.map({ schedule < $0 }) ?? true else { return }
      first = schedule
      self.note = note()
    }

    mutating func add(_ other: Cases) {
      count += other.count
      guard let schedule = other.first, first.map({ schedule < $0 }) ?? true else { return }
      first = schedule
      note = other.note
    }
  }

  /// How many schedules were run.
  public var schedules = 0
  /// By rule, over all contracts in their order.
  public var rules: [RuleCount]
  /// Launches that wait for ever, or never stop.
  public var unfinished = Cases()
  /// Launches that ended with an error.
  public var failed = Cases()
  /// Launches with a request that nothing answers: they say nothing.
  public var unanswered = Cases()
  /// Launches with a request that the recording has no answer for, and the fallback has.
  public var lent = Cases()
  /// Schedules of which a second run differed from the first.
  public var differing = Cases()
  /// Branches that were not followed, because what was visible was the same as at another choice before.
  public var skipped = 0
  /// The choices of which that was so, each followed as recorded, and those of them after which it went on otherwise.
  public var audited = 0
  public var misjudged = Cases()
  /// The orders of what the contracts' rules name, each as a number that is the same on every machine.
  public var classes: Set<UInt64> = []
  /// By unit, the order in which the known turns came, for the claim of a covering set.
  public var realized: [Int: [Int]] = [:]
  /// Which units of work are in it.
  public var units: Set<Int> = []
  /// Whether time ran out before all units were done.
  public var isCut = false

  public init(ruleCount: Int) { rules = Array(repeating: RuleCount(), count: ruleCount) }

  /// Adds the tally of other units.
  public mutating func add(_ other: Tally) {
    schedules += other.schedules
    for (index, count) in other.rules.enumerated() where rules.indices.contains(index) { rules[index].add(count) }
    unfinished.add(other.unfinished)
    failed.add(other.failed)
    unanswered.add(other.unanswered)
    lent.add(other.lent)
    differing.add(other.differing)
    skipped += other.skipped
    audited += other.audited
    misjudged.add(other.misjudged)
    classes.formUnion(other.classes)
    realized.merge(other.realized) { first, _ in first }
    units.formUnion(other.units)
    isCut = isCut || other.isCut
  }
}

extension Tally.RuleCount {
  mutating func add(_ verdict: Verdict, _ schedule: Schedule) {
    switch verdict {
    case .holds: holds += 1
    case .idle: idle += 1
    case .open, .unordered: undecided += 1
    case .broken:
      broken += 1
      firstBroken = min(firstBroken ?? schedule, schedule)
    }
  }

  fileprivate mutating func add(_ other: Tally.RuleCount) {
    holds += other.holds
    broken += other.broken
    undecided += other.undecided
    idle += other.idle
    firstBroken = [firstBroken, other.firstBroken].compactMap(\.self).min()
  }
}
