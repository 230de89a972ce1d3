/// Sentences about how many there are, and how many at once: rules 8, 9, 13 and 14.
extension RuleParser {
  /// Rule 9: `no A`.
  mutating func none() throws(Mistake) -> Rule.Form { count(try party(), .exactly(0)) }

  /// Rule 8: `exactly N A`.
  mutating func exactly() throws(Mistake) -> Rule.Form {
    let number = try cursor.count("a number")
    return count(try party(), .exactly(number))
  }

  /// Rule 8: `at least N A`.
  mutating func atLeast() throws(Mistake) -> Rule.Form {
    let column = cursor.column
    let number = try cursor.count("a number")
    if number == 0 { throw Mistake(column: column, message: "'at least 0' is always kept") }
    return count(try party(), .atLeast(number))
  }

  /// Rules 8, 13 and 16: `at most N A`, `at most N A open`, `at most N A in any D`.
  mutating func atMost() throws(Mistake) -> Rule.Form {
    let column = cursor.column
    let number = try cursor.count("a number")
    let counted = try party()
    let form: Rule.Form
    if cursor.accept("open") {
      form = .concurrency(trigger(counted), most: number)
    } else if cursor.accept("in any") {
      form = try rate(counted, most: number)
    } else {
      return count(counted, .atMost(number))
    }
    if number == 0 {
      doubts.append(Mistake(column: column, message: "'at most 0' forbids it altogether, as 'no \(counted.text)' says"))
    }
    return form
  }

  private func count(_ party: Party, _ count: Rule.Count) -> Rule.Form { .count(trigger(party), count, except: []) }

  /// Rules 13 and 14: `A one at a time`, `A one at a time in order of F`.
  mutating func oneAtATime(_ party: Party) throws(Mistake) -> Rule.Form {
    if cursor.accept("in order of") { return try order(party, isSerial: true) }
    return .concurrency(trigger(party), most: 1)
  }

  /// Rule 13: `A never overlaps B`.
  mutating func separation(_ first: Party) throws(Mistake) -> Rule.Form {
    .separation(trigger(first), trigger(try party()))
  }

  /// Rule 14: `A in order of F [and gapless]`.
  mutating func order(_ party: Party, isSerial: Bool) throws(Mistake) -> Rule.Form {
    let field = try field(of: party, .request, after: "in order of")
    return .order(trigger(party), by: field, isSerial: isSerial, isGapless: cursor.accept("and gapless"))
  }
}
