public import LaunchDiagnostics
public import LaunchTrace

/// Checks a contract against one trace as its events come: live while recording, or over a file.
///
/// ```swift
/// var monitor = Monitor(contract)
/// for event in trace.events { monitor.step(event) }
/// let reports = monitor.finish()
/// ```
///
/// A live run can stop at the first rule that nothing can repair:
///
/// ```swift
/// for await event in events where monitor.step(event) { throw Broken(monitor.firstBroken) }
/// ```
///
/// One pass; memory for what is undecided only. A trace in which the process starts again holds several launches:
/// each is judged alone, and the worst counts.
public struct Monitor: Sendable {
  private let contract: Contract
  /// One a rule.
  private var watches: [Watch]
  private var recognizer: Recognizer
  /// The judgements of the launches before this one, by rule; empty in the first.
  private var earlier: [Judgement] = []
  /// What the event that is being taken changes.
  private var signals: [Signal] = []
  private var eventCount = 0
  private var launchCount = 0
  private var last = Point(position: -1, at: .zero)
  private var isClosed = false
  /// By number of the name: whether it occurred.
  private var hasOccurred: [Bool]
  private var firstBrokenRule: Int?
  /// How many rules are broken whatever follows, advice left out.
  private var brokenCount = 0
  /// Time alone breaks no rule before this; nil when it breaks none.
  private var nextDeadline: Instant?

  /// A monitor that has seen nothing yet. One contract may have any number of them.
  public init(_ contract: Contract) {
    self.contract = contract
    watches = contract.plan.monitors.map { Watch(monitor: $0) }
    recognizer = contract.plan.recognizer
    hasOccurred = Array(repeating: false, count: contract.names.declarations.count)
  }

  /// Takes the next event. What follows the closing event is ignored.
  /// - Returns: true when the event breaks a rule, advice left out, that was not broken before: no continuation of the
  ///   trace repairs it.
  @discardableResult
  public mutating func step(_ event: Event) -> Bool {
    guard !isClosed else { return false }
    let brokenBefore = brokenCount
    let point = Point(position: eventCount, at: event.at)
    eventCount += 1
    if case .launch = event.kind {
      if launchCount > 0 { restart(at: point) }
      begin(at: point)
    } else if launchCount == 0 {
      begin(at: Point(position: -1, at: .zero))
    }
    last = point
    if case .closed = event.kind {
      boundary(Names.launchEnd, at: point)
      isClosed = true
      noteBroken(Horizon(last: last, isClosed: true))
    } else {
      recognizer.take(event, at: point, into: &signals)
      if !signals.isEmpty { deliver() }
      if let nextDeadline, nextDeadline < point.at { expire() }
    }
    return brokenCount > brokenBefore
  }

  /// How the rule fares that was the first to be broken beyond repair, advice left out; nil while none is.
  ///
  /// What follows may add to its story, such as how much too late something came.
  public var firstBroken: RuleReport? { firstBrokenRule.map { finish()[$0] } }

  /// The verdicts on what was seen so far, one a rule, in the order of the file.
  ///
  /// Without a closing event the trace is cut. Asking changes nothing: more events may follow.
  public func finish() -> [RuleReport] {
    zip(contract.rules, judgements(isClosed: isClosed)).map { RuleReport($0, $1) }
  }

  /// The verdicts alone, as `finish` has them.
  package var verdicts: [Verdict] { judgements(isClosed: isClosed).map(\.verdict) }

  /// What the contract says of what was seen so far, as of a trace called `name`.
  ///
  /// The order of the events is taken for the true one; `Contract.verification(of:)` judges traces that only have times.
  public func verification(of name: String) -> Verification {
    Verification(
      contract: contract.name, file: contract.file, trace: name, eventCount: eventCount, isClosed: isClosed,
      reports: finish(), warnings: contract.warnings + warnings, isConcerned: isConcerned)
  }

  /// Whether anything seen so far has a name that the contract declares and some rule uses.
  public var isConcerned: Bool {
    contract.plan.concerned.indices.contains { name in
      name > Names.launchEnd && hasOccurred[name] && !contract.plan.concerned[name].isEmpty
    }
  }

  /// One warning for each declared name that nothing matched: its rules check less than they seem to. A name that only
  /// optional rules use may be missing.
  public var warnings: [Diagnostic] {
    contract.plan.needed.filter { !hasOccurred[$0] }.map(contract.unmatchedWarning)
  }

