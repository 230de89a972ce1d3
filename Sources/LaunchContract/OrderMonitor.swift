import LaunchJSON
import LaunchTrace

/// Rule 14: the starts of A follow the values of a field, each greater than the one before; with `one at a time` each A
/// is over before the next starts; gapless, each value is the next whole number.
struct OrderMonitor: RuleMonitor {
  private let side: Side
  private let field: FieldPath
  private let isSerial: Bool
  private let isGapless: Bool
  private var timeline = Timeline<Run>()
  private var breach: Disorder?

  init(side: Side, field: FieldPath, isSerial: Bool, isGapless: Bool) {
    self.side = side
    self.field = field
    self.isSerial = isSerial
    self.isGapless = isGapless
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.occurrence.name == side.name { take(signal) }
  }

  private mutating func take(_ signal: Signal) {
    let occurrence = signal.occurrence
    if breach != nil {
      breach = breach?.following(occurrence)
      return
    }
    guard signal.change == .started || timeline.contains(occurrence.id) else { return }
    let item = Item(occurrence, occurrence.values[field].first.map(Value.init))
    let present = side.counts(occurrence) ? run(item) : Run()
    let isSure = occurrence.isFinal || side.filter == .any && occurrence.hasForGood(field)
    // Whatever its value turns out to be, it must not overlap another.
    let known = side.filter == .any && isSerial ? item : nil
    let certain = isSure ? present : Run(holeOf: known)
    // A retry may still change a value that is not sure, and move the end.
    let isSettled = occurrence.isFinal || isSure && !isSerial
    if signal.change == .started {
      timeline.append(occurrence.id, certain: certain, present: present, isSettled: isSettled)
    } else {
      timeline.update(occurrence.id, certain: certain, present: present, isSettled: isSettled)
    }
    breach = timeline.certain.disorder
  }

  private func run(_ item: Item) -> Run { Run(item, isSerial: isSerial, isGapless: isGapless) }

  func isBroken(_ horizon: Horizon) -> Bool { breach != nil }

  func judge(_ horizon: Horizon) -> Judgement {
    if let breach { return report(breach, .broken) }
    let present = timeline.present
    if let disorder = present.disorder {
      return report(disorder, horizon.isClosed ? .broken : .open(leaning: .broken))
    }
    return .kept(isFixed: horizon.isClosed, exercised: present.count >= 2, idle: side.scarcity(of: present.count))
  }

  private func report(_ disorder: Disorder, _ verdict: Verdict) -> Judgement {
    var judgement = Judgement(verdict)
    let (left, right) = (disorder.left, disorder.right)
    if let left {
      var remark = "\(field.text) = \(left.text)"
      if disorder.kind == .overlap { remark += ", is open \(left.occurrence.extent)" }
      judgement.witness.append(WitnessEvent(left.occurrence, .start, side.label, remark: remark))
    }
    let value = "\(field.text) = \(right.text)"
    let remark =
      switch disorder.kind {
      case .missing: "has no \(field.text)"
      case .broken: "\(value), which is no whole number"
      case .falling: "\(value) comes after \(left?.text ?? "")"
      case .equal: "\(value) again"
      case .gap: "\(value) does not follow on \(left?.text ?? "")"
      case .overlap: "\(value), starts while that is open"
      }
    judgement.witness.append(WitnessEvent(right.occurrence, .start, side.label, remark: "<- \(remark)"))
    if let left, disorder.kind == .overlap {
      judgement.distance = Occurrence.overlap(of: [left.occurrence, right.occurrence])
    }
    if disorder.kind == .missing { judgement.note = "without \(field.text) it has no place in the order" }
    if disorder.kind == .equal { judgement.note = "equal values are for the attempts of one call" }
    return judgement
  }
}

/// The value of a field, for comparing: numbers as numbers, and texts that read as numbers too.
private enum Value: Sendable {
  /// With its spelling, where that is none of the usual one.
  case whole(Int64, String?)
  case decimal(Double, String)
  case text(String)

  init(_ json: JSON) {
    switch json {
    case .integer(let number): self = .whole(number, nil)
    case .string(let text): self.init(text)
    case .number(let text): self.init(text)
    default: self = .text(json.text)
    }
  }

