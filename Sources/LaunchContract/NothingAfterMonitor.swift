import LaunchTrace

/// Rule 23, `nothing after A`: once the first of the side's is over, no call starts.
///
/// With a filter it is open which is the first that counts until those before it are final; each of them has its own
/// first call afterwards, which a retry takes back.
struct NothingAfterMonitor: RuleMonitor {
  private struct Candidate {
    var occurrence: Occurrence
    /// The first call that started after it was over.
    var offender: Occurrence?
  }

  private let side: Side
  /// Up to the first that counts for good, by id.
  private var candidates: [Int: Candidate] = [:]
  /// Those that are over, with no call after them so far.
  private var quiet: [Int] = []
  /// The start of the first that counts for good.
  private var certain: Point?
  private var hasCalls = false

  init(side: Side) { self.side = side }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == Names.everyCall && signal.change == .started {
      takeCall(signal.occurrence)
    }
    for signal in signals where signal.occurrence.name == side.name { take(signal) }
  }

  private mutating func takeCall(_ call: Occurrence) {
    hasCalls = true
    for id in quiet where candidates[id]?.offender == nil { candidates[id]?.offender = call }
    quiet = []
  }

  private mutating func take(_ signal: Signal) {
    let occurrence = signal.occurrence
    let isKnown = candidates[occurrence.id] != nil
    guard isKnown || signal.change == .started && certain == nil else { return }
    if occurrence.isFinal, !side.counts(occurrence) {
      candidates[occurrence.id] = nil
      return
    }
    candidates[occurrence.id, default: Candidate(occurrence: occurrence)].occurrence = occurrence
    if signal.change == .resumed {
      candidates[occurrence.id]?.offender = nil
      quiet.removeAll { $0 == occurrence.id }
    }
    if occurrence.end != nil { quiet.append(occurrence.id) }
    if occurrence.isFinal || side.filter == .any { settle(on: occurrence.start) }
  }

  /// Nothing that starts later can be the first.
  private mutating func settle(on start: Point) {
    if let certain, !start.precedes(certain) { return }
    certain = start
    candidates = candidates.filter { !start.precedes($0.value.occurrence.start) }
  }

  /// The first as things stand.
  private var first: Candidate? {
    candidates.values.filter { side.counts($0.occurrence) }.min { left, right in
      let (left, right) = (left.occurrence, right.occurrence)
      return (left.start.position, left.id) < (right.start.position, right.id)
    }
  }

  private var isLost: Bool {
    guard candidates.count == 1, let only = candidates.values.first else { return false }
    return only.occurrence.isFinal && only.offender != nil
  }

  func isBroken(_ horizon: Horizon) -> Bool { isLost }

  func judge(_ horizon: Horizon) -> Judgement {
    guard let first, let offender = first.offender, let end = first.occurrence.end else {
      let isExercised = first?.occurrence.end != nil && hasCalls
      return .kept(isFixed: horizon.isClosed, exercised: isExercised, idle: idleness)
    }
    var judgement = Judgement(horizon.isClosed || isLost ? .broken : .open(leaning: .broken))
    let distance = "\(Span.text(offender.start.microseconds(since: end))) after it"
    judgement.distance = distance
    judgement.witness = [
      WitnessEvent(first.occurrence, .end, side.label, remark: "nothing may start after it"),
      WitnessEvent(offender, .start, "calls", remark: "<- starts \(distance)"),
    ]
    return judgement
  }

  private var idleness: String {
    if !hasCalls { return "there is no call" }
    return first == nil ? side.absence : "\(side.label) never ended"
  }
}
