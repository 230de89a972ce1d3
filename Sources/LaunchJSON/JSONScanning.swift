extension JSONReader {
  /// Moves past the string whose opening quote stands at `position`.
  mutating func scanString() throws(JSONError) {
    var index = position + 1
    hasEscapes = false
    while true {
      index = unsafe bytes.span.bytes.plainEnd(from: index, to: end)
      guard index < end else { throw JSONError(offset: end, reason: .endOfInput) }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        position = index + 1
        return
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

  /// Moves past the number that starts at `position`.
  mutating func scanNumber() throws(JSONError) -> Token {
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    var magnitude: UInt64 = 0
    try scanDigits { magnitude = magnitude &* 10 &+ UInt64($0) }
    let digits = position - firstDigit
    if digits > 1 && bytes[firstDigit] == UInt8(ascii: "0") {
      throw JSONError(offset: firstDigit, reason: .leadingZero)
    }
    var isWhole = true
    if position < end && bytes[position] == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try scanDigits()
    }
    if position < end && bytes[position] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if position < end && (bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")) {
        position += 1
      }
      try scanDigits()
    }
    // Nineteen digits fit 64 unsigned bits, so the magnitude above did not wrap.
    guard isWhole && digits <= 19, let integer = Self.integer(magnitude, isNegative: isNegative) else { return .number }
    return .integer(integer)
  }

  private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude == 0 || magnitude > Int64.min.magnitude ? nil : Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  /// Moves past one digit or more.
  private mutating func scanDigits(_ use: (UInt8) -> Void = { _ in }) throws(JSONError) {
    let first = position
    while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      use(digit)
      position += 1
    }
    guard position > first else {
      throw JSONError(offset: position, reason: position == end ? .endOfInput : .expected(.digit))
    }
  }

  mutating func scanLiteral(_ literal: String, _ expected: JSONError.Expected) throws(JSONError) {
    for byte in literal.utf8 {
      guard position < end else { throw JSONError(offset: end, reason: .endOfInput) }
      guard bytes[position] == byte else { throw JSONError(offset: position, reason: .expected(expected)) }
      position += 1
    }
  }

  /// The character that the escape at `index` (its backslash) stands for, and where the escape ends.
  func escape(at index: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
    guard index + 1 < end else { throw JSONError(offset: end, reason: .endOfInput) }
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
      guard index + offset < end else { throw JSONError(offset: end, reason: .endOfInput) }
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
      guard position < end else { throw JSONError(offset: end, reason: .endOfInput) }
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
  private func endOfSequence(at index: Int) throws(JSONError) -> Int {
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
      guard position < end else { throw JSONError(offset: end, reason: .endOfInput) }
      let allowed = position == index + 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[position]) else { throw JSONError(offset: index, reason: .invalidUTF8) }
    }
    return index + length
  }
}

extension RawSpan {
  /// The first byte from `index` on that a string cannot hold unseen (a quote, a backslash, a control character, or a
  /// byte of a longer UTF-8 sequence), or `end`.
  func plainEnd(from index: Int, to end: Int) -> Int {
    var index = index
    while end - index >= 8 {
      // The load checks its bounds; unsafe is only its choice of type, and every bit pattern is a UInt64.
      let word = UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = Self.specialBytes(of: word)
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end {
      let byte = unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
      index += 1
    }
    return end
  }

  /// Eight bytes at once: the lowest bit set is bit 7 of the first special byte; zero when there is none.
  ///
  /// Subtracting borrows into the top bit exactly where the byte was below the subtrahend; a borrow that reaches a
  /// neighbour comes from a special byte below it, so the lowest bit is always right.
  private static func specialBytes(of word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
    let backslashes = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
    let controls = word &- (ones &* 0x20)
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }
}
