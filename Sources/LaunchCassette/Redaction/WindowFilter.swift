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
  static func key(of text: [UInt8], at place: Int) -> UInt64 {
    var key: UInt64 = 0
    for offset in 0..<6 { key |= UInt64(text[place + offset] | 0x20) << UInt64(8 * offset) }
    return key
  }

  /// Every place in `text`, in order, where six bytes begin that may be in the table, and their key.
  func candidates(in text: [UInt8]) -> [(place: Int, key: UInt64)] {
    var candidates: [(place: Int, key: UInt64)] = []
    let bytes = unsafe text.span.bytes
    let end = text.count - 4
    var index = 0
    while index <= end {
      // The load checks its bounds; unsafe is only its choice of type, and every bit pattern is a UInt32.
      let word = unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
      if mayHold(UInt64(word | 0x2020_2020)) {
        for place in max(0, index - 2)...index where place + 6 <= text.count {
          let key = Self.key(of: text, at: place)
          if mayHold(key) { candidates.append((place, key)) }
        }
      }
      index += 3
    }
    return candidates
  }

  @inline(__always)
  private func mayHold(_ part: UInt64) -> Bool {
    let slot = slot(part)
    return bits[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  @inline(__always)
  private func slot(_ part: UInt64) -> Int { Int(truncatingIfNeeded: (part &* 0x9E37_79B9_7F4A_7C15) >> shift) }
}

extension [UInt8] {
  /// Whether the byte is among these; eight are looked at at once.
  func holds(_ byte: UInt8) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let wanted = ones &* UInt64(byte)
    let bytes = unsafe span.bytes
    var index = 0
    while index + 8 <= count {
      // The load checks its bounds; unsafe is only its choice of type, and every bit pattern is a UInt64.
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      // A byte that is zero borrows into its own top bit.
      let rest = word ^ wanted
      if (rest &- ones) & ~rest & (ones &* 0x80) != 0 { return true }
      index += 8
    }
    while index < count {
      if self[index] == byte { return true }
      index += 1
    }
    return false
  }
}
