/// Reads without a check of bounds, for callers that have compared the index with an end already, as a parser always
/// does. Nowhere else does reading JSON or a cassette leave that check out.
extension Span<UInt8> {
  /// - Precondition: `index` is one of the span's.
  @inlinable @inline(__always)
  package func byte(at index: Int) -> UInt8 { unsafe self[unchecked: index] }

  /// Eight bytes as a number, the first one lowest.
  /// - Precondition: `index` and the seven behind it are indices of the span.
  @inlinable @inline(__always)
  package func word(at index: Int) -> UInt64 {
    // Every bit pattern is a number.
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// The first byte from `index` on that a string cannot hold unseen (a quote, a backslash, a control character, or a
  /// byte of a longer UTF-8 sequence), or `end`.
  /// - Precondition: `index` is not negative, and `end` is not more than the span's count.
  @inlinable @inline(__always)
  package func plainEnd(from index: Int, to end: Int) -> Int {
    var index = index
    while end - index >= 8 {
      let special = Self.specialBytes(of: word(at: index))
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, case let byte = byte(at: index), byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""),
      byte != UInt8(ascii: "\\")
    {
      index += 1
    }
    return index
  }

  /// Eight bytes at once: the lowest bit set is bit 7 of the first special byte; zero when there is none.
  ///
  /// Subtracting borrows into the top bit exactly where the byte was below the subtrahend; a borrow that reaches a
  /// neighbour comes from a special byte below it, so the lowest bit is always right.
  @inlinable @inline(__always)
  package static func specialBytes(of word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
    let backslashes = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
    let controls = word &- (ones &* 0x20)
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// How many bytes the UTF-8 sequence at `index` has; 0 where none of two or more stands (Unicode 16.0 table 3-7).
  /// - Precondition: `index` and the three behind it are indices of the span.
  package func sequenceCount(at index: Int) -> Int {
    let (first, second) = (byte(at: index), byte(at: index + 1))
    let third = byte(at: index + 2) & 0xC0 == 0x80
    let fourth = byte(at: index + 3) & 0xC0 == 0x80
    switch (first, second) {
    case (0xC2...0xDF, 0x80...0xBF): return 2
    case (0xE0, 0xA0...0xBF), (0xED, 0x80...0x9F), (0xE1...0xEC, 0x80...0xBF), (0xEE...0xEF, 0x80...0xBF):
      return third ? 3 : 0
    case (0xF0, 0x90...0xBF), (0xF1...0xF3, 0x80...0xBF), (0xF4, 0x80...0x8F): return third && fourth ? 4 : 0
    default: return 0
    }
  }
}

extension JSON {
  /// Whether `bytes` are UTF-8, and so can stand in a JSON string.
  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let input = JSONInput(bytes: bytes, end: bytes.count)
    let span = bytes.span
    var index = 0
    while true {
      index = span.plainEnd(from: index, to: bytes.count)
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