  private init(_ text: String) {
    let first = text.utf8.first ?? 0
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      self = .text(text)
      return
    }
    if let number = Int64(text) {
      self = .whole(number, text)
    } else if let number = Double(text), number.isFinite {
      self = .decimal(number, text)
    } else {
      self = .text(text)
    }
  }

  var text: String {
    switch self {
    case .whole(let number, let text): text ?? String(number)
    case .decimal(_, let text), .text(let text): text
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.whole(let left, _), .whole(let right, _)): left < right
    case (.whole(let left, _), .decimal(let right, _)): Double(left) < right
    case (.decimal(let left, _), .whole(let right, _)): left < Double(right)
    case (.decimal(let left, _), .decimal(let right, _)): left < right
    default: left.text < right.text
    }
  }

  /// Whether this is the whole number after `other`.
  func isNext(after other: Self) -> Bool {
    guard case (.whole(let left, _), .whole(let right, _)) = (other, self) else { return false }
    return right.minusClamped(left) == 1
  }

  var isWhole: Bool { if case .whole = self { true } else { false } }
}

private final class Item: Sendable {
  let occurrence: Occurrence
  let value: Value?
  init(_ occurrence: Occurrence, _ value: Value?) {
    self.occurrence = occurrence
    self.value = value
  }

  var text: String { value?.text ?? "" }
}

/// What is out of order.
private final class Disorder: Sendable {
  enum Kind { case missing, broken, falling, equal, gap, overlap }

  let kind: Kind
  /// The one before; nil if one alone is wrong.
  let left: Item?
  let right: Item

  init(_ kind: Kind, _ left: Item?, _ right: Item) {
    self.kind = kind
    self.left = left
    self.right = right
  }

  /// With what has become of one of the two.
  func following(_ occurrence: Occurrence) -> Disorder {
    if left?.occurrence.id == occurrence.id { return Disorder(kind, Item(occurrence, left?.value), right) }
    if right.occurrence.id == occurrence.id { return Disorder(kind, left, Item(occurrence, right.value)) }
    return self
  }
}

/// Neighbouring items in the order of their starts.
private struct Run: Summary {
  var first: Item?
  var last: Item?
  var count = 0
  var disorder: Disorder?
  /// The first and the last that starts, its value known or not; nil unless neighbours must not overlap.
  var firstStarted: Item?
  var lastStarted: Item?
  /// Something may yet turn out to lie before the first or after the last.
  var mayPrecede = false
  var mayFollow = false
  /// What neighbours must keep to beside the order.
  var isGapless = false

  init() {}

  /// Of one whose value is not known yet, or that may come to nothing; with `item` it is known to be there.
  init(holeOf item: Item?) {
    mayPrecede = true
    mayFollow = true
    (firstStarted, lastStarted) = (item, item)
  }

  init(_ item: Item, isSerial: Bool, isGapless: Bool) {
    first = item
    last = item
    count = 1
    if isSerial { (firstStarted, lastStarted) = (item, item) }
    self.isGapless = isGapless
    guard let value = item.value else {
      disorder = Disorder(.missing, nil, item)
      return
    }
    if isGapless, !value.isWhole { disorder = Disorder(.broken, nil, item) }
  }

  mutating func append(_ next: Self) {
    if disorder == nil { disorder = meeting(next) ?? next.disorder }
    count += next.count
    if firstStarted == nil { firstStarted = next.firstStarted }
    if let started = next.lastStarted { lastStarted = started }
    if next.isGapless { isGapless = true }
    if first == nil {
      first = next.first
      if next.mayPrecede { mayPrecede = true }
    }
    if let end = next.last {
      (last, mayFollow) = (end, next.mayFollow)
    } else if next.mayFollow {
      mayFollow = true
    }
  }

  private func meeting(_ next: Self) -> Disorder? { misplacement(next) ?? overlap(next) ?? gap(next) }

  private func misplacement(_ next: Self) -> Disorder? {
    guard let left = last, let right = next.first, let low = left.value, let high = right.value else { return nil }
    return low < high ? nil : Disorder(high < low ? .falling : .equal, left, right)
  }

  private func overlap(_ next: Self) -> Disorder? {
    guard let left = lastStarted, let right = next.firstStarted else { return nil }
    let isOver = left.occurrence.end?.precedes(right.occurrence.start) ?? false
    return isOver ? nil : Disorder(.overlap, left, right)
  }

  private func gap(_ next: Self) -> Disorder? {
    guard isGapless, !mayFollow, !next.mayPrecede, let left = last, let right = next.first, let low = left.value,
      let high = right.value, high.isWhole, !high.isNext(after: low)
    else { return nil }
    return Disorder(.gap, left, right)
  }
}
