extension Rule {
  /// The numbers of the names the rule mentions, its guard's included.
  var mentioned: Set<Int> {
    guard let guardian else { return mentionedUnguarded }
    return mentionedUnguarded.union([guardian.name])
  }

  /// The same without the guard.
  var mentionedUnguarded: Set<Int> {
    var numbers = Set(form.sides.map(\.name) + form.others)
    numbers.formUnion(scope?.names ?? [])
    return numbers
  }

  /// The names whose occurrences belong to a key: what is excepted is no occurrence of the rule.
  var keyed: Set<Int> { mentionedUnguarded.subtracting(form.exceptions) }

  /// The fields whose values the rule needs, by the name whose occurrences carry them.
  func fields(in names: Names) -> [(name: Int, field: FieldPath)] {
    var fields = form.fields
    switch key {
    case nil: break
    case .declared: fields += keyed.compactMap { name in names[name].key.map { (name, $0) } }
    case .field(let path): fields += keyed.map { ($0, path) }
    }
    if let guardian { fields.append((guardian.name, guardian.condition.field)) }
    return fields
  }
}

extension Rule.Scope {
  /// The numbers of the names that begin and end the stretch.
  fileprivate var names: [Int] {
    switch self {
    case .before(let side), .after(let side), .whileOpen(let side): [side.name]
    case .afterUntil(let opening, let closing), .between(let opening, let closing): [opening.name, closing.name]
    }
  }
}

extension Rule.Form {
  /// What a counting rule leaves out; no other name of the rule is among them.
  var exceptions: [Int] {
    if case .count(_, _, let except) = self { except } else { [] }
  }

  /// The names in their roles, in the order of the sentence.
  var sides: [Side] {
    switch self {
    case .precedence(let first, let second), .ownPrecedence(let first, let second), .gap(let first, let second, _),
      .turns(let first, let second), .succession(let first, let second, _), .separation(let first, let second),
      .coexistence(let first, let second, _), .transfer(let first, _, let second, _):
      [first, second]
    case .response(let trigger, let requirement, _, _): [trigger, requirement]
    case .both(let first, let second): first.sides + second.sides
    case .count(let side, _, _), .concurrency(let side, _), .order(let side, _, _, _), .backoff(let side, _),
      .rate(let side, _, _), .sameness(let side, _, _), .field(let side, _), .status(let side, _),
      .firstCall(let side), .nothingAfter(let side):
      [side]
    case .choice(let sides, _): sides
    case .fallback(let trigger, let requirement, _, _, let fallback): [trigger, requirement, fallback]
    case .onlyCalls, .settling: []
    }
  }

  /// Names that have no role of their own, but whose occurrences the rule looks at.
  fileprivate var others: [Int] {
    switch self {
    case .count(_, _, let except): except
    case .succession(_, _, let among): among
    case .firstCall, .nothingAfter: [Names.everyCall]
    case .onlyCalls(let names): names + [Names.everyCall]
    case .settling: [Names.everyCall, Names.launchBegin]
    default: []
    }
  }

  fileprivate var fields: [(name: Int, field: FieldPath)] {
    switch self {
    case .order(let side, let field, _, _), .sameness(let side, let field, _): [(side.name, field)]
    case .field(let side, let condition): [(side.name, condition.field)]
    case .transfer(let side, let field, let source, let other): [(side.name, field), (source.name, other)]
    case .both(let first, let second): first.fields + second.fields
    default: []
    }
  }
}
