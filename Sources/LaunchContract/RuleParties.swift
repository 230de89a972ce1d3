/// Names in rules: `attempts of A (answered 4xx)`.
extension RuleParser {
  /// A name with what stands around it.
  struct Party {
    /// How messages call it.
    var text: String
    /// Where the name itself stands.
    var token: Token
    /// The name's number in the contract; -1 for one that is not declared, which is reported already.
    var number: Int
    /// A mark or an end of the launch. Kept here: reading the party may have declared its attempts since a copy of the
    /// names was made.
    var isPoint = false
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
    var party = Party(text: token.text, token: token, number: -1, brackets: nil)
    if let number = names.number(of: token.text) {
      (party.number, party.isPoint) = (number, names[number].isPoint)
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
    guard let declaration = declaration(party), declaration.isPoint else { return }
    mistakes.append(Mistake(column: party.token.column, message: "'\(party.text)' is a mark, and \(role)"))
  }

  /// What the name stands for; nil for one that is not declared or wrongly so.
  func declaration(_ party: Party) -> Declaration? {
    guard party.number >= 0, names[party.number].meaning != .unusable else { return nil }
    return names[party.number]
  }

  private mutating func makeAttempts(_ party: inout Party) {
    party.text = "attempt of \(party.text)"
    guard let declaration = declaration(party) else { return }
    guard case .call = declaration.meaning else {
      let what = declaration.isPoint ? "a mark" : "every call"
      mistakes.append(
        Mistake(
          column: party.token.column,
          message: "'\(party.token.text)' is \(what), and only a declared call has attempts"))
      return
    }
    party.number = names.attempts(of: party.number)
  }

  private func undeclared(_ token: Token) -> Mistake {
    if Vocabulary.keywords.contains(token.text) {
      return Mistake(column: token.column, message: "expected a name, found the word '\(token.text)'")
    }
    let known = names.declarations.map(\.name)
    let hint = Suggestion.nearest(to: token.text, in: known).map { "did you mean '\($0)'?" }
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
    if declaration(party)?.isPoint == true {
      mistakes.append(
        Mistake(column: column, message: "'\(party.text)' is a mark, and only calls are sent and answered"))
    }
    return brackets
  }

  /// The name in its role: what stands in brackets wins over the rule's own default, and a mark needs neither.
  func side(_ party: Party, _ filter: Side.Filter, _ moment: Side.Moment) -> Side {
    var side = Side(name: party.number, label: party.text, filter: filter, moment: moment)
    if party.isPoint {
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
    for (index, party) in parties.enumerated() where party.number >= 0 {
      guard let other = parties[..<index].first(where: { $0.number >= 0 && isSame($0.number, party.number) }) else {
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

  private func isSame(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (base(left), base(right))
    return left == right || names[left].meaning == names[right].meaning && names[left].meaning != .unusable
  }
}
