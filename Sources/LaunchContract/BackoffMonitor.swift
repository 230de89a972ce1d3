import LaunchTrace

/// Rule 15: how long clients wait before they try a call again, and how often they do.
///
/// The attempts of a call follow each other only after an outcome that is retried: after any other, what comes next is
/// another call. So there is nothing to remember of a call that ended well.
struct BackoffMonitor: RuleMonitor {
  private let side: Side
  private let backoff: Rule.Backoff
  private var groups: [Int: Group] = [:]
  private var wasExercised = false
  /// The group whose attempts first went wrong, and how it went on.
  private var breach: Group?

  init(side: Side, backoff: Rule.Backoff) {
    self.side = side
    self.backoff = backoff
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name {
      let attempt = signal.occurrence
      if breach != nil {
        if attempt.group == breach?.id { follow(attempt, isNew: signal.change == .started) }
      } else if signal.change == .started {
        start(attempt)
      } else {
        go(on: attempt)
      }
    }
  }

  private mutating func start(_ attempt: Occurrence) {
    guard var group = groups[attempt.group], group.last.end != nil else {
      groups[attempt.group] = Group(attempt, wait: backoff.cap.map { min($0, backoff.first) } ?? backoff.first)
      return
    }
    wasExercised = true
    group.add(attempt, backoff)
    groups[attempt.group] = group
    if group.wrong > 0 { breach = group }
  }

  private mutating func go(on attempt: Occurrence) {
    groups[attempt.group]?.update(attempt)
    if attempt.outcome.isSettled { groups[attempt.group] = nil }
  }

  private mutating func follow(_ attempt: Occurrence, isNew: Bool) {
    if isNew { breach?.add(attempt, backoff) } else { breach?.update(attempt) }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  var isSpent: Bool { breach == nil && wasExercised && groups.isEmpty }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let breach else {
      let idle = "no call was tried twice, which is expected unless the cassette fails on purpose"
      return .kept(isFixed: horizon.isClosed, exercised: wasExercised, idle: idle)
    }
    return report(breach)
  }

  private func report(_ group: Group) -> Judgement {
    var judgement = Judgement(.broken)
    judgement.witness = group.rows.map { row in
      let isLast = row.attempt.id == group.last.id && row.attempt.end == nil
      let remark = (row.isWrong ? "<- " : "") + row.remarks(isLast: isLast).joined(separator: ", ")
      return WitnessEvent(row.attempt, .start, side.label, remark: remark)
    }
    let first = group.rows.first { $0.isWrong }
    if let first, first.excess != 0 {
      judgement.distance = first.distance
    } else if let most = backoff.mostTries {
      judgement.distance = "\(group.attempts) tries, at most \(most) allowed"
    }
    var notes: [String] = []
    if group.wrong > 1 { notes.append("\(group.wrong) of \(group.attempts) attempts break the rule") }
    let hidden = group.attempts - group.rows.count
    if hidden > 0 { notes.append("\(hidden) attempt\(hidden == 1 ? " is" : "s are") not shown") }
    if backoff.tolerance > 0, first.map({ $0.excess != 0 }) ?? false {
      notes.append("the ranges include the tolerance of \(Span.text(backoff.tolerance))")
    }
    if !notes.isEmpty { judgement.note = notes.joined(separator: "; ") }
    return judgement
  }
}

/// The attempts of one call.
private struct Group {
  let id: Int
  /// A few of them: all but the first, the first wrong one, the one before it and what follows, as far as there is room.
  var rows: [Row]
  /// How many there were.
  var attempts = 1
  /// How many of them came wrong.
  var wrong = 0
  var last: Occurrence
  /// How long the next wait is before jitter.
  private var wait: Int64

  init(_ attempt: Occurrence, wait: Int64) {
    id = attempt.group
    rows = [Row(attempt: attempt, number: 1)]
    last = attempt
    self.wait = wait
  }

  mutating func add(_ attempt: Occurrence, _ backoff: Rule.Backoff) {
    attempts += 1
    var row = Row(attempt: attempt, number: attempts)
    if let end = last.end {
      row.gap = attempt.start.microseconds(since: end)
      row.asked = last.retryAfter
      row.allowed = backoff.allowed(wait: wait, asked: last.retryAfter ?? 0)
    }
    row.isTooMany = backoff.mostTries.map { attempts > $0 } ?? false
    wait = backoff.next(after: wait)
    last = attempt
    let first = rows.firstIndex { $0.isWrong } ?? rows.count
    if row.isWrong { wrong += 1 }
    if rows.count == Self.most, !makeRoom(for: row, firstWrong: first) { return }
    rows.append(row)
  }

