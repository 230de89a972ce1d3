import LaunchJSON

/// Values made from parts of one text, made once for parts that are equal: what a recording repeats a thousand times is
/// held once.
///
/// A small memory, not a dictionary: a place holds the last part that hashed to it, so no text makes it slow or large.
struct PartTable<Value> {
  /// The parts that are remembered; an empty range where there is none. Apart from the values, so that looking costs nothing
  /// when nothing is found.
  private var ranges: [Range<Int>] = []
  private var values: [Value?] = []
  private var additions = 0
  private static var smallest: Int { 64 }
  private static var largest: Int { 2048 }

  /// The value made from a part with the same bytes as the one at `range`, if it is remembered.
  @inline(__always)
  func value(at range: Range<Int>, hash: UInt64, in text: Span<UInt8>) -> Value? {
    guard !ranges.isEmpty, case let place = place(of: hash), text.isEqual(ranges[place], range) else { return nil }
    return values[place]
  }

  /// Remembers the value made from the part at `range`.
  mutating func add(_ value: Value, at range: Range<Int>, hash: UInt64) {
    if additions == ranges.count, ranges.count < Self.largest {
      // What is forgotten here is soon made again.
      let count = max(ranges.count * 4, Self.smallest)
      ranges = Array(repeating: 0..<0, count: count)
      values = Array(repeating: nil, count: count)
      additions = 0
    }
    additions += 1
    ranges[place(of: hash)] = range
    values[place(of: hash)] = value
  }

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (ranges.count - 1) }
}

extension Span<UInt8> {
  /// A number that is nearly always another for other bytes.
  @inline(__always)
  func hash(of range: Range<Int>) -> UInt64 {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range reaches outside the bytes")
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = UInt64(truncatingIfNeeded: range.count) &* factor
    var index = range.lowerBound
    while range.upperBound - index >= 8 {
      hash = (hash ^ word(at: index)) &* factor
      hash ^= hash >> 29
      index += 8
    }
    hash = (hash ^ prefix(of: index..<range.upperBound)) &* factor
    return hash ^ hash >> 32
  }

  @inline(__always)
  func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    precondition(
      Swift.min(left.lowerBound, right.lowerBound) >= 0 && Swift.max(left.upperBound, right.upperBound) <= count,
      "a range reaches outside the bytes")
    var (first, second) = (left.lowerBound, right.lowerBound)
    while left.upperBound - first >= 8 {
      guard word(at: first) == word(at: second) else { return false }
      first += 8
      second += 8
    }
    return prefix(of: first..<left.upperBound) == prefix(of: second..<right.upperBound)
  }

  /// The first `byte` in the range, or the range's end.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
    let pattern = SIMD16<UInt8>(repeating: byte)
    var index = range.lowerBound
    while range.upperBound - index >= 16 {
      if any(block(at: index) .== pattern) { break }
      index += 16
    }
    while index < range.upperBound, self[index] != byte { index += 1 }
    return index
  }

  /// How often `byte` occurs.
  func count(of byte: UInt8) -> Int {
    let pattern = SIMD16<UInt8>(repeating: byte)
    var result = 0
    var index = 0
    while count - index >= 16 {
      var hits = SIMD16<UInt8>()
      // Before a lane can overflow.
      let stop = index + min(255 * 16, (count - index) / 16 * 16)
      while index < stop {
        hits &+= SIMD16<UInt8>().replacing(with: 1, where: block(at: index) .== pattern)
        index += 16
      }
      result += Int(SIMD16<UInt16>(truncatingIfNeeded: hits).wrappedSum())
    }
    while index < count {
      if self[index] == byte { result += 1 }
      index += 1
    }
    return result
  }

  @inline(__always)
  private func block(at index: Int) -> SIMD16<UInt8> {
    // Called where sixteen bytes are left; every bit pattern is a vector.
    unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// The first eight bytes of the range as a number, the first byte lowest; zeros where it is shorter.
  @inline(__always)
  func prefix(of range: Range<Int>) -> UInt64 {
    guard !range.isEmpty else { return 0 }
    if count - range.lowerBound >= 8 {
      let unused = UInt64(truncatingIfNeeded: Swift.max(0, 8 - range.count)) &* 8
      return (word(at: range.lowerBound) &<< unused) &>> unused
    }
    var word: UInt64 = 0
    for index in range.prefix(8).reversed() { word = word << 8 | UInt64(self[index]) }
    return word
  }
}
