/// Base64 with padding, RFC 4648 section 4.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[Int(bits >> (18 - 6 * digit) & 63)] : padding)
      }
    }
    return text
  }

  /// The bytes that `text` stands for; nil when it is not exactly what `encode` would have written.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var paddings = 0
    for character in text {
      if character == padding {
        paddings += 1
        bits <<= 6
      } else {
        let digit = digitValues[Int(character)]
        guard digit < 64, paddings == 0 else { return nil }
        bits = bits << 6 | UInt32(digit)
      }
      digits += 1
      guard digits % 4 == 0 else { continue }
      for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
      bits = 0
    }
    guard paddings <= 2, bytes.suffix(paddings).allSatisfy({ $0 == 0 }) else { return nil }
    bytes.removeLast(paddings)
    // What a last digit holds beyond its byte must be zero, or two texts would mean the same bytes.
    return paddings > 0 && !encode(Array(bytes.suffix(3 - paddings))).elementsEqual(text.suffix(4)) ? nil : bytes
  }

  private static let padding = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each digit by its character; 64 for every other byte.
  private static let digitValues: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
