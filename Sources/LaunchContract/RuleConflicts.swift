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

  var all: [Conflict] { counts + cycles + repetitions + unreachable }

  /// Numbers that exclude each other: `exactly 1 A` and `no A`.
  private var counts: [Conflict] {
    var conflicts: [Conflict] = []
    for (index, placed) in placed.enumerated() {
      guard case .count(let side, let count, let except) = placed.rule.form else { continue }
      let other = earlier(index) { rule in
        guard case .count(let otherSide, let otherCount, let otherExcept) = rule.form, otherExcept == except else {
          return false
        }
        return excludes(side, count, otherSide, otherCount) || excludes(otherSide, otherCount, side, count)
      }
      if let other {
        conflicts.append(conflict(index, other, "and no launch keeps both", isHard: true))
      }
    }
    return conflicts
  }

  /// Whether there must be more of the one than there may be of the other, which counts every one of them.
  private func excludes(_ more: Side, _ count: Rule.Count, _ fewer: Side, _ otherCount: Rule.Count) -> Bool {
    guard more.name == fewer.name, more.filter == fewer.filter || fewer.filter == .any else { return false }
    return count.least > otherCount.most
  }

  /// Each only after the other, also by way of further rules: none of them can come first.
  private var cycles: [Conflict] {
    var edges: [(rule: Int, from: Int, to: Int)] = []
    var conflicts: [Conflict] = []
    for (index, placed) in placed.enumerated() where placed.rule.guardian == nil && placed.rule.scope == nil {
      guard let (trigger, requirement) = placed.rule.form.strictOrder else { continue }
      if let path = path(from: requirement, to: trigger, edges.filter { isSame(self.placed[$0.rule], placed) }) {
        conflicts.append(conflict(index, path[0], "and then none of them can come first", isHard: true))
      }
      edges.append((index, trigger, requirement))
    }
    return conflicts
  }

  /// The rules that lead from one name to another, first to last.
  private func path(from start: Int, to end: Int, _ edges: [(rule: Int, from: Int, to: Int)]) -> [Int]? {
    var reached: [(name: Int, rules: [Int])] = [(start, [])]
    var next = 0
    while next < reached.count {
      let (name, rules) = reached[next]
      next += 1
      for edge in edges where edge.from == name {
        if edge.to == end { return rules + [edge.rule] }
        if !reached.contains(where: { $0.name == edge.to }) { reached.append((edge.to, rules + [edge.rule])) }
      }
    }
    return nil
  }

  private var repetitions: [Conflict] {
    placed.indices.compactMap { index in
      guard let other = earlier(index, where: { $0.form == placed[index].rule.form }) else { return nil }
      return Conflict(
        rule: index, message: "this says the same as \(place(of: other, seenFrom: index))", severity: .warning)
    }
  }

  /// Rules about what another rule forbids.
  private var unreachable: [Conflict] {
    var forbidden: [(rule: Int, name: Int)] = []
    for (index, placed) in placed.enumerated() where placed.rule.isUnconditional && !placed.rule.isAdvice {
      if case .count(let side, let count, let except) = placed.rule.form, count.most == 0, side.filter == .any,
        except.isEmpty
      {
        forbidden.append((index, side.name))
      }
    }
    return placed.indices.compactMap { index in
      guard let name = placed[index].rule.form.triggerName,
        let ban = forbidden.first(where: { $0.name == name && $0.rule != index })
      else { return nil }
      return Conflict(
        rule: index,
        message:
          "\(place(of: ban.rule, seenFrom: index)) forbids '\(names[name].name)', so this rule is never exercised",
        severity: .warning)
    }
  }

  /// The first rule before this one with the same reach that passes the test.
  private func earlier(_ index: Int, where test: (Rule) -> Bool) -> Int? {
    placed[..<index].firstIndex { isSame($0, placed[index]) && test($0.rule) }
  }

  /// Whether two rules look at the same launches, stretches and keys.
  private func isSame(_ left: PlacedRule, _ right: PlacedRule) -> Bool {
    left.rule.scope == right.rule.scope && left.rule.key == right.rule.key
      && left.rule.guardian?.name == right.rule.guardian?.name
      && left.rule.guardian?.condition == right.rule.guardian?.condition
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
    case .precedence(let side, _), .ownPrecedence(let side, _), .response(let side, _, _), .gap(let side, _, _),
      .concurrency(let side, _), .order(let side, _, _, _), .rate(let side, _, _), .transfer(let side, _, _, _),
      .sameness(let side, _, _), .field(let side, _), .coexistence(let side, _, _),
      .fallback(let side, _, _, _, _), .firstCall(let side), .nothingAfter(let side), .turns(let side, _),
      .succession(let side, _, _), .separation(let side, _):
      side.name
    case .both, .count, .backoff, .status, .choice, .onlyCalls, .settling: nil
    }
  }
}
