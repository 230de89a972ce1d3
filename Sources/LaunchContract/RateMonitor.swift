import LaunchTrace

/// Rule 16: no window of a length holds more than a number of starts. A window ends just before its length is over.
///
/// Remembers the starts of the last window; with a condition on the outcome, those since the oldest call that may yet
/// pass it.
struct RateMonitor: RuleMonitor {
  private let side: Side
  private let most: Int
  /// Microseconds.
  private let window: Int64
  /// What counts, in the order of the starts, from `head` on.
  private var starts: [Occurrence] = []
  private var head = 0
  /// Whether each counts is open, by id.
  private var candidates = NumberTable<Occurrence>()
  private var number = 0
  /// The first window that holds too many.
  private var breach: [Occurrence]?

  init(side: Side, most: Int, window: Int64) {
    self.side = side
    self.most = most
    self.window = window
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name { take(signal) }
  }

  private mutating func take(_ signal: Signal) {
    guard breach == nil else { return }
    let occurrence = signal.occurrence
    if side.filter == .any {
      if signal.change == .started { count(occurrence) }
    } else if occurrence.isFinal {
      candidates.take(occurrence.id)
      if side.counts(occurrence) { count(occurrence) }
    } else {
      candidates[occurrence.id] = occurrence
    }
  }

  private mutating func count(_ occurrence: Occurrence) {
    number += 1
    breach = insert(occurrence)
    forget(before: occurrence.start)
  }

  /// Nearly always the latest; returns the first window around it that holds too many.
  private mutating func insert(_ occurrence: Occurrence) -> [Occurrence]? {
    var place = starts.count
    while place > head, occurrence.start.precedes(starts[place - 1].start) { place -= 1 }
    starts.insert(occurrence, at: place)
    let (first, last) = (max(head, place - most), min(place, starts.count - 1 - most))
    guard first <= last else { return nil }
    for first in first...last
    where starts[first + most].start.microseconds(since: starts[first].start) < window {
      return Array(starts[first...(first + most)])
    }
    return nil
  }

  /// No window reaches from what comes now or may yet count to what lies further back.
  private mutating func forget(before now: Point) {
    guard candidates.isEmpty else { return }
    while head < starts.count, now.microseconds(since: starts[head].start) >= window { head += 1 }
    guard head > 32, head > starts.count / 2 else { return }
    starts.removeFirst(head)
    head = 0
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    var supposed = self
    let counting = candidates.values.filter(side.counts).sorted { $0.start.precedes($1.start) }
    supposed.candidates = [:]
    for occurrence in counting {
      supposed.number += 1
      if let breach = supposed.insert(occurrence) {
        return report(breach, horizon.isClosed ? .broken : .open(leaning: .broken))
      }
    }
    return .kept(
      isFixed: horizon.isClosed, exercised: supposed.number >= 2,
      idle: side.scarcity(of: supposed.number))
  }

  private func report(_ breach: [Occurrence], _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let span = breach[breach.count - 1].start.microseconds(since: breach[0].start)
    let shown = breach.count <= 5 ? breach : breach.prefix(4) + breach.suffix(1)
    judgement.witness = shown.enumerated().map { index, occurrence in
      let isLast = index == shown.count - 1
      return WitnessEvent(
        occurrence, .start, side.label,
        remark: isLast ? "<- is number \(breach.count) in \(Span.text(span))" : occurrence.attemptNote)
    }
    judgement.distance =
      "\(breach.count) in \(Span.text(span)), and \(most) allowed in any \(Span.text(window)); "
      + "the last is \(Span.text(window - span)) too early"
    return judgement
  }
}
