import LaunchJSON

/// Values as HAR files really hold them: numbers as text, texts as numbers, null for nothing.
extension JSON {
  /// The text of a string, or of a number or bool that stands in its place; nil for everything else.
  var harText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): String(flag)
    case .null, .array, .object: nil
    }
  }

  /// A finite number, also one written as text.
  var harNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let text), .string(let text): Double(text.trimmingSpaces).flatMap { $0.isFinite ? $0 : nil }
    case .null, .bool, .array, .object: nil
    }
  }

  /// A number without its fraction, also one written as text.
  var harInteger: Int? { harNumber.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

  /// A time in milliseconds, as whole microseconds; nil for what is no number and for over 30 years.
  var harMicroseconds: Int64? {
    guard let milliseconds = harNumber, abs(milliseconds) < 1e12 else { return nil }
    return Int64((milliseconds * 1000).rounded())
  }

  /// Microseconds as the shortest number of milliseconds that is exact.
  init(harMicroseconds microseconds: Int64) {
    let (milliseconds, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else {
      self = .integer(microseconds / 1000)
      return
    }
    var fraction = String(1000 + rest).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    self = .number("\(microseconds < 0 ? "-" : "")\(milliseconds).\(fraction)")
  }
}

extension String {
  /// This text without spaces, tabs and line ends around it.
  var trimmingSpaces: String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let head = utf8.drop(while: isSpace)
    guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(head[...last]) ?? self
  }
}
