/// What may stand behind a sentence, in this order: a scope, `except`, `per` and `±`.
extension RuleParser {
  /// Rule 10: `before B`, `after B`, `after B until C`, `between B and C`, `while B is open`.
  mutating func scope(of form: Rule.Form) throws(Mistake) -> Rule.Scope? {
    let column = cursor.column
    guard form.takesScope else {
      guard let word = ["before", "after", "between", "while"].first(where: { cursor.sees($0) }) else { return nil }
      throw Mistake(
        column: column,
        message: "'\(word)' cannot follow: only 'is followed by', 'then', 'within', 'at least … after', 'exactly', "
          + "'at most', 'at least' and 'no' look at a stretch of the launch")
    }
    if cursor.accept("before") { return .before(side(try boundary(), .any, .start)) }
    if cursor.accept("after") {
      let opening = side(try boundary(), .any, .end)
      return cursor.accept("until") ? .afterUntil(opening, side(try boundary(), .any, .start)) : .after(opening)
    }
    if cursor.accept("between") {
      let opening = side(try boundary(), .any, .end)
      try cursor.expect("and")
      return .between(opening, side(try boundary(), .any, .start))
    }
    guard cursor.accept("while") else { return nil }
    let open = try boundary()
    call("only calls are open", open)
    try cursor.expect("is open")
    return .whileOpen(side(open, .any, .start))
  }

  private mutating func boundary() throws(Mistake) -> Party { try plainParty("where a stretch begins or ends") }

  mutating func parseExceptions(_ form: inout Rule.Form) throws(Mistake) {
    let column = cursor.column
    guard case .count(let side, let count, _) = form else {
      guard cursor.sees("except") else { return }
      throw Mistake(column: column, message: "'except' goes with 'no', 'exactly', 'at most' and 'at least'")
    }
    guard cursor.accept("except") else { return }
    var numbers: [Int] = []
    repeat {
      let party = try plainParty("what stands behind 'except'")
      if party.number == Names.everyCall {
        mistakes.append(
          Mistake(column: party.token.column, message: "'except calls' leaves nothing that the rule could be about"))
      }
      numbers.append(party.number)
    } while cursor.accept(symbol: ",")
    form = .count(side, count, except: numbers)
  }

  /// `per FIELD` or `per key`.
  mutating func key(of form: Rule.Form) throws(Mistake) -> Rule.KeyField? {
    let column = cursor.column
    switch form {
    case .settling, .onlyCalls:
      guard cursor.sees("per") else { return nil }
      throw Mistake(column: column, message: "'per' cannot follow: this rule looks at the launch as a whole")
    default: break
    }
    guard cursor.accept("per") else { return nil }
    let token = try cursor.word("a field or 'key'")
    var declarations = parties.filter { !form.exceptions.contains($0.number) }.compactMap(\.declaration)
    if form.looksAtEveryCall { declarations.append(names[Names.everyCall]) }
    // The two ends of a launch belong to every key.
    let boundary = declarations.first(where: \.isBoundary)
    declarations.removeAll(where: \.isBoundary)
    if let boundary, declarations.isEmpty {
      mistakes.append(
        Mistake(
          column: token.column, message: "'\(boundary.name)' has no fields, so this rule cannot be told apart by one"
        ))
      return .declared
    }
    if token.text == "key" {
      for declaration in declarations where declaration.key == nil {
        let remedy = declaration.canDeclare("key") ? "add 'key FIELD' to its declaration" : "write 'per' and the field"
        mistakes.append(Mistake(column: token.column, message: "'\(declaration.name)' declares no key; \(remedy)"))
      }
      return .declared
    }
    return try sharedKey(token, declarations)
  }

  /// A field that all of the names can have.
  private mutating func sharedKey(_ token: Token, _ declarations: [Declaration]) throws(Mistake) -> Rule.KeyField? {
    let (points, calls) = (declarations.filter(\.isPoint), declarations.filter { !$0.isPoint })
    if let mark = points.first, let call = calls.first {
      throw Mistake(
        column: token.column,
        message: "'\(mark.name)' is a mark and '\(call.name)' a call, and no field is in both; "
          + "declare a 'key' for each and write 'per key'")
    }
    if declarations.isEmpty { return .declared }
    return .field(try FieldPath(parsing: token, of: points.isEmpty ? .request : .mark, after: "per"))
  }
}

extension Declaration {
  fileprivate var isBoundary: Bool { meaning == .launchBegin || meaning == .launchEnd }

  /// Whether its line may say `key` or `order`.
  func canDeclare(_ clause: String) -> Bool {
    switch meaning {
    case .call, .attempts: true
    case .mark: clause == "key"
    case .everyCall, .launchBegin, .launchEnd, .unusable: false
    }
  }
}

extension Rule.Form {
  /// Whether a stretch of the launch makes sense for it (rules 4 to 9).
  var takesScope: Bool {
    switch self {
    case .response, .both, .gap, .count: true
    default: false
    }
  }

  /// Whether calls that the rule does not name matter to it.
  fileprivate var looksAtEveryCall: Bool {
    switch self {
    case .firstCall, .nothingAfter: true
    default: false
    }
  }
}
