extension RawSpan {
  /// The first byte from `index` on that a string cannot hold unseen (a quote, a backslash, a control character, or a
  /// byte of a longer UTF-8 sequence), or `end`.
  @inline(__always)
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

extension JSON {
  /// Whether `bytes` are UTF-8, and so can stand in a JSON string.
  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let input = JSONInput(bytes: bytes, end: bytes.count)
    let span = bytes.span
    var index = 0
    while true {
      index = unsafe span.bytes.plainEnd(from: index, to: bytes.count)
      guard index < bytes.count else { return true }
      if span[index] < 0x80 {
        index += 1
      } else if let end = try? input.endOfSequence(at: index) {
        index = end
      } else {
        return false
      }
    }
  }
}
