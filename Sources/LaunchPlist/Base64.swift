/// The Base64 of RFC 4648 section 4, with blanks anywhere, as property lists wrap it.
enum Base64 {
  /// Nil for other characters, wrong padding or bits behind the last byte.
  static func decode(_ text: Substring) -> [UInt8]? {
    let characters = text.utf8.filter { !$0.isXMLBlank }
    let digits = characters.prefix { $0 != UInt8(ascii: "=") }
    guard characters.count.isMultiple(of: 4), characters.count - digits.count <= 2,
      characters.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in digits {
      guard let digit = value(of: character) else { return nil }
      bits = (bits << 6 | digit) & 0xFFFF
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    guard bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
