import LaunchTrace

/// Rule 11: by their starts, A and B strictly alternate, A first.
struct TurnsMonitor: RuleMonitor {
  private let first: Side
  private let second: Side
  private var timeline = Timeline(from: Turns.beginning)
  /// The last of each kind that did not count, as evidence.
  private var unfit: [Bool: Occurrence] = [:]
  private var breach: Neighbours?

  /// Two of one kind with none of the other between them; the first B has none before it.
  private final class Neighbours: Sendable {
    let left: Turn?
    let right: Turn
    init(_ left: Turn?, _ right: Turn) {
      self.left = left
      self.right = right
    }
  }

  private final class Turn: Sendable {
    /// Nil for the beginning, which is like a B.
    let occurrence: Occurrence?
    let isFirst: Bool
    init(_ occurrence: Occurrence?, isFirst: Bool) {
      self.occurrence = occurrence
      self.isFirst = isFirst
    }
  }

  /// What may still turn out to lie somewhere.
  private struct Kinds: OptionSet {
    var rawValue: UInt8
    static let first = Self(rawValue: 1)
    static let second = Self(rawValue: 2)
  }

  private struct Turns: Summary {
    var first: Turn?
    var last: Turn?
    /// What may lie before the first and after the last; the same without any turn.
    var before: Kinds = []
    var after: Kinds = []
    var breach: Neighbours?
    var hasSecond = false

    init() {}

    static let beginning = Self(Turn(nil, isFirst: false))

    init(_ turn: Turn) {
      first = turn
      last = turn
      hasSecond = !turn.isFirst && turn.occurrence != nil
    }

    init(possible kind: Kinds) {
      before = kind
      after = kind
    }

    mutating func append(_ next: Self) {
      if next.hasSecond { hasSecond = true }
      if breach == nil { breach = meeting(next) ?? next.breach }
      if first == nil {
        first = next.first
        before.formUnion(next.before)
      }
      if let end = next.last { (last, after) = (end, next.after) } else { after.formUnion(next.after) }
    }

    /// The last of these and the first of those, if they are of one kind and nothing can come between.
    private func meeting(_ next: Self) -> Neighbours? {
      guard let left = last, let right = next.first, left.isFirst == right.isFirst else { return nil }
      let between = after.union(next.before)
      return between.contains(left.isFirst ? .second : .first) ? nil : Neighbours(left, right)
    }
  }

  init(first: Side, second: Side) {
    self.first = first
    self.second = second
  }

  mutating func take(_ signals: [Signal]) {
    guard breach == nil else { return }
    var hasChanged = false
    for signal in signals {
      if signal.occurrence.name == first.name, take(signal, isFirst: true) { hasChanged = true }
      if signal.occurrence.name == second.name, take(signal, isFirst: false) { hasChanged = true }
    }
    if hasChanged { breach = timeline.certain.breach }
  }

  /// - Returns: whether there is anything new to it.
  private mutating func take(_ signal: Signal, isFirst: Bool) -> Bool {
    let occurrence = signal.occurrence
    // Asked here, and not handed over: a side has many parts to copy.
    let counts = isFirst ? first.counts(occurrence) : second.counts(occurrence)
    if occurrence.end != nil, !counts { unfit[isFirst] = occurrence }
    guard signal.change == .started || timeline.contains(occurrence.id) else { return false }
    let isSettled = isFirst ? first.isSettled(occurrence) : second.isSettled(occurrence)
    let present = counts ? Turns(Turn(occurrence, isFirst: isFirst)) : Turns()
    let certain = isSettled ? present : Turns(possible: isFirst ? .first : .second)
    if signal.change == .started {
      timeline.append(occurrence.id, certain: certain, present: present, isSettled: isSettled)
    } else {
      timeline.update(occurrence.id, certain: certain, present: present, isSettled: isSettled)
    }
    return true
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let present = timeline.present
    if let breach = present.breach {
      return report(breach, horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: present.hasSecond, idle: second.absence)
  }

  private func report(_ breach: Neighbours, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    guard let right = breach.right.occurrence else { return judgement }
    let (kind, other) = breach.right.isFirst ? (first, second) : (second, first)
    let left = breach.left?.occurrence
    let remark =
      left == nil ? "<- needs \(other.demand) before it" : "<- comes again without \(other.demand) in between"
    judgement.witness = [WitnessEvent(right, .start, kind.label, remark: remark)]
    if let left {
      judgement.witness.insert(WitnessEvent(left, .start, kind.label, remark: left.attemptNote), at: 0)
      judgement.distance =
        "two \(kind.demand) in a row, \(Span.text(right.start.microseconds(since: left.start))) apart"
    } else {
      judgement.note = "\(first.label) takes the first turn"
    }
    let from = left?.start.position ?? -1
    if let missed = unfit[!breach.right.isFirst], missed.start.position > from, missed.start.precedes(right.start) {
      judgement.witness.insert(
        WitnessEvent(missed, .end, other.label, remark: "does not count"), at: judgement.witness.count - 1)
      judgement.nearMiss = "\(other.label) came \(left == nil ? "before" : "in between"), \(missed.fate)"
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }
}
