import LaunchTrace

/// Rule 13, `A one at a time` and `at most N A open`: no instant lies in more than N of them. A call that is retried is
/// open until its last attempt is over, the pauses included.
struct ConcurrencyMonitor: RuleMonitor {
  private let side: Side
  private let most: Int
  /// What is open and counts, by id.
  private var open = NumberTable<Occurrence>()
  /// What ended and may go on, by id.
  private var resumable = NumberTable<Occurrence>()
  private var depth = Depth()
  /// How many counted.
  private var number = 0
  /// The last few that ended, as evidence; the next one takes the place of the oldest.
  private var ended: [Occurrence] = []
  private var oldestEnded = 0
  /// Those that were open together, in the order of their starts.
  private var breach: [Occurrence]?

  init(side: Side, most: Int) {
    self.side = side
    self.most = most
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name { take(signal) }
  }

  private mutating func take(_ signal: Signal) {
    let occurrence = signal.occurrence
    if breach != nil {
      breach?.update(occurrence)
      return
    }
    switch signal.change {
    case .started:
      if side.filter == .any {
        number += 1
        begin(occurrence, after: nil)
      }
    case .resumed:
      if let end = resumable.take(occurrence.id)?.end { begin(occurrence, after: end.position) }
    case .ended:
      if !open.contains(occurrence.id), side.counts(occurrence) {
        number += 1
        begin(occurrence, after: occurrence.start.position - 1)
      }
    }
    if occurrence.end != nil { finish(occurrence) }
  }

  /// It is open from now on, or has been since `position`.
  private mutating func begin(_ occurrence: Occurrence, after position: Int?) {
    if let position { depth.extend(after: position) } else { depth.begin() }
    open[occurrence.id] = occurrence
    if depth.most > most { breach = together(with: occurrence, since: position) }
  }

  private mutating func finish(_ occurrence: Occurrence) {
    guard let end = occurrence.end, open.take(occurrence.id) != nil else { return }
    depth.finish(at: end.position)
    if !occurrence.isFinal { resumable[occurrence.id] = occurrence }
    if ended.count < 8 {
      ended.append(occurrence)
    } else {
      ended[oldestEnded] = occurrence
      oldestEnded = (oldestEnded + 1) % ended.count
    }
  }

  private func together(with occurrence: Occurrence, since position: Int?) -> [Occurrence] {
    var others = open.values.filter { $0.id != occurrence.id }
    if let position { others += ended.filter { $0.id != occurrence.id && $0.end?.position ?? 0 > position } }
    others.sort { $0.start.precedes($1.start) }
    return (others.suffix(most) + [occurrence]).sorted { $0.start.precedes($1.start) }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  var isSpent: Bool { breach == nil && number >= 2 && open.isEmpty && resumable.isEmpty }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach) }
    return .kept(isFixed: horizon.isClosed, exercised: number >= 2, idle: side.scarcity(of: number))
  }

  private func report(_ breach: [Occurrence]) -> Judgement {
    var judgement = Judgement(.broken)
    let shown = breach.count <= 5 ? breach : breach.prefix(2) + breach.suffix(3)
    let others = most == 1 ? "that is open" : "\(most) are open"
    judgement.witness = shown.enumerated().map { index, occurrence in
      let remark = index == shown.count - 1 ? "<- starts while \(others)" : "is open \(occurrence.extent)"
      return WitnessEvent(occurrence, .start, side.label, remark: remark)
    }
    judgement.distance = Occurrence.overlap(of: breach)
    if most > 1 { judgement.note = "\(breach.count) \(side.label) open at once, and \(most) allowed" }
    return judgement
  }
}

/// How many intervals contain an instant, and how many contained one lately: an interval that goes on after all
/// contains everything since its end.
private struct Depth {
  /// How many are open.
  private var now = 0
  /// For each greater depth up to the greatest ever, the last position that had it; the greatest depth first.
  private var past: [Int] = []

  /// The greatest depth there ever was.
  var most: Int { now + past.count }

  mutating func begin() {
    now += 1
    _ = past.popLast()
  }

  mutating func finish(at position: Int) {
    now -= 1
    past.append(position)
  }

  /// One more interval contains everything after `position` up to now.
  mutating func extend(after position: Int) {
    now += 1
    // What was deeper then is one deeper now, and outlives the depth it reaches.
    var first = past.count
    while first > 0, past[first - 1] > position { first -= 1 }
    if first > 0 { past.remove(at: first - 1) }
  }
}

extension Occurrence {
  /// `until 0.960 s`, or for ever.
  var extent: String { end.map { "until \(Span.clock($0.at))" } ?? "to the end" }

  /// How long all of them were open together: `open together for 48 ms`.
  static func overlap(of occurrences: [Occurrence]) -> String? {
    guard let last = occurrences.max(by: { $0.start.precedes($1.start) }) else { return nil }
    let ends = occurrences.compactMap(\.end)
    guard let first = ends.min(by: { $0.precedes($1) }) else { return "open together to the end" }
    return "open together for \(Span.text(max(0, first.microseconds(since: last.start))))"
  }
}
