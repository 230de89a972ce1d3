/// Rules that cannot be kept together, or that another makes useless.
struct RuleConflicts {
  struct Conflict {
    /// The place of the rule that the diagnostic stands at.
    var rule: Int
    var message: String
    var severity: Diagnostic.Severity
  }

  private let placed: [PlacedRule]
  private let names: Names

  init(_ rules: [PlacedRule], _ names: Names) {
    placed = rules
    self.names = names
  }

  var all: [Conflict] { counts + cycles + repetitions + unreachable + repeatedLabels }

  /// Numbers that exclude each other: `exactly 1 A` and `no A`.
  private var counts: [Conflict] {
    var bounds: [Counted: CountBounds] = [:]
    return placed.enumerated().compactMap { index, placed in
      guard case .count(let side, let count, let except) = placed.rule.form else { return nil }
      let counted = Counted(reach: Reach(placed.rule), name: side.name, except: except)
      let other = bounds[counted]?.excluding(count, of: side.filter)
      bounds[counted, default: CountBounds()].add(count, of: side.filter, rule: index)
      return other.map { conflict(index, $0, "and no launch keeps both", isHard: true) }
    }
  }

  /// Each only after the other, also by way of further rules: none of them can come first.
  private var cycles: [Conflict] {
    var orders: [Reach: [OrderCycles.Edge]] = [:]
    for (index, placed) in placed.enumerated() where placed.rule.guardian == nil && placed.rule.scope == nil {
      guard let (trigger, requirement) = placed.rule.form.strictOrder else { continue }
      orders[Reach(placed.rule), default: []].append(.init(rule: index, from: trigger, to: requirement))
    }
    return orders.values.flatMap { OrderCycles(edges: $0).all }.map { cycle in
      conflict(cycle.rule, cycle.first, "and then none of them can come first", isHard: true)
    }
  }

  private var repetitions: [Conflict] {
    var first: [Said: Int] = [:]
    return placed.enumerated().compactMap { index, placed in
      let said = Said(reach: Reach(placed.rule), form: placed.rule.form)
      guard let other = first[said] else {
        first[said] = index
        return nil
      }
      return Conflict(
        rule: index, message: "this says the same as \(place(of: other, seenFrom: index))", severity: .warning)
    }
  }

  /// Rules about what another rule forbids.
  private var unreachable: [Conflict] {
    /// By name, the first two rules that forbid it.
    var forbidden: [Int: [Int]] = [:]
    for (index, placed) in placed.enumerated() where placed.rule.isUnconditional && !placed.rule.isAdvice {
      if case .count(let side, let count, let except) = placed.rule.form, count.most == 0, side.filter == .any,
        except.isEmpty, forbidden[side.name, default: []].count < 2
      {
        forbidden[side.name, default: []].append(index)
      }
    }
    return placed.indices.compactMap { index in
      guard let name = placed[index].rule.form.triggerName, let ban = forbidden[name]?.first(where: { $0 != index })
      else { return nil }
      return Conflict(
        rule: index,
        message: "\(place(of: ban, seenFrom: index)) forbids '\(names[name].name)', so this rule is never exercised",
        severity: .warning)
    }
  }

  /// A rule's name that comes again after another. Several rules may make up what one name stands for: side by side, or
  /// each under a guard of its own.
  private var repeatedLabels: [Conflict] {
    var last: [Label: Int] = [:]
    var conflicts: [Conflict] = []
    for (index, placed) in placed.enumerated() {
      guard let name = placed.rule.name else { continue }
      let label = Label(name: name, guardian: placed.rule.guardian)
      if let other = last[label], self.placed[(other + 1)..<index].contains(where: { $0.rule.name != name }) {
        let message =
          "[\(name)] is the name of \(place(of: other, seenFrom: index)), too; rules of one name stand together"
        conflicts.append(Conflict(rule: index, message: message, severity: .warning))
      }
      last[label] = index
    }
    return conflicts
  }

  private struct Label: Hashable {
    var name: String
    var guardian: Rule.Guard?
  }

  /// Which launches, stretches and keys a rule looks at.
  private struct Reach: Hashable {
    private let scope: Rule.Scope?
    private let key: Rule.KeyField?
    private let mark: Int?
    private let condition: Condition?

