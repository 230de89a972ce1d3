import LaunchTrace

/// Rule 25: not later than the bound there is a moment from which no call is open or starts for the quiet time.
///
/// A call is open from its first attempt to its last, so a retry takes back the quiet since the first. The earliest
/// quiet stretch is the hardest to take back, so it is the only one remembered.
struct SettlingMonitor: RuleMonitor {
  private let bound: Int64
  private let quiet: Int64
  private var begin = Point(position: -1, at: .zero)
  /// Calls that have not ended, by id.
  private var open: [Int: Occurrence] = [:]
  /// Starts of calls that may be retried, by id: a retry would take the quiet back.
  private var retryable: [Int: Point] = [:]
  /// Where the last call ended; the launch's begin before that.
  private var rest = Point(position: -1, at: .zero)
  private var lastEnded: Occurrence?
  /// Where the earliest quiet stretch begins.
  private var settled: Point?
  private var breach: Breach?

  private enum Breach {
    /// Open when the time was up.
    case open([Occurrence])
    /// The quiet after the last end was too short.
    case disturbed(ended: Occurrence?, by: Occurrence)
    /// The last call ended when the time was up, as it is now.
    case late(Occurrence)
  }

  init(bound: Int64, quiet: Int64) {
    self.bound = bound
    self.quiet = quiet
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      let occurrence = signal.occurrence
      if occurrence.name == Names.launchBegin {
        begin = occurrence.start
        rest = begin
      }
      guard occurrence.name == Names.everyCall else { continue }
      switch signal.change {
      case .started: start(occurrence)
      case .resumed: resume(occurrence)
      case .ended: end(occurrence)
      }
    }
  }

  private mutating func start(_ call: Occurrence) {
    expire(at: call.start)
    if settled == nil, breach == nil, open.isEmpty {
      if call.start.microseconds(since: rest) >= quiet {
        settled = rest
      } else if isPast(call.start) {
        breach = .disturbed(ended: lastEnded, by: call)
      }
    }
    open[call.id] = call
  }

  private mutating func resume(_ call: Occurrence) {
    retryable[call.id] = nil
    open[call.id] = call
    if let moment = settled, call.start.precedes(moment) { settled = nil }
  }

  private mutating func end(_ call: Occurrence) {
    guard let point = call.end else { return }
    expire(at: point)
    open[call.id] = nil
    if !call.isFinal, settled == nil { retryable[call.id] = call.start }
    rest = point
    lastEnded = call
  }

  private func isPast(_ point: Point) -> Bool { point.microseconds(since: begin) > bound }

  /// With a call open when the time is up, or none over before, nothing can come to rest in time.
  private mutating func expire(at now: Point) {
    guard settled == nil, breach == nil, isPast(now) else { return }
    if !open.isEmpty {
      breach = .open(sortedOpen)
    } else if isPast(rest), let lastEnded {
      breach = .late(lastEnded)
    }
  }

  private var sortedOpen: [Occurrence] {
    open.values.sorted { ($0.start.position, $0.id) < ($1.start.position, $1.id) }
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    var trial = self
    trial.expire(at: horizon.last)
    return trial.breach != nil
  }

  var deadline: Instant? {
    guard settled == nil, breach == nil, !open.isEmpty else { return nil }
    return Instant(microseconds: begin.at.microseconds.plusClamped(bound))
  }

  func judge(_ horizon: Horizon) -> Judgement {
    var trial = self
    trial.expire(at: horizon.last)
    if let breach = trial.breach { return report(breach, .broken, horizon) }
    if settled == nil, !open.isEmpty {
      return report(.open(sortedOpen), horizon.isClosed ? .broken : .open(leaning: .broken), horizon)
    }
    let moment = settled ?? rest
    let isQuiet = settled != nil || horizon.last.microseconds(since: rest) >= quiet
    let isFinal = isQuiet && !retryable.values.contains { $0.precedes(moment) }
    return .kept(isFixed: horizon.isClosed || isFinal, exercised: true, idle: "")
  }
}

extension SettlingMonitor {
  private func report(_ breach: Breach, _ verdict: Verdict, _ horizon: Horizon) -> Judgement {
    var judgement = Judgement(verdict)
    let deadline = Span.clock(Instant(microseconds: begin.at.microseconds.plusClamped(bound)))
    let isOver = isPast(horizon.last)
    switch breach {
    case .open(let calls):
      judgement.witness = calls.prefix(5).map {
        WitnessEvent($0, .start, "calls", remark: isOver ? "<- is open at \(deadline)" : "<- is still open")
      }
      let count = "\(calls.count) call\(calls.count == 1 ? "" : "s")"
      judgement.note =
        isOver
        ? "\(count) had not ended when the time was up at \(deadline)"
        : "\(count) had not ended when the trace \(horizon.isClosed ? "ends" : "stops")"
    case .disturbed(let ended, let call):
      if let ended {
        judgement.witness.append(WitnessEvent(ended, .end, "calls", remark: "is the last to end in time"))
      }
      let since = Span.text(call.start.microseconds(since: rest(before: ended)))
      judgement.witness.append(
        WitnessEvent(call, .start, "calls", remark: "<- starts \(since) later, needs \(Span.text(quiet)) of quiet"))
      judgement.note = "the time was up at \(deadline)"
    case .late(let last):
      let lateness = last.end.map { $0.microseconds(since: begin).minusClamped(bound) } ?? 0
      judgement.distance = "\(Span.text(lateness)) too late"
      judgement.witness = [WitnessEvent(last, .end, "calls", remark: "<- ends \(Span.text(lateness)) too late")]
      judgement.note = "the time was up at \(deadline)"
    }
    return judgement
  }

  private func rest(before ended: Occurrence?) -> Point { ended?.end ?? begin }
}
