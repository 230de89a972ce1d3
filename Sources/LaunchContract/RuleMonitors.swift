extension Rule {
  /// A monitor for one launch: the form's own, inside its stretch, for each key, behind its guard.
  func makeMonitor(in names: Names) -> any RuleMonitor {
    var monitor = form.makeMonitor(in: names)
    switch scope {
    case nil: break
    case .before(let side): monitor = BeforeMonitor(until: side, monitor)
    case .after(let side): monitor = AfterMonitor(from: side, monitor)
    case .afterUntil(let opening, let closing):
      monitor = StretchMonitor(from: opening, to: closing, needsClosing: false, monitor)
    case .between(let opening, let closing):
      monitor = StretchMonitor(from: opening, to: closing, needsClosing: true, monitor)
    case .whileOpen(let side): monitor = WhileOpenMonitor(side, monitor)
    }
    if let key {
      monitor = KeyedMonitor(
        fields: keyFields(key, in: names), label: key.text, absence: absence,
        counted: form.sides.first?.name, except: form.exceptions, joinsAttempts: form.joinsAttempts, monitor)
    }
    if let guardian { monitor = GuardMonitor(guardian, monitor) }
    return monitor
  }

  /// Why there is no value of the key.
  private var absence: String {
    let labels = form.sides.map(\.label).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return labels.count == 1 ? "\(labels[0]) never came" : "none of these came: \(labels.joined(separator: ", "))"
  }

  /// By name, where its key stands.
  private func keyFields(_ key: KeyField, in names: Names) -> NumberTable<FieldPath> {
    var fields = NumberTable<FieldPath>()
    for name in keyed {
      switch key {
      case .declared: fields[name] = names[name].key
      case .field(let path): fields[name] = path
      }
    }
    return fields
  }
}

extension Rule.Form {
  fileprivate var joinsAttempts: Bool { if case .backoff = self { true } else { false } }
}

extension Rule.KeyField {
  /// As the author wrote it.
  fileprivate var text: String {
    switch self {
    case .declared: "key"
    case .field(let path): path.text
    }
  }
}

extension Rule.Form {
  func makeMonitor(in names: Names) -> any RuleMonitor {
    switch self {
    case .precedence(let trigger, let requirement): PrecedenceMonitor(trigger: trigger, requirement: requirement)
    case .ownPrecedence(let trigger, let requirement): OwnPrecedenceMonitor(trigger: trigger, requirement: requirement)
    case .response(let trigger, let requirement, let bound, let tolerance):
      ResponseMonitor(trigger: trigger, requirement: requirement, bound: bound, tolerance: tolerance)
    case .both(let first, let second): BothMonitor(first.makeMonitor(in: names), second.makeMonitor(in: names))
    case .gap(let late, let early, let least): GapMonitor(late: late, early: early, least: least)
    case .count(let side, let count, let except): CountMonitor(side: side, count: count, except: except)
    case .turns(let first, let second): TurnsMonitor(first: first, second: second)
    case .succession(let first, let next, let among):
      SuccessionMonitor(
        first: first, next: next,
        among: Dictionary(among.map { ($0, names[$0].name) }, uniquingKeysWith: { first, _ in first }))
    case .concurrency(let side, let most): ConcurrencyMonitor(side: side, most: most)
    case .separation(let left, let right): SeparationMonitor(left, right)
    case .order(let side, let field, let isSerial, let isGapless):
      OrderMonitor(side: side, field: field, isSerial: isSerial, isGapless: isGapless)
    case .backoff(let side, let backoff): BackoffMonitor(side: side, backoff: backoff)
    case .rate(let side, let most, let window): RateMonitor(side: side, most: most, window: window)
    case .transfer(let side, let field, let source, let other):
      TransferMonitor(side: side, field: field, source: source, sourceField: other)
    case .sameness(let side, let field, let isSame): SamenessMonitor(side: side, field: field, isSame: isSame)
    case .field(let side, let condition): FieldMonitor(side: side, condition: condition)
    case .status(let side, let statuses): StatusMonitor(side: side, statuses: statuses)
    case .coexistence(let first, let second, let isForbidden):
      CoexistenceMonitor(first: first, second: second, isForbidden: isForbidden)
    case .choice(let sides, let isExclusive): ChoiceMonitor(sides: sides, isExclusive: isExclusive)
    case .fallback(let trigger, let requirement, let bound, let tolerance, let fallback):
      FallbackMonitor(
        trigger: trigger, requirement: requirement, bound: bound, tolerance: tolerance, fallback: fallback)
    case .firstCall(let side): FirstCallMonitor(side: side)
    case .nothingAfter(let side): NothingAfterMonitor(side: side)
    case .onlyCalls(let names): OnlyCallsMonitor(names: names)
    case .settling(let bound, let quiet): SettlingMonitor(bound: bound, quiet: quiet)
    }
  }
}
