/// A moment as HAR files write it.
///
/// Takes every form of ISO 8601 with a calendar date: `2024-02-29T13:05:09.123456Z`, `20240229T130509+0100`, a space for
/// the `T`, a comma for the point, any number of fraction digits, none included, no seconds, no time, no zone.
struct HARDate: Hashable {
  /// Since the start of 1970, UTC; further digits are cut off.
  var microseconds: Int64
  /// The text names no zone, so that UTC was assumed.
  var isZoneless: Bool

  /// Nil when the text is no such date, or names a day or time that does not exist.
  init?(_ text: String) {
    var text = DateScanner(text)
    guard let days = text.days() else { return nil }
    var time: Int64 = 0
    var offset: Int64?
    if !text.isAtEnd {
      guard text.skip("Tt "), let inDay = text.timeOfDay() else { return nil }
      time = inDay
      while text.skip(" ") {}
      if !text.isAtEnd {
        guard let zone = text.zone() else { return nil }
        offset = zone
      }
    }
    guard text.isAtEnd else { return nil }
    isZoneless = offset == nil
    microseconds = days * 86_400_000_000 + time - (offset ?? 0) * 60_000_000
  }

  /// In UTC, with three fraction digits where that is exact, else with six. Moments beyond the years 0 to 9999 become
  /// the nearest in them, since no date of HAR can say them.
  static func text(microsecondsSince1970: Int64) -> String {
    let text = timestamp(microsecondsSince1970: min(max(microsecondsSince1970, earliest), latest))
    return text.hasSuffix("000Z") ? text.dropLast(4) + "Z" : text
  }

  private static let earliest: Int64 = -62_167_219_200_000_000
  private static let latest: Int64 = 253_402_300_799_999_999
}

extension HARDate {
  /// The moment of a cookie's `Expires`, read as leniently as RFC 6265 section 5.1.1 asks for.
  init?(cookieDate text: String) {
    var time: Int64?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.utf8.split(whereSeparator: { " ,-/".utf8.contains($0) }) {
      let word = String(decoding: token, as: UTF8.self)
      if time == nil, word.utf8.contains(UInt8(ascii: ":")) {
        var scanner = DateScanner(word)
        guard let inDay = scanner.timeOfDay() else { return nil }
        time = inDay
      } else if let number = Int(word), number >= 0 {
        if day == nil, token.count <= 2 { day = number } else { year = year ?? number }
      } else if month == nil {
        month = monthNames.firstIndex(of: word.prefix(3).lowercased()).map { $0 + 1 }
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
    guard let days = daysSince1970(year: year, month: month, day: day) else { return nil }
    self.microseconds = days * 86_400_000_000 + time
    isZoneless = false
  }
}

private let monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/// The day's number by the Gregorian calendar; nil when there is no such day.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int64? {
  guard (0...9999).contains(year), (1...12).contains(month) else { return nil }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  guard (1...length).contains(day) else { return nil }
  // Years are counted from 1 March, so that a leap day is the last of its year.
  let yearFromMarch = month > 2 ? year : year - 1
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let cycle = yearFromMarch >= 0 ? yearFromMarch / 400 : -1
  let yearOfCycle = yearFromMarch - cycle * 400
  let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
  return Int64(cycle * 146_097 + dayOfCycle - 719_468)
}

/// Reads the parts of a date from the front of a text.
private struct DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes one byte if it is among these.
  mutating func skip(_ bytes: String) -> Bool {
    guard let first = rest.first, bytes.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func days() -> Int64? {
    guard let year = digits(4) else { return nil }
    let isDashed = skip("-")
    guard let month = digits(2), !isDashed || skip("-"), let day = digits(2) else { return nil }
    return daysSince1970(year: year, month: month, day: day)
  }

  /// Microseconds since midnight.
  mutating func timeOfDay() -> Int64? {
    guard let hour = digits(2) ?? digits(1), hour <= 24 else { return nil }
    let hasColons = skip(":")
    var minute = 0
    var second = 0
    if hasColons || isAtDigit {
      guard let read = digits(2), read < 60 else { return nil }
      minute = read
      if hasColons ? skip(":") : isAtDigit {
        // A leap second is the first of the next minute.
        guard let read = digits(2), read <= 60 else { return nil }
        second = read
      }
    }
    let fraction = skip(".,") ? microseconds() : 0
    let time = Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + fraction
    return hour < 24 || time == 86_400_000_000 ? time : nil
  }

  /// Minutes east of UTC.
  mutating func zone() -> Int64? {
    if skip("Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if skip(":") || isAtDigit {
      guard let read = digits(2), read < 60 else { return nil }
      minutes = read
    }
    return Int64(hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private var isAtDigit: Bool { rest.first.map(Self.isDigit) ?? false }

  private mutating func digits(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func microseconds() -> Int64 {
    let digits = rest.prefix(while: Self.isDigit)
    rest.removeFirst(digits.count)
    let kept = digits.prefix(6)
    return (kept + [UInt8](repeating: UInt8(ascii: "0"), count: 6 - kept.count))
      .reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