  private mutating func begin(at point: Point) {
    launchCount += 1
    last = point
    boundary(Names.launchBegin, at: point)
  }

  /// The process is gone: its launch is closed, and the next one shares nothing with it.
  private mutating func restart(at point: Point) {
    boundary(Names.launchEnd, at: point)
    noteBroken(Horizon(last: last, isClosed: true))
    earlier = judgements(isClosed: true)
    for (index, monitor) in contract.plan.monitors.enumerated() { watches[index].begin(again: monitor) }
    recognizer = contract.plan.recognizer
    nextDeadline = nil
  }

  private mutating func boundary(_ name: Int, at point: Point) {
    recognizer.takeBoundary(name, at: point, into: &signals)
    deliver()
  }

  /// Gives the signals of one event to the rules they concern, to each once.
  private mutating func deliver() {
    var signals: [Signal] = []
    swap(&signals, &self.signals)
    let plan = contract.plan
    var concerned = RuleSet()
    for signal in signals {
      hasOccurred[signal.occurrence.name] = true
      concerned.formUnion(plan.concerned[signal.occurrence.name])
    }
    while let index = concerned.popFirst() { take(signals, index) }
    // The memory is kept for the next event.
    while signals.popLast() != nil {}
    swap(&signals, &self.signals)
  }

  private mutating func take(_ signals: [Signal], _ index: Int) {
    if watches[index].take(signals, Horizon(last: last, isClosed: false)) { noteBroken(index) }
    guard let deadline = watches[index].deadline else { return }
    // What was due earlier may be done with: expiring finds that out, once for many events.
    nextDeadline = nextDeadline.map { min($0, deadline) } ?? deadline
  }

  private mutating func noteBroken(_ index: Int) {
    guard !contract.rules[index].isAdvice else { return }
    brokenCount += 1
    if firstBrokenRule == nil { firstBrokenRule = index }
  }

  /// Looks at the rules whose time is up.
  private mutating func expire() {
    let horizon = Horizon(last: last, isClosed: false)
    for index in watches.indices where watches[index].expire(at: horizon) { noteBroken(index) }
    nextDeadline = watches.lazy.map(\.deadline).earliest
  }

  /// A launch is over: what was open is decided.
  private mutating func noteBroken(_ horizon: Horizon) {
    for index in watches.indices where watches[index].close(horizon) { noteBroken(index) }
  }

  private func judgements(isClosed: Bool) -> [Judgement] {
    let horizon = Horizon(last: last, isClosed: isClosed)
    let current = watches.map { $0.monitor.judge(horizon) }
    return earlier.isEmpty ? current : zip(earlier, current).map { $0.and($1) }
  }
}

/// One rule, and how far its verdict can be told while events come.
private struct Watch: Sendable {
  private(set) var monitor: any RuleMonitor
  /// Whether it is broken, whatever follows.
  private var isBroken = false
  /// When time alone will break it.
  private(set) var deadline: Instant?

  init(monitor: any RuleMonitor) { self.monitor = monitor }

  /// Takes what changed at one event.
  /// - Returns: whether that broke the rule, as all functions here do.
  mutating func take(_ signals: [Signal], _ horizon: Horizon) -> Bool {
    if isBroken {
      monitor.take(signals)
      return false
    }
    let standing = monitor.take(signals, horizon)
    (isBroken, deadline) = (standing.isBroken, standing.deadline)
    return isBroken
  }

  /// Looks again if its time is up.
  mutating func expire(at horizon: Horizon) -> Bool {
    guard let end = deadline, end < horizon.last.at, monitor.isBroken(horizon) else { return false }
    isBroken = true
    deadline = nil
    return true
  }

  /// The launch is over.
  mutating func close(_ horizon: Horizon) -> Bool {
    guard !isBroken, monitor.judge(horizon).verdict == .broken else { return false }
    isBroken = true
    return true
  }

  /// Goes on with another launch. What was broken stays so.
  mutating func begin(again fresh: any RuleMonitor) {
    monitor = fresh
    deadline = nil
  }
}

extension RuleReport {
  init(_ rule: Rule, _ judgement: Judgement) {
    self.init(
      rule: rule, verdict: judgement.verdict, note: judgement.note, witness: judgement.witness,
      distance: judgement.distance, nearMiss: judgement.nearMiss)
  }
}
