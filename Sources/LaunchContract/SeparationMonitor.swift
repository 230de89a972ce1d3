import LaunchTrace

/// Rule 13, `A never overlaps B`: of one of each, one is over before the other starts. One request that has both names
/// is one call, which does not overlap itself.
struct SeparationMonitor: RuleMonitor {
  private var left: Track
  private var right: Track
  /// The two that overlap, in the order of their starts.
  private var breach: Pair?
  /// Those that overlap if a retry does not keep one of them from counting.
  private var tentative: [Pair] = []

  private struct Pair {
    var first: Occurrence
    var second: Occurrence

    func contains(_ id: Int) -> Bool { first.id == id || second.id == id }
  }

  private struct Track {
    let side: Side
    /// What is open and counts, by id.
    var open = NumberTable<Occurrence>()
    /// What ended, counts as things stand and may go on, by id.
    var resumable = NumberTable<Occurrence>()
    /// The one that ended last, of those that count whatever comes.
    private var last: Occurrence?
    private var wasSeen = false

    init(side: Side) { self.side = side }

    var isSeen: Bool { wasSeen || !resumable.isEmpty }

    var isAtRest: Bool { open.isEmpty && resumable.isEmpty }

    func isCertain(_ occurrence: Occurrence) -> Bool { side.filter == .any || occurrence.isFinal }

    /// Takes a change. What is returned is open from now on, or has been since a position.
    mutating func take(_ signal: Signal) -> (occurrence: Occurrence, after: Int)? {
      let occurrence = signal.occurrence
      var begun: (occurrence: Occurrence, after: Int)?
      switch signal.change {
      case .started: if side.filter == .any { begun = (occurrence, occurrence.start.position - 1) }
      case .resumed:
        let end = resumable.take(occurrence.id)?.end
        if side.filter == .any, let end { begun = (occurrence, end.position) }
      case .ended:
        if !open.contains(occurrence.id), side.counts(occurrence) {
          begun = (occurrence, occurrence.start.position - 1)
        }
      }
      if begun != nil {
        open[occurrence.id] = occurrence
        if isCertain(occurrence) { wasSeen = true }
      }
      if occurrence.end != nil, open.take(occurrence.id) != nil {
        if !occurrence.isFinal { resumable[occurrence.id] = occurrence }
        if isCertain(occurrence) { last = occurrence }
      }
      return begun
    }

    /// What is open, or ended after `position`: one that counts whatever comes, or else all that may.
    func reaching(beyond position: Int, besides other: Occurrence) -> [Occurrence] {
      if let open = open.values.first(where: { $0.start.position != other.start.position }) { return [open] }
      if resumable.isEmpty, last?.end?.position ?? -1 <= position { return [] }
      let ended = ([last].compactMap(\.self) + resumable.values).filter {
        $0.start.position != other.start.position && ($0.end?.position ?? .max) > position
      }
      return ended.first(where: isCertain).map { [$0] } ?? ended
    }
  }

  init(_ left: Side, _ right: Side) {
    self.left = Track(side: left)
    self.right = Track(side: right)
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      follow(signal)
      if signal.occurrence.name == left.side.name, let begun = left.take(signal) {
        for other in right.reaching(beyond: begun.after, besides: begun.occurrence) {
          note(begun.occurrence, other, isCertain: left.isCertain(begun.occurrence) && right.isCertain(other))
        }
      }
      if signal.occurrence.name == right.side.name, let begun = right.take(signal) {
        for other in left.reaching(beyond: begun.after, besides: begun.occurrence) {
          note(begun.occurrence, other, isCertain: right.isCertain(begun.occurrence) && left.isCertain(other))
        }
      }
    }
  }

  private mutating func note(_ occurrence: Occurrence, _ other: Occurrence, isCertain: Bool) {
    guard breach == nil else { return }
    let isLater = other.start.precedes(occurrence.start)
    let pair = isLater ? Pair(first: other, second: occurrence) : Pair(first: occurrence, second: other)
    if isCertain { breach = pair } else { tentative.append(pair) }
  }

  private mutating func follow(_ signal: Signal) {
    let occurrence = signal.occurrence
    if breach?.first.id == occurrence.id { breach?.first = occurrence }
    if breach?.second.id == occurrence.id { breach?.second = occurrence }
    let side = occurrence.name == left.side.name ? left.side : right.side
    if signal.change == .resumed, side.filter != .any { tentative.removeAll { $0.contains(occurrence.id) } }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  var isSpent: Bool { breach == nil && left.isSeen && right.isSeen && left.isAtRest && right.isAtRest }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach.first, breach.second, .broken) }
    if let pair = tentative.first {
      return report(pair.first, pair.second, horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    let missing = left.isSeen ? right.side : left.side
    return .kept(isFixed: horizon.isClosed, exercised: left.isSeen && right.isSeen, idle: missing.absence)
  }

  private func report(_ first: Occurrence, _ second: Occurrence, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let labels = [first, second].map { $0.name == left.side.name ? left.side.label : right.side.label }
    judgement.witness = [
      WitnessEvent(first, .start, labels[0], remark: "is open \(first.extent)"),
      WitnessEvent(second, .start, labels[1], remark: "<- starts while \(labels[0]) is open"),
    ]
    judgement.distance = Occurrence.overlap(of: [first, second])
    return judgement
  }
}
