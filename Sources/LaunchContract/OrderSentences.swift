/// Sentences about what comes before what: rules 1 to 5, 11, 12, 20, 21 and 23.
extension RuleParser {
  /// Rules 1 and 2: `B only after A`, `B starts only after A ends`.
  mutating func precedence(_ first: Party, _ moment: Side.Moment?) throws(Mistake) -> Rule.Form {
    let second = try party()
    let column = cursor.column
    let required: Side.Moment?
    if moment == nil {
      required = nil
      if cursor.sees("starts") || cursor.sees("ends") {
        throw Mistake(
          column: column,
          message: "say the instant on both sides, as in 'B starts only after A \(cursor.peek?.text ?? "")'")
      }
    } else if cursor.accept("starts") {
      required = .start
    } else {
      try cursor.expect("ends")
      required = .end
    }
    if required == .end && second.brackets == .sent || moment == .end && first.brackets == .sent {
      throw Mistake(column: column, message: "'(sent)' is about the start of a call, so it does not go with 'ends'")
    }
    return .precedence(trigger: trigger(first, moment ?? .start), requirement: requirement(second, required ?? .end))
  }

  /// Rule 3: `each B after its own A`.
  mutating func ownPrecedence() throws(Mistake) -> Rule.Form {
    let first = try party()
    try cursor.expect("after its own")
    return .ownPrecedence(trigger: trigger(first), requirement: requirement(try party(), .end))
  }

  /// Rule 4: `every A is followed by B`.
  mutating func response() throws(Mistake) -> Rule.Form {
    let first = try party()
    try cursor.expect("is followed by")
    let second = try party()
    try refuseDeadline("every A is followed by B before C")
    return .response(trigger: trigger(first, .end), requirement: requirement(second, .start), bound: nil, tolerance: 0)
  }

  /// Rule 5: `A then B`.
  mutating func sequence(_ first: Party) throws(Mistake) -> Rule.Form {
    let second = try party()
    try refuseDeadline("A then B before C")
    return .both(
      .precedence(trigger: trigger(second), requirement: requirement(first, .end)),
      .response(trigger: trigger(first, .end), requirement: requirement(second, .start), bound: nil, tolerance: 0))
  }

  private func refuseDeadline(_ sentence: String) throws(Mistake) {
    guard cursor.sees("before") else { return }
    throw Mistake(
      column: cursor.column,
      message:
        "'\(sentence)' reads like a deadline; write 'at least 1 B between A and C' or 'B within 5 s of A or else C'")
  }

  /// Rule 11: `A and B take turns`.
  mutating func turns(_ first: Party) throws(Mistake) -> Rule.Form {
    let second = try party()
    try cursor.expect("take turns")
    return .turns(first: requirement(first, .start), second: requirement(second, .start))
  }

  /// Rule 12: `B right after A among {A, B, C}`.
  mutating func succession(_ next: Party) throws(Mistake) -> Rule.Form {
    let first = try party()
    try cursor.expect("among")
    try cursor.expect(symbol: "{")
    let sentence = parties
    parties = []
    repeat { _ = try plainParty("what stands in the braces") } while cursor.accept(symbol: ",")
    let column = cursor.column
    try cursor.expect(symbol: "}")
    refuseSameNames()
    let among = parties.map(\.number)
    parties = sentence + parties.filter { party in !sentence.contains { $0.number == party.number } }
    for party in sentence where !among.contains(party.number) && party.number >= 0 {
      mistakes.append(
        Mistake(column: column, message: "the braces hold both names of the rule, and '\(party.text)' is missing"))
    }
    return .succession(first: trigger(first), next: trigger(next), among: among)
  }

  /// Rule 20: `if A happens then B happens`, `if A happens then no B`.
  mutating func coexistence() throws(Mistake) -> Rule.Form {
    let first = try party()
    try cursor.expect("happens then")
    if cursor.accept("no") {
      return .coexistence(trigger(first), trigger(try party()), isForbidden: true)
    }
    let second = try party()
    try cursor.expect("happens")
    return .coexistence(trigger(first), requirement(second, .end), isForbidden: false)
  }

  /// Rule 21: `A or B happens`.
  mutating func choice(_ first: Party) throws(Mistake) -> Rule.Form {
    var sides = [requirement(first, .end)]
    repeat { sides.append(requirement(try party(), .end)) } while cursor.accept("or")
    try cursor.expect("happens")
    return .choice(sides, isExclusive: false)
  }

  /// Rule 21: `exactly one of A, B happens`.
  mutating func exclusiveChoice() throws(Mistake) -> Rule.Form {
    var sides = [requirement(try party(), .end)]
    repeat {
      if sides.count == 1 { try cursor.expect(symbol: ",") }
      sides.append(requirement(try party(), .end))
    } while cursor.accept(symbol: ",")
    try cursor.expect("happens")
    return .choice(sides, isExclusive: true)
  }

  /// Rule 23: `A is the first call`.
  mutating func firstCall(_ first: Party) throws(Mistake) -> Rule.Form {
    call("only a call can be the first call", first)
    return .firstCall(trigger(first))
  }

  /// Rule 23: `nothing after A`.
  mutating func nothingAfter() throws(Mistake) -> Rule.Form { .nothingAfter(trigger(try party(), .end)) }

  /// Rule 23: `only these calls: A, B`.
  mutating func onlyCalls() throws(Mistake) -> Rule.Form {
    try cursor.expect(symbol: ":")
    repeat {
      call("this rule lists calls", try plainParty("what stands in this list"))
    } while cursor.accept(symbol: ",")
    return .onlyCalls(parties.map(\.number))
  }
}
