/// Values made from parts of one text, made once for parts that are equal: what a recording repeats a thousand times is
/// held once.
///
/// A small memory, not a dictionary: a place holds the last part that hashed to it, so no text makes it slow or large.
struct PartTable<Value> {
  private struct Entry {
    var range: Range<Int>
    var value: Value
  }

  private var entries: [Entry?] = []
  private var additions = 0
  private static var smallest: Int { 64 }
  private static var largest: Int { 4096 }

  /// The value made from a part with the same bytes as the one at `range`, if it is remembered.
  @inline(__always)
  func value(at range: Range<Int>, hash: UInt64, in text: Span<UInt8>) -> Value? {
    guard !entries.isEmpty, let entry = entries[place(of: hash)] else { return nil }
    return text.isEqual(entry.range, range) ? entry.value : nil
  }

  /// Remembers the value made from the part at `range`.
  mutating func add(_ value: Value, at range: Range<Int>, hash: UInt64) {
    if additions == entries.count, entries.count < Self.largest {
      // What is forgotten here is soon made again.
      entries = Array(repeating: nil, count: max(entries.count * 4, Self.smallest))
      additions = 0
    }
    additions += 1
    entries[place(of: hash)] = Entry(range: range, value: value)
  }

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (entries.count - 1) }
}

extension Span<UInt8> {
  /// A number that is nearly always another for other bytes.
  func hash(of range: Range<Int>) -> UInt64 {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = UInt64(truncatingIfNeeded: range.count) &* factor
    var index = range.lowerBound
    while range.upperBound - index >= 8 {
      hash = (hash ^ word(at: index)) &* factor
      hash ^= hash >> 29
      index += 8
    }
    while index < range.upperBound {
      hash = (hash ^ UInt64(self[index])) &* factor
      index += 1
    }
    return hash ^ hash >> 32 &* factor
  }

  func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    var offset = 0
    while left.count - offset >= 8 {
      guard word(at: left.lowerBound + offset) == word(at: right.lowerBound + offset) else { return false }
      offset += 8
    }
    while offset < left.count {
      guard self[left.lowerBound + offset] == self[right.lowerBound + offset] else { return false }
      offset += 1
    }
    return true
  }

  /// The first `byte` in the range, or the range's end.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pattern = ones &* UInt64(byte)
    var index = range.lowerBound
    while range.upperBound - index >= 8 {
      // Of a word's bytes that are zero, the lowest one is found right: a borrow only ever comes from a zero byte below.
      let difference = word(at: index) ^ pattern
      let zeros = (difference &- ones) & ~difference & (ones &* 0x80)
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound, self[index] != byte { index += 1 }
    return index
  }

  /// The load checks its bounds; unsafe is only its choice of type, and every bit pattern is a number.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}