  /// As many as a report shows.
  private static let most = 5

  /// Leaves out what says the least: the beginning, or else what came in time after the first wrong one.
  private mutating func makeRoom(for row: Row, firstWrong first: Int) -> Bool {
    if first > 1, first == rows.count || row.isWrong {
      rows.removeFirst()
    } else if row.isWrong, let index = rows.lastIndex(where: { !$0.isWrong }), index > first {
      rows.remove(at: index)
    } else {
      return false
    }
    return true
  }

  mutating func update(_ attempt: Occurrence) {
    if last.id == attempt.id { last = attempt }
    if let index = rows.lastIndex(where: { $0.attempt.id == attempt.id }) { rows[index].attempt = attempt }
  }
}

private struct Row {
  var attempt: Occurrence
  /// Counted from 1.
  var number: Int
  /// What lies between it and the attempt before, in microseconds; nil for the first.
  var gap: Int64?
  /// What the answer before it asks to wait at least.
  var asked: Int64?
  var allowed: ClosedRange<Int64>?
  var isTooMany = false

  var isWrong: Bool { isTooMany || excess != 0 }

  /// How far the gap lies outside of what is allowed: negative when it is too short.
  var excess: Int64 {
    guard let gap, let allowed else { return 0 }
    if gap < allowed.lowerBound { return gap.minusClamped(allowed.lowerBound) }
    return gap > allowed.upperBound ? gap.minusClamped(allowed.upperBound) : 0
  }

  var distance: String {
    excess < 0 ? "\(Span.text(Int64(0).minusClamped(excess))) too early" : "\(Span.text(excess)) too late"
  }

  func remarks(isLast: Bool) -> [String] {
    var remarks = ["attempt \(number)"]
    if let gap, let allowed {
      let asked = asked.map { " as Retry-After is \(Span.text($0))" } ?? ""
      remarks.append("\(Span.text(gap)) later (must be \(allowed.text)\(asked))")
      if excess != 0 { remarks.append(distance) }
    }
    if isTooMany { remarks.append("is one too many") }
    if !isLast {
      var single = attempt.facts
      single.attempts = 1
      remarks.append(Occurrence(single).fate)
    }
    return remarks
  }
}

extension ClosedRange<Int64> {
  fileprivate var text: String {
    if upperBound == .max { return "at least \(Span.text(lowerBound))" }
    if lowerBound == upperBound { return "exactly \(Span.text(lowerBound))" }
    return lowerBound == 0 ? "at most \(Span.text(upperBound))" : "\(Span.text(lowerBound)) to \(Span.text(upperBound))"
  }
}

extension Occurrence.Outcome {
  /// Whether no further attempt can follow.
  var isSettled: Bool {
    switch self {
    case .ok, .cancelled: true
    case .failed, .error, .open: false
    }
  }
}

extension Rule.Backoff {
  /// What may lie between two attempts when the wait is so long before jitter and the answer asked for at least so much.
  /// The asked time is the least; the jitter goes around the longer of both. In whole microseconds, rounded
  /// down.
  fileprivate func allowed(wait: Int64, asked: Int64) -> ClosedRange<Int64> {
    let longer = max(wait, asked)
    let (least, most): (Int64, Int64) =
      switch jitter {
      case .thousandths(let jitter):
        (max(wait - min(wait, wait.scaled(jitter)), asked), longer.plusClamped(longer.scaled(jitter)))
      case .full: (asked, asked > wait ? asked.plusClamped(wait) : wait)
      }
    return max(0, least.minusClamped(tolerance))...most.plusClamped(tolerance)
  }

  /// The wait after one of `wait`, never more than the cap.
  fileprivate func next(after wait: Int64) -> Int64 { min(cap ?? .max, wait.scaled(factor)) }
}

extension Int64 {
  /// So many thousandths of this, rounded down and kept within 64 bits. Neither may be negative.
  fileprivate func scaled(_ thousandths: Int64) -> Int64 {
    let (whole, rest) = quotientAndRemainder(dividingBy: 1000)
    let (large, overflow) = whole.multipliedReportingOverflow(by: thousandths)
    let (small, overflowed) = rest.multipliedReportingOverflow(by: thousandths)
    return overflow || overflowed ? .max : large.plusClamped(small / 1000)
  }
}
