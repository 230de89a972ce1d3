/// The MD5 digest of RFC 1321, for the places where a vendor's wire format asks for it. No protection against anyone.
///
/// ```swift
/// MD5.hexDigest(of: Array("abc".utf8))  // "900150983cd24fb0d6963f7d28e17f72"
/// ```
package enum MD5 {
  /// The 16 bytes of the digest.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    var state = State()
    let whole = message.count - message.count % 64
    for start in stride(from: 0, to: whole, by: 64) { state.add(message.span.extracting(start..<start + 64)) }
    let rest = message[whole...] + padding(after: message.count)
    let last = Array(rest)
    for start in stride(from: 0, to: last.count, by: 64) { state.add(last.span.extracting(start..<start + 64)) }
    return state.bytes
  }

  /// The digest as 32 lower-case hexadecimal digits.
  package static func hexDigest(of message: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = digest(of: message).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Sections 3.1 and 3.2: a one bit, zeros up to 56 bytes modulo 64, the length in bits as 64 little-endian bits.
  private static func padding(after count: Int) -> [UInt8] {
    let zeros = (119 - count % 64) % 64
    let bits = UInt64(count) &* 8
    return [0x80] + Array(repeating: 0, count: zeros) + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
  }
}

/// The four words that each block of 64 bytes changes.
private struct State {
  private var a: UInt32 = 0x6745_2301
  private var b: UInt32 = 0xEFCD_AB89
  private var c: UInt32 = 0x98BA_DCFE
  private var d: UInt32 = 0x1032_5476

  var bytes: [UInt8] {
    [a, b, c, d].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// Section 3.4, step 4: the four rounds over one block. Written out four steps at a time, as the RFC has them, because
  /// the words then stay in registers.
  mutating func add(_ block: Span<UInt8>) {
    let constants = sines
    let sines = constants.span
    precondition(block.count == 64 && sines.count == 64, "a block has 64 bytes, and there are 64 steps")
    var copy = self
    copy.round(block, sines, Round(sines: 0, first: 0, step: 1, shifts: (7, 12, 17, 22))) { b, c, d in d ^ b & (c ^ d) }
    copy.round(block, sines, Round(sines: 16, first: 1, step: 5, shifts: (5, 9, 14, 20))) { b, c, d in c ^ d & (b ^ c) }
    copy.round(block, sines, Round(sines: 32, first: 5, step: 3, shifts: (4, 11, 16, 23))) { b, c, d in b ^ c ^ d }
    copy.round(block, sines, Round(sines: 48, first: 0, step: 7, shifts: (6, 10, 15, 21))) { b, c, d in c ^ (b | ~d) }
    a &+= copy.a
    b &+= copy.b
    c &+= copy.c
    d &+= copy.d
  }

  @inline(__always)
  private mutating func round(
    _ block: Span<UInt8>, _ sines: Span<UInt32>, _ round: Round, _ mix: (UInt32, UInt32, UInt32) -> UInt32
  ) {
    var index = round.first
    var step = round.sines
    while step < round.sines + 16 {
      a = Self.turn(a &+ mix(b, c, d) &+ Self.word(index, of: block) &+ Self.sine(step, of: sines), round.shifts.0) &+ b
      index = (index + round.step) & 15
      d =
        Self.turn(d &+ mix(a, b, c) &+ Self.word(index, of: block) &+ Self.sine(step + 1, of: sines), round.shifts.1)
        &+ a
      index = (index + round.step) & 15
      c =
        Self.turn(c &+ mix(d, a, b) &+ Self.word(index, of: block) &+ Self.sine(step + 2, of: sines), round.shifts.2)
        &+ d
      index = (index + round.step) & 15
      b =
        Self.turn(b &+ mix(c, d, a) &+ Self.word(index, of: block) &+ Self.sine(step + 3, of: sines), round.shifts.3)
        &+ c
      index = (index + round.step) & 15
      step += 4
    }
  }

  @inline(__always)
  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word &<< count | word &>> (32 &- count) }

  @inline(__always)
  private static func word(_ index: Int, of block: Span<UInt8>) -> UInt32 {
    // The index is below 16 in a block of 64 bytes, and every bit pattern is a number.
    UInt32(littleEndian: unsafe block.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: UInt32.self))
  }

  /// - Precondition: `step` is below 64, as the four rounds above have it.
  @inline(__always)
  private static func sine(_ step: Int, of sines: Span<UInt32>) -> UInt32 { unsafe sines[unchecked: step] }
}

/// What the 16 steps of a round have in common: where they begin in the sines and in the block, how far apart their
/// words stand in it, and how far each of four turns its sum.
private struct Round {
  var sines: Int
  var first: Int
  var step: Int
  var shifts: (UInt32, UInt32, UInt32, UInt32)
}

/// The whole part of `4294967296 * abs(sin(i))` for i in 1...64, in radians (section 3.4).
private let sines: [UInt32] = [
  0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
  0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
  0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
  0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
  0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
  0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
  0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
  0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
]
