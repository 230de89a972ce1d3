import LaunchJSON
import LaunchTrace

/// Rule 17: a field carries the value that another had in the last source before.
///
/// Remembers the last source, and the uses that a retry may still give another value. Of a source with several values
/// (a repeated header) each may be used.
struct TransferMonitor: RuleMonitor {
  private struct Use {
    var user: Occurrence
    /// Before it, in the order of their instants; the last counts.
    var sources: [Occurrence]
  }

  private enum Flaw {
    case noSource
    case noValue
    case sourceLacks(Occurrence)
    case differs(Occurrence)
  }

  private struct Breach {
    var user: Occurrence
    var flaw: Flaw
    /// The first source after it, where there was none before.
    var later: Occurrence?
  }

  private let side: Side
  private let field: FieldPath
  private let source: Side
  private let sourceField: FieldPath
  /// The last source that is final, and those after it that are not, in the order of their instants.
  private var sources: [Occurrence] = []
  /// By id of the user.
  private var uses: [Int: Use] = [:]
  /// Sources that are not final and stand before some use.
  private var watched: Set<Int> = []
  private var wasExercised = false
  private var breach: Breach?
  /// The last source that does not count.
  private var unfit: Occurrence?

  init(side: Side, field: FieldPath, source: Side, sourceField: FieldPath) {
    self.side = side
    self.field = field
    self.source = source
    self.sourceField = sourceField
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals {
      if signal.occurrence.name == source.name { takeSource(signal.occurrence) }
      if signal.occurrence.name == side.name, breach == nil { takeUse(signal) }
    }
  }

  private mutating func takeSource(_ occurrence: Occurrence) {
    let isCounting = source.counts(occurrence)
    if occurrence.isFinal, !isCounting { unfit = occurrence }
    if let breach, case .noSource = breach.flaw, breach.later == nil, isCounting { self.breach?.later = occurrence }
    sources.removeAll { $0.id == occurrence.id }
    if isCounting, let point = source.point(occurrence) { insert(occurrence, at: point) }
    guard watched.contains(occurrence.id) else { return }
    if occurrence.isFinal { watched.remove(occurrence.id) }
    for id in uses.keys.sorted() {
      guard let use = uses[id], let index = use.sources.firstIndex(where: { $0.id == occurrence.id }) else { continue }
      if isCounting, isBefore(occurrence, use.user) {
        uses[id]?.sources[index] = occurrence
      } else {
        uses[id]?.sources.remove(at: index)
      }
      decide(id)
    }
  }

  /// A final one makes those before it superfluous.
  private mutating func insert(_ occurrence: Occurrence, at point: Point) {
    let later = sources.drop { source.point($0).map { !point.precedes($0) } ?? true }
    if later.contains(where: \.isFinal) { return }
    sources = (occurrence.isFinal ? [] : Array(sources.dropLast(later.count))) + [occurrence] + later
  }

  private func isBefore(_ occurrence: Occurrence, _ user: Occurrence) -> Bool {
    source.point(occurrence)?.precedes(user.start) ?? false
  }

  private mutating func takeUse(_ signal: Signal) {
    let user = signal.occurrence
    if signal.change == .started {
      let before = sources.filter { isBefore($0, user) }
      watched.formUnion(before.lazy.filter { !$0.isFinal }.map(\.id))
      uses[user.id] = Use(user: user, sources: before)
    } else {
      uses[user.id]?.user = user
    }
    decide(user.id)
  }

  /// Judges a use once neither its own value nor its source's can change.
  private mutating func decide(_ id: Int) {
    guard breach == nil, let use = uses[id] else { return }
    let lacksSource = use.sources.isEmpty && side.isSettled(use.user)
    guard lacksSource || hasForGood(use.user) && (use.sources.last?.isFinal ?? true || isHopeless(use)) else { return }
    uses[id] = nil
    guard side.counts(use.user) else { return }
    wasExercised = true
    if let flaw = flaw(of: use) { breach = Breach(user: use.user, flaw: flaw) }
  }

  private func hasForGood(_ user: Occurrence) -> Bool {
    user.isFinal || side.filter == .any && user.hasForGood(field)
  }

  /// Whether the value is wrong whichever of the sources turns out to be the last: a retry moves the end of one to where
  /// it is not before the use any more.
  private func isHopeless(_ use: Use) -> Bool {
    if use.user.values[field].isEmpty { return true }
    return source.moment == .end
      && use.sources.indices.allSatisfy { flaw(of: Use(user: use.user, sources: Array(use.sources[...$0]))) != nil }
  }

  private func flaw(of use: Use) -> Flaw? {
    guard let last = use.sources.last else { return .noSource }
    let values = use.user.values[field]
    let offered = Set(last.values[sourceField].map(\.comparableText))
    if values.isEmpty { return .noValue }
    if offered.isEmpty { return .sourceLacks(last) }
    return values.allSatisfy { offered.contains($0.comparableText) } ? nil : .differs(last)
  }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let open = uses.values.filter { side.counts($0.user) }.sorted { $0.user.start.position < $1.user.start.position }
    for use in open {
      guard let flaw = flaw(of: use) else { continue }
      return report(Breach(user: use.user, flaw: flaw), horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: wasExercised || !open.isEmpty, idle: side.absence)
  }
}

extension TransferMonitor {
  private func report(_ breach: Breach, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let values = breach.user.values[field]
    switch breach.flaw {
    case .noSource:
      judgement.witness = [use(breach.user, "<- needs \(source.demand) before it")]
      judgement.note = "there is no \(source.demand) before it"
      if let later = breach.later {
        let delay = Span.text((source.point(later) ?? later.start).microseconds(since: breach.user.start))
        judgement.distance = "\(delay) too late"
        judgement.witness.append(WitnessEvent(later, source.moment, source.label, remark: "comes \(delay) too late"))
      }
      judgement.nearMiss = unfit.map { "\(source.label) came, \($0.fate)" }
    case .noValue:
      judgement.witness = [use(breach.user, "<- has no \(field.text)")]
      judgement.note = "\(side.label) has no \(field.text)"
    case .sourceLacks(let last):
      judgement.witness = [supply(last, "has no \(sourceField.text)"), use(breach.user, has(field, values))]
      judgement.note = "\(source.label) has no \(sourceField.text) that \(side.label) could use"
    case .differs(let last):
      judgement.witness = [
        supply(last, has(sourceField, last.values[sourceField])), use(breach.user, "<- " + has(field, values)),
      ]
      judgement.note = "\(field.text) is \(values.shown), expected \(last.values[sourceField].shown)"
    }
    judgement.witness.sort { $0.position < $1.position }
    return judgement
  }

  private func use(_ user: Occurrence, _ remark: String) -> WitnessEvent {
    WitnessEvent(user, field.root.isOfAnswer ? .end : .start, side.label, remark: remark)
  }

  private func supply(_ last: Occurrence, _ remark: String) -> WitnessEvent {
    WitnessEvent(last, source.moment, source.label, remark: remark)
  }

  private func has(_ field: FieldPath, _ values: [JSON]) -> String { "has \(field.text) = \(values.shown)" }
}
