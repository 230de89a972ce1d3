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
  private var monitors: [any RuleMonitor]
  private var recognizer: Recognizer
  /// The judgements of the launches before this one, by rule; empty in the first.
  private var earlier: [Judgement] = []
  /// What the event that is being taken changes, and the rules it concerns: kept for their room.
  private var signals: [Signal] = []
  private var touched: [Int] = []
  private var eventCount = 0
  private var launchCount = 0
  private var last = Point(position: -1, at: .zero)
  private var isClosed = false
  /// By number of the name: whether it occurred.
  private var hasOccurred: [Bool]
  /// By rule: whether it is broken, whatever follows.
  private var isBroken: [Bool]
  private var firstBrokenRule: Int?
  /// How many are, advice left out.
  private var brokenCount = 0
  /// By rule: when time alone will break it.
  private var deadlines: [Instant?]
  private var nextDeadline: Instant?

  /// A monitor that has seen nothing yet. One contract may have any number of them.
  public init(_ contract: Contract) {
    self.contract = contract
    monitors = contract.plan.monitors
    recognizer = contract.plan.recognizer
    hasOccurred = Array(repeating: false, count: contract.names.declarations.count)
    isBroken = Array(repeating: false, count: contract.rules.count)
    deadlines = Array(repeating: nil, count: contract.rules.count)
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
    monitors = contract.plan.monitors
    recognizer = contract.plan.recognizer
    deadlines = Array(repeating: nil, count: deadlines.count)
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
    for signal in signals { hasOccurred[signal.occurrence.name] = true }
    if signals.count == 1 {
      for index in contract.plan.concerned[signals[0].occurrence.name] { take(signals, index) }
    } else {
      for signal in signals { touched.append(contentsOf: contract.plan.concerned[signal.occurrence.name]) }
      touched.sort()
      for (place, index) in touched.enumerated() where place == 0 || touched[place - 1] != index {
        take(signals, index)
      }
      touched.removeAll(keepingCapacity: true)
    }
    signals.removeAll(keepingCapacity: true)
    swap(&signals, &self.signals)
  }

  private mutating func take(_ signals: [Signal], _ index: Int) {
    monitors[index].take(signals)
    guard !isBroken[index] else { return }
    if monitors[index].isBroken(Horizon(last: last, isClosed: false)) { return noteBroken(index) }
    let deadline = monitors[index].deadline
    guard deadlines[index] != deadline else { return }
    deadlines[index] = deadline
    nextDeadline = deadlines.earliest
  }

  private mutating func noteBroken(_ index: Int) {
    isBroken[index] = true
    deadlines[index] = nil
    nextDeadline = deadlines.earliest
    guard !contract.rules[index].isAdvice else { return }
    brokenCount += 1
    if firstBrokenRule == nil { firstBrokenRule = index }
  }

  /// Looks at the rules whose time is up.
  private mutating func expire() {
    let horizon = Horizon(last: last, isClosed: false)
    for index in monitors.indices {
      guard let deadline = deadlines[index], deadline < last.at, monitors[index].isBroken(horizon) else { continue }
      noteBroken(index)
    }
  }

  /// A launch is over: what was open is decided.
  private mutating func noteBroken(_ horizon: Horizon) {
    for index in monitors.indices where !isBroken[index] && monitors[index].judge(horizon).verdict == .broken {
      noteBroken(index)
    }
  }

  private func judgements(isClosed: Bool) -> [Judgement] {
    let horizon = Horizon(last: last, isClosed: isClosed)
    let current = monitors.map { $0.judge(horizon) }
    return earlier.isEmpty ? current : zip(earlier, current).map { $0.and($1) }
  }
}

extension RuleReport {
  init(_ rule: Rule, _ judgement: Judgement) {
    self.init(
      rule: rule, verdict: judgement.verdict, note: judgement.note, witness: judgement.witness,
      distance: judgement.distance, nearMiss: judgement.nearMiss)
  }
}
