import LaunchJSON
import LaunchTrace

/// A rule `per` a field: one monitor for each value, which sees the occurrences that carry it. The ends of the launch
/// belong to every value.
///
/// Each event costs the look-up of one monitor, changed where it stands. A monitor whose past does not matter any more
/// is forgotten; those of counts, orders and "only after" never are.
struct KeyedMonitor: RuleMonitor {
  /// By name, where its key stands.
  private let fields: NumberTable<FieldPath>
  private let label: String
  /// Why no value was seen.
  private let absence: String
  /// The name that is counted, and what is left out of it: that needs no key, and gives none.
  private let counted: Int?
  private let except: [Int]
  /// The rule is about how attempts of one call follow each other.
  private let joinsAttempts: Bool
  /// What a new value begins with.
  private var fresh: any RuleMonitor
  private var slots: [String: Int] = [:]
  private var entries: [Entry] = []
  private var free: [Int] = []
  /// A value that was forgotten had exercised the rule.
  private var wasExercised = false
  /// The keys of the calls that go on, by id: a call has the key that it started with.
  private var keys = NumberTable<String>()
  /// The first that has none.
  private var keyless: Occurrence?
  /// The slot of the first value that breaks the rule, whatever follows.
  private var broken: Int?
  private var alarms = Alarms()

  private struct Entry {
    var key: String
    /// Nil once it is forgotten.
    var monitor: (any RuleMonitor)?
  }

  init(
    fields: NumberTable<FieldPath>, label: String, absence: String, counted: Int? = nil, except: [Int] = [],
    joinsAttempts: Bool = false,
    _ inner: any RuleMonitor
  ) {
    self.fields = fields
    self.label = label
    self.absence = absence
    self.counted = counted
    self.except = except
    self.joinsAttempts = joinsAttempts
    fresh = inner
  }

  mutating func take(_ signals: [Signal]) {
    if signals.count == 1 {
      if let key = key(of: signals[0]) { deliver(signals, to: key) }
      return
    }
    // Mostly one of them has a key.
    var first: (key: String, signals: [Signal])?
    var others: [(key: String, signals: [Signal])] = []
    for signal in signals {
      guard let key = key(of: signal) else { continue }
      if first == nil {
        first = (key, [signal])
      } else if first?.key == key {
        first?.signals.append(signal)
      } else if let index = others.firstIndex(where: { $0.key == key }) {
        others[index].signals.append(signal)
      } else {
        others.append((key, [signal]))
      }
    }
    if let first { deliver(first.signals, to: first.key) }
    for part in others { deliver(part.signals, to: part.key) }
  }

  /// The value that the signal goes to; nil when it goes to all of them or to none.
  private mutating func key(of signal: Signal) -> String? {
    let occurrence = signal.occurrence
    if case .launch = occurrence.subject {
      broadcast(signal)
      return nil
    }
    // The same event may have names that other rules are about.
    guard let field = fields[occurrence.name], !isExcepted(occurrence) else { return nil }
    // Of an attempt that is judged with those before it, the key is that of the first.
    let id = joinsAttempts ? occurrence.group : occurrence.id
    if let key = keys[id] {
      if joinsAttempts ? occurrence.outcome.isSettled : occurrence.isFinal { keys.take(id) }
      return key
    }
    guard signal.change == .started else { return nil }
    guard let value = occurrence.values[field].first else {
      if keyless == nil { keyless = occurrence }
      return nil
    }
    let key = Self.text(value)
    if !occurrence.isFinal { keys[id] = key }
    return key
  }

  private func isExcepted(_ occurrence: Occurrence) -> Bool {
    !except.isEmpty && occurrence.name == counted && except.contains(where: occurrence.names.contains)
  }

  private mutating func broadcast(_ signal: Signal) {
    fresh.take([signal])
    for slot in entries.indices { entries[slot].monitor?.take([signal]) }
  }

  /// Numbers equal their text form.
  private static func text(_ value: JSON) -> String { value.string ?? value.text }

  private mutating func deliver(_ signals: [Signal], to key: String) {
    let slot = slot(of: key)
    entries[slot].monitor?.take(signals)
    guard let monitor = entries[slot].monitor else { return }
    if broken == nil, let last = signals.last?.occurrence,
      monitor.isBroken(Horizon(last: last.end ?? last.start, isClosed: false))
    {
      broken = slot
    }
    alarms.set(slot, monitor.deadline)
    guard monitor.isSpent else { return }
    wasExercised = true
    entries[slot].monitor = nil
    slots[key] = nil
    free.append(slot)
  }

  private mutating func slot(of key: String) -> Int {
    if let slot = slots[key] { return slot }
    let slot = free.popLast() ?? entries.count
    let entry = Entry(key: key, monitor: fresh)
    if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
    slots[key] = slot
    return slot
  }

  func isBroken(_ horizon: Horizon) -> Bool {
    if keyless != nil || broken != nil { return true }
    guard let first = alarms.first, first.at < horizon.last.at else { return false }
    return entries[first.slot].monitor?.isBroken(horizon) ?? false
  }

  var deadline: Instant? { alarms.first?.at }

  func judge(_ horizon: Horizon) -> Judgement {
    if let keyless { return report(keyless) }
    if let broken, let judgement = judge(entries[broken], horizon) { return judgement }
    var result: Judgement? = wasExercised ? .holds : nil
    for entry in entries {
      guard let judgement = judge(entry, horizon) else { continue }
      result = result?.and(judgement) ?? judgement
    }
    guard let result else { return .kept(isFixed: horizon.isClosed, exercised: false, idle: absence) }
    // Another value may come.
    return horizon.isClosed ? result : result.whileMoreMayCome
  }

  private func judge(_ entry: Entry, _ horizon: Horizon) -> Judgement? {
    guard var judgement = entry.monitor?.judge(horizon) else { return nil }
    if judgement.verdict == .idle {
      judgement.note = judgement.note.map { "for each \(label), \($0)" }
      return judgement
    }
    guard judgement.verdict == .broken || judgement.verdict == .open(leaning: .broken) else { return judgement }
    let place = "where \(label) is \(entry.key.count > 40 ? entry.key.prefix(40) + "…" : entry.key)"
    judgement.note = judgement.note.map { "\(place): \($0)" } ?? place
    return judgement
  }

  private func report(_ occurrence: Occurrence) -> Judgement {
    var judgement = Judgement(.broken)
    let field = fields[occurrence.name]?.text ?? label
    judgement.witness = [
      WitnessEvent(occurrence, .start, "no key", remark: "has no \(field), so the rule cannot tell whose it is")
    ]
    judgement.note = "no key: \(field) is missing"
    return judgement
  }
}
