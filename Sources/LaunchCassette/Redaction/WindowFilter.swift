import LaunchJSON

/// Which six bytes may be in a table, with few bytes of a text looked at.
///
/// Six bytes in a row hold four that begin at a multiple of three. So of each six bytes in the table all three fours have a
/// bit, and a text is looked up four bytes in every three.
struct WindowFilter: Sendable {
  /// For each hash 1 when some key has it, else 0; a power of two of them. A byte each is faster to look at than a bit.
  private var marks: [UInt8]
  /// How far a hash is shifted to be the number of a mark.
  private let shift: UInt32

  init() { self.init([]) }

  /// A filter for these keys and about as many more.
  init(_ keys: some Collection<UInt64>) {
    var count = 1 << 14
    while keys.count * 16 > count, count < 1 << 24 { count *= 2 }
    marks = [UInt8](repeating: 0, count: count)
    shift = UInt32(32 - count.trailingZeroBitCount)
    for key in keys { insert(key) }
  }

  /// Whether so many keys let too much through.
  func isFull(of count: Int) -> Bool { count * 16 > marks.count && marks.count < 1 << 24 }

  mutating func insert(_ key: UInt64) {
    for offset in [0, 8, 16] as [UInt64] { marks[slot(key >> offset)] = 1 }
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
    let marks = marks.span
    let end = range.upperBound
    // Once, for all of the words below.
    precondition(range.lowerBound >= 0 && end <= bytes.count)
    var index = range.lowerBound
    let lastWord = end - 8
    while index <= lastWord {
      // Two fours, three bytes apart.
      let word = bytes.word(at: index) | 0x2020_2020_2020_2020
      let (first, second) = (mark(word, marks), mark(word >> 24, marks))
      if first | second != 0 {
        if first != 0, !visitKeys(around: index, in: text, range, marks, visit) { return }
        if second != 0, !visitKeys(around: index + 3, in: text, range, marks, visit) { return }
      }
      index &+= 6
    }
    while index + 4 <= end {
      let mark = mark(Self.key(of: text, at: index, count: 4), marks)
      if mark != 0, !visitKeys(around: index, in: text, range, marks, visit) { return }
      index += 3
    }
  }

  /// The three sixes that hold the four at `index`.
  @inline(never)
  private func visitKeys(
    around index: Int, in text: [UInt8], _ range: Range<Int>, _ marks: Span<UInt8>,
    _ visit: (_ place: Int, _ key: UInt64) -> Bool
  ) -> Bool {
    for place in max(range.lowerBound, index - 2)...index where place + 6 <= range.upperBound {
      let key = Self.key(of: text, at: place)
      let isKnown = mark(key, marks) & mark(key >> 8, marks) & mark(key >> 16, marks)
      if isKnown != 0, !visit(place, key) { return false }
    }
    return true
  }

  /// 1 when some key has the lowest four of these bytes, else 0.
  @inline(__always)
  private func mark(_ part: UInt64, _ marks: Span<UInt8>) -> UInt8 {
    // The shift leaves no more than the number of one of the marks.
    unsafe marks[unchecked: slot(part)]
  }

  @inline(__always)
  private func slot(_ part: UInt64) -> Int {
    Int(truncatingIfNeeded: (UInt32(truncatingIfNeeded: part) &* 0x9E37_79B1) &>> shift)
  }
}

extension [UInt8] {
  /// Whether the byte is among these.
  func holds(_ byte: UInt8) -> Bool { holds(byte, in: indices) }

  /// Whether the byte stands in the range.
  func holds(_ byte: UInt8, in range: Range<Int>) -> Bool { firstPlace(of: byte, in: range) != nil }

  /// Where in the range the byte stands first.
  func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? { firstPlace(of: byte, byte, byte, in: range) }

  /// Where in the range one of three bytes stands first. They are looked for in 32 bytes at once.
  @inline(__always)
  func firstPlace(of first: UInt8, _ second: UInt8, _ third: UInt8, in range: Range<Int>) -> Int? {
    let text = span
    // Once, for all of the words below.
    precondition(range.lowerBound >= 0 && range.upperBound <= text.count)
    var index = range.lowerBound
    while index + 32 <= range.upperBound {
      let blockEnd = index + 32
      if text.mayHold(first, second, third, at: index) {
        while index < blockEnd {
          let places = text.word(at: index).places(of: first, second, third)
          if places != 0 { return index + places.trailingZeroBitCount / 8 }
          index += 8
        }
      }
      index = blockEnd
    }
    while index + 8 <= range.upperBound {
      let places = text.word(at: index).places(of: first, second, third)
      if places != 0 { return index + places.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound {
      let byte = text[index]
      if byte == first || byte == second || byte == third { return index }
      index += 1
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether one of the three may be among the 32 bytes at `index`. Bytes beyond ASCII may look like them.
  /// - Precondition: `index` and the 31 behind it are indices of the span.
  @inline(__always)
  fileprivate func mayHold(_ first: UInt8, _ second: UInt8, _ third: UInt8, at index: Int) -> Bool {
    // Every bit pattern is four numbers.
    let block = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD4<UInt64>.self)
    let marks = block.marks(of: first) | block.marks(of: second) | block.marks(of: third)
    let folded = marks.lowHalf | marks.highHalf
    return (folded[0] | folded[1]) & 0x8080_8080_8080_8080 != 0
  }
}

extension SIMD4<UInt64> {
  /// The highest bit of each byte that equals `byte`, besides others.
  @inline(__always)
  fileprivate func marks(of byte: UInt8) -> Self {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (self ^ Self(repeating: ones &* UInt64(byte))) &- Self(repeating: ones)
  }
}

extension UInt64 {
  /// Of eight bytes: the lowest bit set is the highest one of the first byte that equals `byte`; zero when none does.
  @inline(__always)
  fileprivate func places(of byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let rest = self ^ (ones &* UInt64(byte))
    // A byte that is zero borrows into its own top bit; a borrow that goes further comes from a zero below.
    return (rest &- ones) & ~rest & (ones &* 0x80)
  }

  /// The same for three bytes.
  @inline(__always)
  fileprivate func places(of first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt64 {
    places(of: first) | places(of: second) | places(of: third)
  }
}
