/// Names in rules: `attempts of A (answered 4xx)`.
extension RuleParser {
  /// A name with what stands around it.
  struct Party {
    /// How messages call it.
    var text: String
    /// Where the name itself stands.
    var token: Token
    /// The name's number in the contract; -1 for one that is not declared, which is reported already.
    var number = -1
    /// What the name stands for; nil for one that is not declared, or not rightly so.
    var declaration: Declaration?
    /// What stands in brackets; nil for the rule's own default.
    var brackets: Brackets?

    enum Brackets: Hashable {
      case sent, answered(StatusSet?), ok, anyOutcome
    }
  }

  /// A declared name, and which of its occurrences count. An undeclared one is reported and the rule read on.
  mutating func party() throws(Mistake) -> Party {
    let isAttempt = cursor.acceptSilently("attempt of") || cursor.acceptSilently("attempts of")
    let token = try cursor.word("a name")
    var party = Party(text: token.text, token: token)
    if let number = names.number(of: token.text) {
      party.number = number
      party.declaration = names[number].meaning == .unusable ? nil : names[number]
    } else {
      mistakes.append(undeclared(token))
    }
    if isAttempt { makeAttempts(&party) }
    if cursor.acceptSilently(symbol: "(") { party.brackets = try brackets(of: party) }
    parties.append(party)
    return party
  }

  /// A name alone, where a rule looks at all of its occurrences.
  mutating func plainParty(_ role: String) throws(Mistake) -> Party {
    let party = try party()
    if party.brackets != nil {
      mistakes.append(Mistake(column: party.token.endColumn, message: "\(role) is a plain name, without brackets"))
    }
    return party
  }

  /// A plain name that stands for calls, as in a rule that means nothing for marks.
  mutating func call(_ role: String, _ party: Party) {
    guard let declaration = party.declaration, declaration.isPoint else { return }
    mistakes.append(Mistake(column: party.token.column, message: "'\(party.text)' is a mark, and \(role)"))
  }

  private mutating func makeAttempts(_ party: inout Party) {
    party.text = "attempt of \(party.text)"
    guard let declaration = party.declaration else { return }
    guard case .call = declaration.meaning else {
      let what = declaration.isPoint ? "a mark" : "every call"
      mistakes.append(
        Mistake(
          column: party.token.column,
          message: "'\(party.token.text)' is \(what), and only a declared call has attempts"))
      return
    }
    party.number = names.attempts(of: party.number)
    party.declaration = names[party.number]
  }

  private func undeclared(_ token: Token) -> Mistake {
    if Vocabulary.keywords.contains(token.text) {
      return Mistake(column: token.column, message: "expected a name, found the word '\(token.text)'")
    }
    let known = names.declarations.lazy.map(\.name)
    let nearest = hasHints ? Suggestion.nearest(to: token.text, in: known) : nil
    let hint = nearest.map { "did you mean '\($0)'?" }
    return Mistake(
      column: token.column,
      message: "'\(token.text)' is not declared; \(hint ?? "declare it with 'mark' or 'call'")")
  }

  private mutating func brackets(of party: Party) throws(Mistake) -> Party.Brackets {
    let column = cursor.column
    let brackets: Party.Brackets
    if cursor.accept("sent") {
      brackets = .sent
    } else if cursor.accept("answered") {
      brackets = .answered(cursor.peek?.kind == .word ? try cursor.statuses() : nil)
    } else if cursor.accept("ok") {
      brackets = .ok
    } else if cursor.accept("any outcome") {
      brackets = .anyOutcome
    } else {
      throw cursor.unexpected()
    }
    try cursor.expect(symbol: ")")
    if party.declaration?.isPoint == true {
      mistakes.append(
        Mistake(column: column, message: "'\(party.text)' is a mark, and only calls are sent and answered"))
    }
    return brackets
  }

  /// The name in its role: what stands in brackets wins over the rule's own default, and a mark needs neither.
  func side(_ party: Party, _ filter: Side.Filter, _ moment: Side.Moment) -> Side {
    var side = Side(name: party.number, label: party.text, filter: filter, moment: moment)
    if party.declaration?.isPoint == true {
      (side.filter, side.moment, side.isPoint) = (.any, .start, true)
      return side
    }
    switch party.brackets {
    case nil: break
    case .sent: (side.filter, side.moment) = (.any, .start)
    case .answered(let statuses): side.filter = .answered(statuses)
    case .ok: side.filter = .ok
    case .anyOutcome: side.filter = .any
    }
    return side
  }

  /// What makes a rule look at something: any occurrence, from its start.
  func trigger(_ party: Party, _ moment: Side.Moment = .start) -> Side { side(party, .any, moment) }

  /// What a rule asks for: it must have succeeded.
  func requirement(_ party: Party, _ moment: Side.Moment) -> Side { side(party, .ok, moment) }

  /// A sentence about one thing twice always holds or never does, so it is a slip.
  mutating func refuseSameNames() {
    var seen: [Sameness: Party] = [:]
    for party in parties where party.number >= 0 {
      let number = base(party.number)
      let meaning = names[number].meaning
      let sameness = meaning == .unusable ? Sameness.number(number) : .meaning(meaning)
      guard let other = seen[sameness] else {
        seen[sameness] = party
        continue
      }
      let message =
        base(other.number) == base(party.number)
        ? "'\(party.token.text)' stands on both sides of this rule"
        : "'\(other.text)' and '\(party.text)' are declared alike, so this rule compares a thing with itself"
      mistakes.append(Mistake(column: party.token.column, message: message))
    }
  }

  /// The call that attempts belong to, or the name itself.
  private func base(_ number: Int) -> Int {
    if case .attempts(let call) = names[number].meaning { call } else { number }
  }

  /// What names of one thing have in common.
  private enum Sameness: Hashable {
    case meaning(Declaration.Meaning)
    case number(Int)
  }
}