    init(_ rule: Rule) {
      scope = rule.scope
      key = rule.key
      mark = rule.guardian?.name
      condition = rule.guardian?.condition
    }
  }

  private struct Counted: Hashable {
    var reach: Reach
    var name: Int
    var except: [Int]
  }

  private struct Said: Hashable {
    var reach: Reach
    var form: Rule.Form
  }

  private func conflict(_ index: Int, _ other: Int, _ end: String, isHard: Bool) -> Conflict {
    let isAdvice = placed[index].rule.isAdvice || placed[other].rule.isAdvice
    let sentence = placed[other].rule.sentence
    return Conflict(
      rule: index,
      message: "this contradicts \(place(of: other, seenFrom: index)), '\(sentence)', \(end)",
      severity: isHard && !isAdvice ? .error : .warning)
  }

  private func place(of other: Int, seenFrom index: Int) -> String {
    let (rule, file) = (placed[other].rule, placed[index].rule.file)
    return "line \(rule.line)" + (rule.file == file ? "" : " of \(rule.file)")
  }
}

extension Rule {
  /// Nothing but its sentence says when it applies.
  fileprivate var isUnconditional: Bool { scope == nil && key == nil && guardian == nil }
}

/// What rules so far say about how many of one thing there may be, by which of them count.
private struct CountBounds {
  /// The rule that asks for the most, and the one that allows the fewest.
  private struct Bounds {
    var least: (number: Int, rule: Int)?
    var most: (number: Int, rule: Int)?
  }

  private var bounds: [Side.Filter: Bounds] = [:]
  /// The rule that asks for the most, whichever count.
  private var least: (number: Int, rule: Int)?

  mutating func add(_ count: Rule.Count, of filter: Side.Filter, rule: Int) {
    let (asked, allowed) = (count.least, count.most)
    if bounds[filter, default: Bounds()].least.map({ $0.number < asked }) ?? true {
      bounds[filter, default: Bounds()].least = (asked, rule)
    }
    if bounds[filter, default: Bounds()].most.map({ $0.number > allowed }) ?? true {
      bounds[filter, default: Bounds()].most = (allowed, rule)
    }
    if least.map({ $0.number < asked }) ?? true { least = (asked, rule) }
  }

  /// A rule that cannot be kept with this one: there must be more of the one than there may be of the other, which
  /// counts every one of them.
  func excluding(_ count: Rule.Count, of filter: Side.Filter) -> Int? {
    let fewer = [bounds[filter]?.most, bounds[.any]?.most].compactMap(\.self).filter { $0.number < count.least }
    let asked = filter == .any ? least : bounds[filter]?.least
    let more = [asked].compactMap(\.self).filter { $0.number > count.most }
    return (fewer + more).map(\.rule).min()
  }
}

extension Rule.Count {
  fileprivate var least: Int {
    switch self {
    case .exactly(let number), .atLeast(let number): number
    case .atMost: 0
    }
  }

  fileprivate var most: Int {
    switch self {
    case .exactly(let number), .atMost(let number): number
    case .atLeast: .max
    }
  }
}

extension Rule.Form {
  /// What starts only after something of another name has started; nil for other rules.
  fileprivate var strictOrder: (trigger: Int, requirement: Int)? {
    switch self {
    case .precedence(let trigger, let requirement), .ownPrecedence(let trigger, let requirement):
      trigger.moment == .start && trigger.filter == .any ? (trigger.name, requirement.name) : nil
    case .both(let first, _): first.strictOrder
    default: nil
    }
  }

  /// The name without which the rule is idle; nil where several may exercise it, or none need.
  fileprivate var triggerName: Int? {
    switch self {
    case .precedence(let side, _), .ownPrecedence(let side, _), .response(let side, _, _, _), .gap(let side, _, _),
      .concurrency(let side, _), .order(let side, _, _, _), .rate(let side, _, _), .transfer(let side, _, _, _),
      .sameness(let side, _, _), .field(let side, _), .coexistence(let side, _, _),
      .fallback(let side, _, _, _, _), .firstCall(let side), .nothingAfter(let side), .turns(let side, _),
      .succession(let side, _, _), .separation(let side, _):
      side.name
    case .both, .count, .backoff, .status, .choice, .onlyCalls, .settling: nil
    }
  }
}
