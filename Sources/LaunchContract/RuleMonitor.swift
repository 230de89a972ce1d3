import LaunchTrace

/// Watches one rule over one launch, in one pass and with memory for what is still undecided only.
protocol RuleMonitor: Sendable {
  /// Takes what changed at one event. All signals have the same position, so none of them precedes another.
  mutating func take(_ signals: [Signal])
  /// The same, and what is to be known after every event, in one call.
  mutating func take(_ signals: [Signal], _ horizon: Horizon) -> Standing
  /// The verdict if nothing more were seen. May be asked at any time.
  func judge(_ horizon: Horizon) -> Judgement
  /// Whether `judge` says broken, asked after every event that concerns the rule: cheap where it matters.
  func isBroken(_ horizon: Horizon) -> Bool
  /// The last moment at which the rule can still be kept if nothing comes; nil when time alone breaks nothing.
  var deadline: Instant? { get }
  /// Kept, exercised, and with nothing pending: whatever comes is judged as if nothing had been, so a key's monitor
  /// may be forgotten.
  var isSpent: Bool { get }
}

/// How a rule stands after an event.
struct Standing: Sendable {
  var isBroken: Bool
  var deadline: Instant?
}

extension RuleMonitor {
  mutating func take(_ signals: [Signal], _ horizon: Horizon) -> Standing {
    take(signals)
    return isBroken(horizon) ? Standing(isBroken: true) : Standing(isBroken: false, deadline: deadline)
  }

  func isBroken(_ horizon: Horizon) -> Bool { judge(horizon).verdict == .broken }

  var deadline: Instant? { nil }

  var isSpent: Bool { false }
}

/// How far a monitor has seen, and whether more can come.
struct Horizon: Hashable, Sendable {
  /// The place of the last event.
  var last: Point
  /// The launch has ended: what is open stays open.
  var isClosed: Bool
  /// Nothing can start any more in the stretch that is watched; what is open may still end.
  var isComplete: Bool

  init(last: Point, isClosed: Bool) {
    self.last = last
    self.isClosed = isClosed
    isComplete = isClosed
  }

  /// The same for a stretch that is over.
  var completed: Horizon {
    var horizon = self
    horizon.isComplete = true
    return horizon
  }
}

/// A verdict with what it rests on.
struct Judgement: Hashable, Sendable {
  var verdict: Verdict
  var note: String?
  var witness: [WitnessEvent] = []
  var distance: String?
  var nearMiss: String?

  init(_ verdict: Verdict, note: String? = nil) {
    self.verdict = verdict
    self.note = note
  }

  static let holds = Judgement(.holds)

  static func idle(_ note: String) -> Judgement { Judgement(.idle, note: note) }

  /// The verdict when nothing is wrong so far. `isFixed` says that nothing can change it any more.
  static func kept(isFixed: Bool, exercised: Bool, idle note: @autoclosure () -> String) -> Judgement {
    if !isFixed { return Judgement(.open(leaning: .kept), note: "the trace is cut, nothing is wrong so far") }
    return exercised ? .holds : .idle(note())
  }

  /// How much the verdict weighs beside others on the same rule: one broken launch breaks it, and only if all
  /// are idle it is idle.
  private var weight: Int {
    switch verdict {
    case .broken: 5
    case .open(leaning: .broken): 4
    case .unordered: 3
    case .open(leaning: .kept): 2
    case .holds: 1
    case .idle: 0
    }
  }

  /// With the scope's own event among the witnesses, where there are any or something is wrong.
  func adding(_ event: WitnessEvent) -> Judgement {
    guard verdict == .broken || verdict == .open(leaning: .broken), witness.count < 5 else { return self }
    var judgement = self
    judgement.witness.append(event)
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }

  /// The same while another stretch or key may follow: kept is not settled.
  var whileMoreMayCome: Judgement { verdict == .holds || verdict == .idle ? doubted : self }

  /// What is left of it while it is not certain that its stretch counts.
  var doubted: Judgement {
    var judgement = self
    switch verdict {
    case .broken: judgement.verdict = .open(leaning: .broken)
    case .holds, .idle: judgement = .kept(isFixed: false, exercised: false, idle: "")
    case .open, .unordered: break
    }
    return judgement
  }

  /// The judgement of two launches or two halves of a rule together.
  func and(_ other: Judgement) -> Judgement { other.weight > weight ? other : self }
}

/// Two monitors that must both be content (rule 5).
struct BothMonitor: RuleMonitor {
  private var first: any RuleMonitor
  private var second: any RuleMonitor

  init(_ first: any RuleMonitor, _ second: any RuleMonitor) {
    self.first = first
    self.second = second
  }

  mutating func take(_ signals: [Signal]) {
    first.take(signals)
    second.take(signals)
  }

  func judge(_ horizon: Horizon) -> Judgement { first.judge(horizon).and(second.judge(horizon)) }

  func isBroken(_ horizon: Horizon) -> Bool { first.isBroken(horizon) || second.isBroken(horizon) }

  var deadline: Instant? { [first.deadline, second.deadline].earliest }
}

extension Sequence<Instant?> {
  /// The earliest of those that are there.
  var earliest: Instant? {
    reduce(nil) { earliest, next in
      guard let earliest, let next else { return earliest ?? next }
      return Swift.min(earliest, next)
    }
  }
}
