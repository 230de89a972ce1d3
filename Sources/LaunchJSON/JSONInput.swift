/// The bytes of a text and the rules for what stands inside of one token: each function takes the index where something
/// starts and returns the one where it ends.
struct JSONInput: Sendable {
  let bytes: [UInt8]
  var end: Int

  /// `[ \t\n\r]*`
  @inline(__always)
  func endOfWhiteSpace(from index: Int) -> Int {
    let bytes = bytes.span
    var index = index
    while index < end, case let byte = bytes[index], byte <= UInt8(ascii: " "), Self.isWhiteSpace(byte) { index += 1 }
    return index
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }

  func endOfLiteral(_ literal: StaticString, at index: Int, _ expected: JSONError.Expected) throws(JSONError) -> Int {
    for offset in 0..<literal.utf8CodeUnitCount {
      guard index + offset < end else { throw endsTooEarly }
      // The count above is that of the same buffer, which lives as long as the program.
      guard unsafe bytes[index + offset] == literal.utf8Start[offset] else {
        throw JSONError(offset: index + offset, reason: .expected(expected))
      }
    }
    return index + literal.utf8CodeUnitCount
  }

  /// The number that starts at `index`: its value if it is a whole one of 64 bits, and where it ends.
  func number(at index: Int) throws(JSONError) -> (integer: Int64?, end: Int) {
    let isNegative = bytes[index] == UInt8(ascii: "-")
    let first = isNegative ? index + 1 : index
    var magnitude: UInt64 = 0
    let last = try endOfDigits(from: first) { magnitude = magnitude &* 10 &+ UInt64($0) }
    if last - first > 1 && bytes[first] == UInt8(ascii: "0") { throw JSONError(offset: first, reason: .leadingZero) }

    var index = last
    if index < end && bytes[index] == UInt8(ascii: ".") { index = try endOfDigits(from: index + 1) }
    if index < end && bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < end && (bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")) { index += 1 }
      index = try endOfDigits(from: index)
    }
    // Nineteen digits fit 64 unsigned bits; with more, the magnitude may have wrapped.
    let isExact = index == last && last - first <= 19
    return (isExact ? Self.integer(magnitude, isNegative: isNegative) : nil, index)
  }

  private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude == 0 || magnitude > Int64.min.magnitude ? nil : Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  /// One digit or more.
  @inline(__always)
  private func endOfDigits(from first: Int, use: (UInt8) -> Void = { _ in }) throws(JSONError) -> Int {
    var index = first
    while index < end, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      use(digit)
      index += 1
    }
    guard index > first else { throw index == end ? endsTooEarly : JSONError(offset: index, reason: .expected(.digit)) }
    return index
  }

  /// The string whose opening quote stands at `index`: where it ends behind the closing one, and whether it has escapes.
  func string(at index: Int) throws(JSONError) -> (hasEscapes: Bool, end: Int) {
    let bytes = bytes.span
    var index = index + 1
    var hasEscapes = false
    while true {
      index = bytes.plainEnd(from: index, to: end)
      guard index < end else { throw endsTooEarly }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        return (hasEscapes, index + 1)
      case UInt8(ascii: "\\"):
        index = try escape(at: index).end
        hasEscapes = true
      case 0x80...:
        index = try endOfSequence(at: index)
      default:
        throw JSONError(offset: index, reason: .controlCharacter)
      }
    }
  }

  /// Where the string at `index` ends, if it holds nothing but ASCII without escapes; nil for any other, valid or not.
  @inline(__always)
  func endOfPlainString(at index: Int) -> Int? {
    let bytes = bytes.span
    let close = bytes.plainEnd(from: index + 1, to: end)
    return close < end && bytes[close] == UInt8(ascii: "\"") ? close + 1 : nil
  }

  /// The character that the escape at `index` (its backslash) stands for, and where the escape ends.
  func escape(at index: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    guard index + 1 < end else { throw endsTooEarly }
    let scalar: Unicode.Scalar
    switch bytes[index + 1] {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(at: index)
    default: throw JSONError(offset: index, reason: .escape)
    }
    return (scalar, index + 2)
  }

  private func unicodeEscape(at index: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    let unit = try hexadecimal(at: index)
    if let scalar = Unicode.Scalar(unit) { return (scalar, index + 6) }
    // What is no scalar is a surrogate; only a high one directly before a low one means a character.
    let lone = JSONError(offset: index, reason: .loneSurrogate)
    guard unit < 0xDC00 else { throw lone }
    for (offset, byte) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
      guard index + offset < end else { throw endsTooEarly }
      guard bytes[index + offset] == byte else { throw lone }
    }
    let low = try hexadecimal(at: index + 6)
    guard 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) else {
      throw lone
    }
    return (scalar, index + 12)
  }

  /// The four digits of the `\u` escape at `index`.
  private func hexadecimal(at index: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for position in index + 2..<index + 6 {
      guard position < end else { throw endsTooEarly }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: throw JSONError(offset: index, reason: .escape)
      }
    }
    return unit
  }

  /// Where the UTF-8 sequence of two bytes or more at `index` ends (Unicode 16.0 table 3-7).
  func endOfSequence(at index: Int) throws(JSONError) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[index] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw JSONError(offset: index, reason: .invalidUTF8)
    }
    for position in index + 1..<index + length {
      guard position < end else { throw endsTooEarly }
      let allowed = position == index + 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[position]) else { throw JSONError(offset: index, reason: .invalidUTF8) }
    }
    return index + length
  }

  private var endsTooEarly: JSONError { JSONError(offset: end, reason: .endOfInput) }
}
