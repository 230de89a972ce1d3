import LaunchJSON

/// Rule 18: a field has one value in all occurrences, or another in each.
///
/// For `differs` the values seen are kept, long ones as a digest. A call is compared for good when no retry can give it
/// another value: with its start, or when it is over for good.
struct SamenessMonitor: RuleMonitor {
  private let side: Side
  private let field: FieldPath
  private let isSame: Bool
  private var undecided: Undecided
  /// By value, the first that has it; only the very first of all for `the same`.
  private var seen: [ValueKey: Occurrence] = [:]
  private var number = 0
  private var breach: Breach?

  private enum Breach {
    case lacking(Occurrence)
    case pair(Occurrence, Occurrence)
  }

  init(side: Side, field: FieldPath, isSame: Bool) {
    self.side = side
    self.field = field
    self.isSame = isSame
    undecided = Undecided(side, field: field)
  }

  mutating func take(_ signals: [Signal]) {
    guard breach == nil else { return }
    for signal in signals where signal.occurrence.name == side.name {
      if let occurrence = undecided.decide(signal.occurrence) { compare(occurrence) }
    }
  }

  private mutating func compare(_ occurrence: Occurrence) {
    guard breach == nil else { return }
    number += 1
    let values = occurrence.values[field]
    guard !values.isEmpty else {
      breach = .lacking(occurrence)
      return
    }
    let key = ValueKey(values)
    if isSame, let other = seen.values.first {
      if seen[key] == nil { breach = .pair(other, occurrence) }
    } else if let other = seen[key] {
      breach = .pair(other.with(occurrence.values), occurrence)
    } else {
      seen[key] = isSame ? occurrence : occurrence.with(FieldValues())
    }
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    var trial = self
    for occurrence in undecided.counting { trial.compare(occurrence) }
    if let breach = trial.breach { return report(breach, horizon.isClosed ? .broken : .open(leaning: .broken)) }
    return .kept(
      isFixed: horizon.isClosed, exercised: trial.number > 1,
      idle: trial.number == 0 ? side.absence : "there is only one \(side.label), and nothing to compare it with")
  }

  private func report(_ breach: Breach, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let moment: Side.Moment = field.root.isOfAnswer ? .end : .start
    switch breach {
    case .lacking(let occurrence):
      judgement.witness = [WitnessEvent(occurrence, moment, side.label, remark: "<- has no \(field.text)")]
      judgement.note = "\(side.label) has no \(field.text)"
    case .pair(let left, let right):
      let pair = [left, right].sorted { $0.start.position < $1.start.position }
      judgement.witness = zip(pair, ["", "<- "]).map { occurrence, arrow in
        WitnessEvent(
          occurrence, moment, side.label, remark: "\(arrow)has \(field.text) = \(occurrence.values[field].shown)")
      }
      judgement.witness.sort { $0.position < $1.position }
      judgement.note = "\(field.text) is \(isSame ? "not " : "")the same in both"
    }
    return judgement
  }
}

/// What equal values have in common, of a bounded size: a long text is replaced by 128 bits of it.
private enum ValueKey: Hashable {
  case text(String)
  case digest(Int, Int)

  init(_ values: [JSON]) {
    let text = values.map(\.comparableText).joined(separator: "\n")
    if text.utf8.count <= 64 {
      self = .text(text)
    } else {
      self = .digest(Self.hash(text, 1), Self.hash(text, 2))
    }
  }

  private static func hash(_ text: String, _ salt: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(salt)
    hasher.combine(text)
    return hasher.finalize()
  }
}
