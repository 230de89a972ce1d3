/// The dates of XML property lists.
enum PropertyListDate {
  /// Seconds since the beginning of 2001, UTC; nil unless the text is `YYYY-MM-DDThh:mm:ssZ`.
  static func seconds(_ text: Substring) -> Double? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var numbers = [0]
    for (byte, expected) in zip(bytes, pattern) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year), numbers[3] < 24, numbers[4] < 60,
      numbers[5] < 60
    else { return nil }
    let days = daysBefore(year, month) + day - daysBefore(2001, 1) - 1
    return Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from the beginning of year 1 to that of the month.
  private static func daysBefore(_ year: Int, _ month: Int) -> Int {
    let years = year - 1
    let leapDays = floor(years, 4) - floor(years, 100) + floor(years, 400)
    return years * 365 + leapDays + (1..<month).reduce(0) { $0 + length(ofMonth: $1, year) }
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }
}
