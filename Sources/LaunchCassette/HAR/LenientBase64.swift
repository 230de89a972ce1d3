extension Base64 {
  /// The bytes that `text` stands for, read leniently: white space between the digits, missing padding and the alphabet
  /// for URLs are no mistakes. Nil when anything else stands there.
  static func decode(lenient text: some Sequence<UInt8>) -> [UInt8]? {
    var digits: [UInt8] = []
    var hasPadding = false
    for byte in text {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "="): hasPadding = true
      case _ where hasPadding: return nil
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      default: digits.append(byte)
      }
    }
    let rest = digits.count % 4
    guard rest != 1 else { return nil }
    let whole = digits.count - rest
    guard let bytes = decode(digits[..<whole]) else { return nil }
    guard rest > 0 else { return bytes }
    // Bits beyond the last byte do not count, so the last group is filled up with zero digits instead of padding.
    let group = digits[whole...] + [UInt8](repeating: UInt8(ascii: "A"), count: 4 - rest)
    return decode(group).map { bytes + $0.prefix(rest - 1) }
  }
}
