import LaunchJSON

/// Which six bytes may be in a table, with few bytes of a text looked at.
///
/// Six bytes in a row hold four that begin at a multiple of three. So of each six bytes in the table all three fours have a
/// bit, and a text is looked up four bytes in every three.
struct WindowFilter: Sendable {
  /// A bit for each hash, a power of two of them.
  private var bits: [UInt64]
  /// How far a hash is shifted to be the number of a bit.
  private let shift: UInt64

  init() { self.init([]) }

  /// A filter for these keys and about as many more.
  init(_ keys: some Collection<UInt64>) {
    var words = 1024
    while keys.count * 16 > words * 64 { words *= 2 }
    bits = [UInt64](repeating: 0, count: words)
    shift = UInt64(64 - (words * 64).trailingZeroBitCount)
    for key in keys { insert(key) }
  }

  /// Whether so many keys let too much through.
  func isFull(of count: Int) -> Bool { count * 16 > bits.count * 64 }

  mutating func insert(_ key: UInt64) {
    for part in [key, key & 0xFFFF_FFFF, key >> 8 & 0xFFFF_FFFF, key >> 16] {
      let slot = slot(part)
      bits[slot >> 6] |= 1 << UInt64(slot & 63)
    }
  }

  /// Six bytes without the letter case of ASCII.
  static func key(of text: [UInt8], at place: Int, count: Int = 6) -> UInt64 {
    var key: UInt64 = 0
    for offset in 0..<count { key |= UInt64(text[place + offset] | 0x20) << UInt64(8 * offset) }
    return key
  }

  /// Calls `visit` with every place in `range` of `text`, in order, where six bytes begin that may be in the table, and
  /// with their key, until it returns false.
  @inline(__always)
  func visitCandidates(in text: [UInt8], _ range: Range<Int>, _ visit: (_ place: Int, _ key: UInt64) -> Bool) {
    let bytes = text.span
    let bits = bits.span
    let end = range.upperBound
    var index = range.lowerBound
    while index + 8 <= end {
      // Two fours, three bytes apart.
      let word = bytes.word(at: index) | 0x2020_2020_2020_2020
      let isFirst = mayHold(word & 0xFFFF_FFFF, bits)
      let isSecond = mayHold(word >> 24 & 0xFFFF_FFFF, bits)
      if isFirst, !visitKeys(around: index, in: text, range, bits, visit) { return }
      if isSecond, !visitKeys(around: index + 3, in: text, range, bits, visit) { return }
      index += 6
    }
    while index + 4 <= end {
      if mayHold(Self.key(of: text, at: index, count: 4), bits), !visitKeys(around: index, in: text, range, bits, visit)
      {
        return
      }
      index += 3
    }
  }

  /// The three sixes that hold the four at `index`.
  @inline(__always)
  private func visitKeys(
    around index: Int, in text: [UInt8], _ range: Range<Int>, _ bits: Span<UInt64>,
    _ visit: (_ place: Int, _ key: UInt64) -> Bool
  ) -> Bool {
    for place in max(range.lowerBound, index - 2)...index where place + 6 <= range.upperBound {
      let key = Self.key(of: text, at: place)
      if mayHold(key, bits), !visit(place, key) { return false }
    }
    return true
  }

  @inline(__always)
  private func mayHold(_ part: UInt64, _ bits: Span<UInt64>) -> Bool {
    let slot = slot(part)
    // The shift leaves no more than the number of one of the bits.
    return unsafe bits[unchecked: slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  @inline(__always)
  private func slot(_ part: UInt64) -> Int { Int(truncatingIfNeeded: (part &* 0x9E37_79B9_7F4A_7C15) >> shift) }
}

extension [UInt8] {
  /// Whether the byte is among these.
  func holds(_ byte: UInt8) -> Bool { holds(byte, in: indices) }

  /// Whether the byte stands in the range.
  func holds(_ byte: UInt8, in range: Range<Int>) -> Bool {
    firstPlace(in: range) {
      $0.places(of: byte)
    } isByte: {
      $0 == byte
    } != nil
  }

  /// Where in the range the byte stands first.
  func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
    firstPlace(in: range) {
      $0.places(of: byte)
    } isByte: {
      $0 == byte
    }
  }

  /// Where in the range a byte stands first, which is looked for in eight bytes at once.
  /// - Parameter marks: The lowest bit that it sets is one of the first such byte; zero without any.
  @inline(__always)
  func firstPlace(in range: Range<Int>, marks: (UInt64) -> UInt64, isByte: (UInt8) -> Bool) -> Int? {
    let bytes = span
    // Once, for all of the words below.
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      let marked = marks(bytes.word(at: index))
      if marked != 0 { return index + marked.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound {
      if isByte(bytes[index]) { return index }
      index += 1
    }
    return nil
  }
}

extension UInt64 {
  /// Of eight bytes: the lowest bit set is the highest one of the first byte that equals `byte`; zero when none does.
  @inline(__always)
  func places(of byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let rest = self ^ (ones &* UInt64(byte))
    // A byte that is zero borrows into its own top bit; a borrow that goes further comes from a zero below.
    return (rest &- ones) & ~rest & (ones &* 0x80)
  }
}
