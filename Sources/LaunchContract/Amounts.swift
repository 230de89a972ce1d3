extension TokenCursor {
  /// A whole number of decimal digits, not below `least`.
  mutating func count(_ what: String, least: Int = 0) throws(Mistake) -> Int {
    guard let token = peek, token.kind == .word, token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw expected(what)
    }
    guard let number = Int(token.text), number <= 1_000_000_000 else {
      throw Mistake(column: token.column, message: "'\(token.text)' is more than 1000000000")
    }
    if number < least { throw Mistake(column: token.column, message: "\(what) is at least \(least)") }
    _ = next()
    return number
  }

  /// A decimal number in thousandths, `1.5` being 1500.
  mutating func thousandths(_ what: String, in range: ClosedRange<Int64>) throws(Mistake) -> Int64 {
    guard let token = peek, token.kind == .word, token.text.utf8.allSatisfy({ (0x2E...0x39).contains($0) }) else {
      throw expected(what)
    }
    guard let value = Self.scaled(token.text[...], by: 1000) else {
      throw Mistake(column: token.column, message: "'\(token.text)' is no number with up to three decimals")
    }
    guard range.contains(value) else {
      throw Mistake(
        column: token.column, message: "\(what) lies between \(range.lowerBound / 1000) and \(range.upperBound / 1000)")
    }
    _ = next()
    return value
  }

  /// `5 ms`, `5ms` or `0.25 s`, exactly, in microseconds.
  mutating func duration(_ what: String = "a duration such as '5 ms'", isPositive: Bool = false) throws(Mistake)
    -> Int64
  {
    guard let token = peek, token.kind == .word,
      case let digits = token.text.prefix(while: { "0123456789.".contains($0) }), !digits.isEmpty
    else { throw expected(what) }
    _ = next()
    var unit = String(token.text.dropFirst(digits.count))
    var unitColumn = token.column + digits.count
    if unit.isEmpty {
      let next = try word("a unit (us, ms, s, min)")
      (unit, unitColumn) = (next.text, next.column)
    }
    guard let scale = Self.units.first(where: { $0.name == unit })?.microseconds else {
      throw Mistake(column: unitColumn, message: "unknown unit '\(unit)'; the units are us, ms, s and min")
    }
    let duration = try Self.microseconds(digits, scale: scale, column: token.column)
    if isPositive, duration == 0 {
      throw Mistake(column: token.column, message: "this duration must be more than 0")
    }
    return duration
  }

  private static let units: [(name: String, microseconds: Int64)] = [
    ("us", 1), ("ms", 1000), ("s", 1_000_000), ("min", 60_000_000),
  ]
  private static let longest: Int64 = 1_000_000_000_000_000

  private static func microseconds(_ digits: Substring, scale: Int64, column: Int) throws(Mistake) -> Int64 {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty, parts.count == 1 || !parts[1].isEmpty, parts.count == 1 || !parts[1].contains(".") else {
      throw Mistake(column: column, message: "'\(digits)' is not a number")
    }
    guard let whole = Int64(parts[0]), whole <= longest / scale else {
      throw Mistake(column: column, message: "this duration is longer than 30 years")
    }
    guard let value = scaled(digits, by: scale) else {
      throw Mistake(column: column, message: "times are whole microseconds, and this one is finer")
    }
    return value
  }

  /// `digits` times `scale`, if that is a whole number of at most `longest`.
  private static func scaled(_ digits: Substring, by scale: Int64) -> Int64? {
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Int64(parts[0]), whole <= longest / scale, parts.count == 1 || !parts[1].isEmpty else {
      return nil
    }
    var (total, unit) = (whole * scale, scale)
    for character in parts.count == 1 ? "" : parts[1] {
      guard let digit = character.wholeNumberValue, digit == 0 || unit % 10 == 0 else { return nil }
      if unit % 10 == 0 { unit /= 10 }
      total += Int64(digit) * unit
    }
    return total
  }
}
