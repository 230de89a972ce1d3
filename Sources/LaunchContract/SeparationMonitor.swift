import LaunchTrace

/// Rule 13, `A never overlaps B`: of one of each, one is over before the other starts. One request that has both names
/// is one call, which does not overlap itself.
struct SeparationMonitor: RuleMonitor {
  private var left: Track
  private var right: Track
  /// The two that overlap, in the order of their starts.
  private var breach: (first: Occurrence, second: Occurrence)?

  private struct Track {
    let side: Side
    /// What is open and counts, by id.
    var open: [Int: Occurrence] = [:]
    /// What ended and may go on, by id.
    var resumable: [Int: Occurrence] = [:]
    /// The one that ended last, of those that count.
    var last: Occurrence?
    var wasSeen = false

    /// Takes a change. What is returned is open from now on, or has been since a position.
    mutating func take(_ signal: Signal) -> (occurrence: Occurrence, after: Int)? {
      let occurrence = signal.occurrence
      var begun: (occurrence: Occurrence, after: Int)?
      switch signal.change {
      case .started: if side.filter == .any { begun = (occurrence, occurrence.start.position - 1) }
      case .resumed:
        if let end = resumable.removeValue(forKey: occurrence.id)?.end { begun = (occurrence, end.position) }
      case .ended:
        if open[occurrence.id] == nil, side.counts(occurrence) { begun = (occurrence, occurrence.start.position - 1) }
      }
      if begun != nil {
        open[occurrence.id] = occurrence
        wasSeen = true
      }
      if occurrence.end != nil, open.removeValue(forKey: occurrence.id) != nil {
        if !occurrence.isFinal { resumable[occurrence.id] = occurrence }
        last = occurrence
      }
      return begun
    }

    /// One that is open, or ended after `position`.
    func reaches(beyond position: Int, besides other: Occurrence) -> Occurrence? {
      if let open = open.values.first(where: { $0.start.position != other.start.position }) { return open }
      guard let last, let end = last.end, end.position > position else { return nil }
      return last.start.position == other.start.position ? nil : last
    }
  }

  init(_ left: Side, _ right: Side) {
    self.left = Track(side: left)
    self.right = Track(side: right)
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      follow(signal.occurrence)
      if signal.occurrence.name == left.side.name, let begun = left.take(signal) {
        check(begun.occurrence, right.reaches(beyond: begun.after, besides: begun.occurrence))
      }
      if signal.occurrence.name == right.side.name, let begun = right.take(signal) {
        check(begun.occurrence, left.reaches(beyond: begun.after, besides: begun.occurrence))
      }
    }
  }

  private mutating func check(_ occurrence: Occurrence, _ other: Occurrence?) {
    guard breach == nil, let other else { return }
    breach = other.start.precedes(occurrence.start) ? (other, occurrence) : (occurrence, other)
  }

  private mutating func follow(_ occurrence: Occurrence) {
    if breach?.first.id == occurrence.id { breach?.first = occurrence }
    if breach?.second.id == occurrence.id { breach?.second = occurrence }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  var isSpent: Bool {
    breach == nil && left.wasSeen && right.wasSeen
      && left.open.isEmpty && left.resumable.isEmpty && right.open.isEmpty && right.resumable.isEmpty
  }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach.first, breach.second) }
    let missing = left.wasSeen ? right.side : left.side
    return .kept(isFixed: horizon.isClosed, exercised: left.wasSeen && right.wasSeen, idle: missing.absence)
  }

  private func report(_ first: Occurrence, _ second: Occurrence) -> Judgement {
    var judgement = Judgement(.broken)
    let labels = [first, second].map { $0.name == left.side.name ? left.side.label : right.side.label }
    judgement.witness = [
      WitnessEvent(first, .start, labels[0], remark: "is open \(first.extent)"),
      WitnessEvent(second, .start, labels[1], remark: "starts while \(labels[0]) is open"),
    ]
    judgement.distance = Occurrence.overlap(of: [first, second])
    return judgement
  }
}
