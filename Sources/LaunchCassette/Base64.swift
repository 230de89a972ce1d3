/// Base64 with padding, RFC 4648 section 4.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    encode(bytes, into: &text)
    return text
  }

  /// Appends the text for `bytes`.
  static func encode(_ bytes: [UInt8], into text: inout [UInt8]) {
    let whole = bytes.count - bytes.count % 3
    for start in stride(from: 0, to: whole, by: 3) {
      let bits = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
      text.append(alphabet[Int(bits >> 18)])
      text.append(alphabet[Int(bits >> 12 & 63)])
      text.append(alphabet[Int(bits >> 6 & 63)])
      text.append(alphabet[Int(bits & 63)])
    }
    guard whole < bytes.count else { return }
    let isOne = bytes.count - whole == 1
    let bits = UInt32(bytes[whole]) << 16 | (isOne ? 0 : UInt32(bytes[whole + 1]) << 8)
    text.append(alphabet[Int(bits >> 18)])
    text.append(alphabet[Int(bits >> 12 & 63)])
    text.append(isOne ? padding : alphabet[Int(bits >> 6 & 63)])
    text.append(padding)
  }

  /// How many bytes `text` stands for; nil when it is not exactly what `encode` would have written.
  static func decodedCount(_ text: some Collection<UInt8>) -> Int? {
    let count = text.count
    guard count % 4 == 0 else { return nil }
    var digits = 0
    var last: UInt8 = 0
    for character in text {
      let digit = digitValues[Int(character)]
      guard digit < 64 else { break }
      last = digit
      digits += 1
    }
    let paddings = count - digits
    guard paddings <= 2, text.suffix(paddings).allSatisfy({ $0 == padding }) else { return nil }
    // What a last digit holds beyond its byte must be zero, or two texts would mean the same bytes.
    guard last & [0, 0b11, 0b1111][paddings] == 0 || paddings == 0 else { return nil }
    return count / 4 * 3 - paddings
  }

  /// The bytes that `text` stands for; nil when it is not exactly what `encode` would have written.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard let count = decodedCount(text) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 2)
    var bits: UInt32 = 0
    var digits = 0
    for character in text {
      bits = bits << 6 | UInt32(digitValues[Int(character)] & 63)
      digits += 1
      guard digits % 4 == 0 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      bytes.append(UInt8(truncatingIfNeeded: bits))
    }
    bytes.removeLast(bytes.count - count)
    return bytes
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
