/// Sentences about what calls and marks carry: rules 17, 18 and 19.
extension RuleParser {
  /// Rule 17: `A uses F from B`.
  mutating func transfer(_ first: Party) throws(Mistake) -> Rule.Form {
    let token = try cursor.word("a field")
    let field = resolve(token, of: first, .request, after: "uses")
    try cursor.expect("from")
    let source = try party()
    let sourceField = counterpart(of: field, in: source, token)
    return .transfer(trigger(first), field, source: requirement(source, .end), sourceField)
  }

  /// Rule 17, the general form, behind its first field: `F of A equals G of B`.
  mutating func equality(_ token: Token) throws(Mistake) -> Rule.Form {
    let first = try party()
    let field = resolve(token, of: first, .call, after: "of")
    try cursor.expect("equals")
    let sourceToken = try cursor.word("a field")
    try cursor.expect("of")
    let source = try party()
    let sourceField = resolve(sourceToken, of: source, .call, after: "equals")
    return .transfer(trigger(first), field, source: requirement(source, .end), sourceField)
  }

  /// Rule 18: `F is the same in A`, `F differs in A`.
  mutating func sameness(_ token: Token, isSame: Bool) throws(Mistake) -> Rule.Form {
    let party = try party()
    return .sameness(trigger(party), resolve(token, of: party, .call, after: "in"), isSame: isSame)
  }

  /// Rule 19: `A has F test`.
  mutating func condition(_ party: Party) throws(Mistake) -> Rule.Form {
    let field = try field(of: party, .call, after: "has")
    return .field(trigger(party), Condition(field: field, test: try cursor.test()))
  }

  /// Rule 19: `A is answered 2xx [in the end]`.
  mutating func status(_ party: Party) throws(Mistake) -> Rule.Form {
    call("only calls are answered", party)
    let statuses = try cursor.statuses()
    var party = party
    if !cursor.accept("in the end"), let call = party.declaration, case .call = call.meaning {
      party.number = names.attempts(of: party.number)
      parties = [party]
    }
    return .status(trigger(party, .end), statuses)
  }

  /// A field of the name, which stands next.
  mutating func field(of party: Party, _ owner: FieldPath.Owner, after clause: String) throws(Mistake) -> FieldPath {
    resolve(try cursor.word("a field"), of: party, owner, after: clause)
  }

  /// The field that a word means for a name: one of a mark, one that the name declares, or one of a call.
  private mutating func resolve(
    _ token: Token, of party: Party, _ owner: FieldPath.Owner, after clause: String
  ) -> FieldPath {
    let unknown = FieldPath(.method, [], text: token.text)
    guard let declaration = party.declaration else { return unknown }
    do throws(Mistake) {
      switch (token.text, declaration.meaning) {
      case ("key", _): return try declared(declaration.key, token, declaration)
      case ("order", _): return try declared(declaration.order, token, declaration)
      case (_, .launchBegin), (_, .launchEnd):
        throw Mistake(column: token.column, message: "'\(declaration.name)' has no fields")
      case (_, .mark): return try FieldPath(parsing: token, of: .mark)
      default: return try FieldPath(parsing: token, of: owner, after: clause)
      }
    } catch {
      mistakes.append(error)
      return unknown
    }
  }

  private func declared(_ field: FieldPath?, _ token: Token, _ declaration: Declaration) throws(Mistake) -> FieldPath {
    if let field { return field }
    throw Mistake(
      column: token.column,
      message: "'\(declaration.name)' declares no \(token.text); "
        + (declaration.canDeclare(token.text)
          ? "add '\(token.text) FIELD' to its declaration" : "write the field itself"))
  }

  /// Where `A uses F from B` looks in B: the same path in the body or header of its answer, a value of that name in its
  /// body for a query or form field, and the field of that name in a mark.
  private mutating func counterpart(of field: FieldPath, in source: Party, _ token: Token) -> FieldPath {
    guard let declaration = source.declaration else { return field }
    let names = field.steps.compactMap { step in if case .key(let key) = step { key } else { nil } }
    guard let last = names.last else {
      if !mistakes.isEmpty { return field }
      mistakes.append(
        Mistake(
          column: token.column,
          message: "'\(field.text)' has no name to look for; write '\(field.text) of … equals … of …'"))
      return field
    }
    switch declaration.meaning {
    case .mark: return FieldPath(.mark, [.key(last)], text: "mark.\(last)")
    case .launchBegin, .launchEnd:
      mistakes.append(Mistake(column: source.token.column, message: "'\(declaration.name)' has no fields"))
      return field
    default: break
    }
    let path = field.text.drop { !".[".contains($0) }
    return field.root == .header
      ? FieldPath(.responseHeader, field.steps, text: "response.header\(path)")
      : FieldPath(.responseBody, field.steps, text: "response.body\(path)")
  }
}
