import LaunchTrace

/// Rule 15: how long clients wait before they try a call again, and how often they do.
///
/// The attempts of a call follow each other only after an outcome that is retried: after any other, what comes next is
/// another call. So there is nothing to remember of a call that ended well.
struct BackoffMonitor: RuleMonitor {
  private struct Group {
    /// The last few attempts.
    var rows: [Row]
    /// How many there were.
    var attempts = 1
    /// How long the next wait is before jitter.
    var wait: Int64
  }

  fileprivate struct Row {
    var attempt: Occurrence
    /// What lies between it and the attempt before, in microseconds; nil for the first.
    var gap: Int64?
    var allowed: ClosedRange<Int64>?
  }

  private let side: Side
  private let backoff: Rule.Backoff
  private var groups: [Int: Group] = [:]
  private var wasExercised = false
  /// The group whose last attempt is wrong.
  private var breach: Group?

  init(side: Side, backoff: Rule.Backoff) {
    self.side = side
    self.backoff = backoff
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name && breach == nil {
      if signal.change == .started { start(signal.occurrence) } else { go(on: signal.occurrence) }
    }
  }

  private mutating func start(_ attempt: Occurrence) {
    guard var group = groups[attempt.group], let previous = group.rows.last?.attempt, let end = previous.end else {
      let first = backoff.cap.map { min($0, backoff.first) } ?? backoff.first
      groups[attempt.group] = Group(rows: [Row(attempt: attempt)], wait: first)
      return
    }
    wasExercised = true
    let row = Row(
      attempt: attempt, gap: attempt.start.microseconds(since: end),
      allowed: backoff.allowed(wait: group.wait, asked: previous.retryAfter ?? 0))
    group.rows = group.rows.suffix(4) + [row]
    group.attempts += 1
    group.wait = backoff.next(after: group.wait)
    groups[attempt.group] = group
    if isTooMany(group) || row.excess != 0 { breach = group }
  }

  private mutating func go(on attempt: Occurrence) {
    guard var group = groups[attempt.group], group.rows.last?.attempt.id == attempt.id else { return }
    group.rows[group.rows.count - 1].attempt = attempt
    groups[attempt.group] = attempt.outcome.isSettled ? nil : group
  }

  private func isTooMany(_ group: Group) -> Bool { backoff.mostTries.map { group.attempts > $0 } ?? false }

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
    let skipped = group.attempts - group.rows.count
    judgement.witness = group.rows.enumerated().map { index, row in
      let isLast = index == group.rows.count - 1
      let number = "attempt \(skipped + index + 1)"
      let remark = (isLast ? "<- " : "") + ([number] + row.remarks(isLast: isLast)).joined(separator: ", ")
      return WitnessEvent(row.attempt, .start, side.label, remark: remark)
    }
    if let last = group.rows.last, last.excess != 0 {
      judgement.distance =
        last.excess < 0
        ? "\(Span.text(Int64(0).minusClamped(last.excess))) too early" : "\(Span.text(last.excess)) too late"
    } else if let most = backoff.mostTries {
      judgement.distance = "\(group.attempts) tries, and at most \(most) are allowed"
    }
    if let asked = group.rows.dropLast().last?.attempt.retryAfter {
      judgement.note = "the answer before it asks to wait \(Span.text(asked))"
    }
    return judgement
  }
}

extension BackoffMonitor.Row {
  /// How far the gap lies outside of what is allowed: negative when it is too short.
  fileprivate var excess: Int64 {
    guard let gap, let allowed else { return 0 }
    if gap < allowed.lowerBound { return gap.minusClamped(allowed.lowerBound) }
    return gap > allowed.upperBound ? gap.minusClamped(allowed.upperBound) : 0
  }

  fileprivate func remarks(isLast: Bool) -> [String] {
    var remarks: [String] = []
    if let gap, let allowed {
      remarks.append("\(Span.text(gap)) later (allowed \(allowed.text))")
    }
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
    if upperBound == .max { return "from \(Span.text(lowerBound))" }
    return lowerBound == upperBound
      ? Span.text(lowerBound) : "\(Span.text(lowerBound)) to \(Span.text(upperBound))"
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
