/// Sentences with durations: rules 6, 7, 15, 16, 22 and 25.
extension RuleParser {
  /// Rules 6 and 22: `B within D of A [ending]`, `B within D of A or else C`.
  mutating func within(_ second: Party) throws(Mistake) -> Rule.Form {
    let bound = try cursor.duration()
    try cursor.expect("of")
    let first = try party()
    let column = cursor.column
    let isEnding = cursor.accept("ending")
    if isEnding, first.declaration?.isPoint == true {
      doubts.append(Mistake(column: column, message: "'\(first.text)' is a mark, so 'ending' changes nothing"))
    }
    if isEnding, first.brackets == .sent {
      throw Mistake(
        column: first.token.endColumn, message: "'(sent)' is about the start of a call, so it does not go with 'ending'"
      )
    }
    if !isEnding, cursor.accept("or else") {
      return .fallback(
        trigger: trigger(first), requirement: requirement(second, .end), bound: bound, tolerance: widening,
        fallback: requirement(try party(), .start))
    }
    return .response(
      trigger: trigger(first, isEnding ? .end : .start), requirement: requirement(second, .end),
      bound: bound, tolerance: widening)
  }

  /// Rule 7: `B at least D after A`.
  mutating func gap(_ late: Party) throws(Mistake) -> Rule.Form {
    let least = try cursor.duration()
    try cursor.expect("after")
    return .gap(late: trigger(late), early: trigger(try party(), .end), least: max(0, least - widening))
  }

  /// Rule 16, behind `at most N A`: `in any D`.
  mutating func rate(_ party: Party, most: Int) throws(Mistake) -> Rule.Form {
    .rate(trigger(party), most: most, window: try cursor.duration(isPositive: true))
  }

  /// Rule 25: `launch settles within D [quiet for Q]`.
  mutating func settling() throws(Mistake) -> Rule.Form {
    let bound = try cursor.duration()
    let quiet = cursor.accept("quiet for") ? try cursor.duration(isPositive: true) : 1_000_000
    return .settling(bound: bound, quiet: quiet)
  }

  /// Rule 15: `retries of A back off from D [, factor Q] [, cap D] [, jitter P % | , full jitter] [, at most N tries]`,
  /// what follows the first wait in any order.
  mutating func backoff() throws(Mistake) -> Rule.Form {
    var retried = try plainParty("what is retried")
    call("only calls are tried again", retried)
    try cursor.expect("back off from")
    var backoff = Rule.Backoff(first: try cursor.duration())
    var seen: Set<String> = []
    while cursor.accept(symbol: ",") {
      let column = cursor.column
      let clause = try parseClause(of: &backoff)
      if !seen.insert(clause).inserted {
        mistakes.append(Mistake(column: column, message: "'\(clause)' stands here twice"))
      }
    }
    backoff.tolerance = widening
    if let call = retried.declaration, case .call = call.meaning {
      retried.number = names.attempts(of: retried.number)
      parties = [retried]
    }
    return .backoff(trigger(retried), backoff)
  }

  /// One of the clauses of rule 15; returns its name.
  private mutating func parseClause(of backoff: inout Rule.Backoff) throws(Mistake) -> String {
    if cursor.accept("factor") {
      backoff.factor = try cursor.thousandths("the factor", in: 1000...1_000_000)
      return "factor"
    }
    if cursor.accept("cap") {
      backoff.cap = try cursor.duration(isPositive: true)
      return "cap"
    }
    if cursor.accept("full jitter") {
      backoff.jitter = .full
      return "jitter"
    }
    if cursor.accept("jitter") {
      backoff.jitter = .thousandths(try cursor.thousandths("the jitter in percent", in: 0...100_000) / 100)
      try cursor.expect(symbol: "%")
      return "jitter"
    }
    try cursor.expect("at most")
    backoff.mostTries = try cursor.count("the number of tries", least: 1)
    try cursor.expect("tries")
    return "at most"
  }
}
