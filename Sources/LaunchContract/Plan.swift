/// What a monitor of a contract begins with: worked out once, so that each of many traces costs its events only.
final class Plan: Sendable {
  /// One a rule.
  let monitors: [any RuleMonitor]
  let recognizer: Recognizer
  /// By number of the name: which rules it concerns.
  let concerned: [RuleSet]
  /// By number of the name, the fields that rules ask of its occurrences.
  let fields: [[FieldPath]]
  /// The declared names that some rule needs to occur.
  let needed: [Int]

  init(_ rules: [Rule], _ names: Names) {
    monitors = rules.map { $0.makeMonitor(in: names) }
    let count = names.declarations.count
    var concerned = Array(repeating: RuleSet(), count: count)
    var fields: [[FieldPath]] = Array(repeating: [], count: count)
    var isNeeded = Array(repeating: false, count: count)
    for (index, rule) in rules.enumerated() {
      for name in rule.mentioned {
        concerned[name].insert(index)
        if !rule.isOptional { isNeeded[name] = true }
      }
      for (name, field) in rule.fields(in: names) where !fields[name].contains(field) { fields[name].append(field) }
    }
    self.concerned = concerned
    self.fields = fields
    recognizer = Recognizer(names, fields: fields, watchesEveryCall: !concerned[Names.everyCall].isEmpty)
    needed = names.declared.filter { isNeeded[$0] }
  }
}
