/// 128 bits that stand for some bytes; fingerprints add up, so that one part of a sum can be exchanged for another.
///
/// Nothing compares the bytes again where two fingerprints are equal: they are taken for equal bytes. Each is mixed in two
/// lanes of 64 bits through full multiplications and differs in all 128 bits where the bytes differ in one, so two
/// different texts, or two different sums, share one with a probability of about 2⁻¹²⁸: a million requests stay apart but
/// for one chance in 10²⁶. Nothing here withstands an attacker who looks for two such texts; whoever can send requests to a
/// replay could as well send the recorded ones. None is ever written down.
struct Fingerprint: Hashable, Comparable, Sendable {
  private var bits: UInt128

  static var zero: Fingerprint { Fingerprint(bits: 0) }

  fileprivate init(bits: UInt128) { self.bits = bits }

  init(_ bytes: Span<UInt8>) { self.init(bytes, at: .zero, 0) }

  init(_ bytes: [UInt8]) { self.init(bytes.span) }

  init(_ text: String) { self.init(text, at: .zero, 0) }

  init(_ text: String, at context: Fingerprint, _ kind: UInt8) {
    var text = text
    self = text.withUTF8 { unsafe Fingerprint(Span(_unsafeElements: $0), at: context, kind) }
  }

  /// Of bytes in a context: equal only when context, kind and bytes are.
  init(_ bytes: Span<UInt8>, at context: Fingerprint, _ kind: UInt8) {
    var mixer = Mixer(context)
    mixer.mix(UInt64(truncatingIfNeeded: bytes.count) << 8 | UInt64(kind))
    unsafe mixer.mix(bytes.bytes)
    self = mixer.finish()
  }

  /// Of a number in a context; never that of bytes.
  init(_ number: Int, at context: Fingerprint = .zero) {
    var mixer = Mixer(context)
    mixer.mix(.max)
    mixer.mix(UInt64(truncatingIfNeeded: number))
    self = mixer.finish()
  }

  /// Of this one and then `next`, which comes for the `occurrence`-th time.
  func followed(by next: Fingerprint, occurrence: Int) -> Fingerprint {
    var mixer = Mixer(self)
    mixer.mix(next.low)
    mixer.mix(next.high)
    mixer.mix(UInt64(truncatingIfNeeded: occurrence))
    return mixer.finish()
  }

  fileprivate var low: UInt64 { UInt64(truncatingIfNeeded: bits) }
  fileprivate var high: UInt64 { UInt64(truncatingIfNeeded: bits >> 64) }

  /// Half of the bits, to find it in a table by.
  var word: Int { Int(truncatingIfNeeded: low) }

  /// One of 64 bits.
  var bit: UInt64 { 1 << (low & 63) }

  /// Half of the bits tell a dictionary's few apart; equality looks at all.
  func hash(into hasher: inout Hasher) { hasher.combine(low) }

  static func + (left: Fingerprint, right: Fingerprint) -> Fingerprint { Fingerprint(bits: left.bits &+ right.bits) }
  static func - (left: Fingerprint, right: Fingerprint) -> Fingerprint { Fingerprint(bits: left.bits &- right.bits) }
  static func < (left: Fingerprint, right: Fingerprint) -> Bool { left.bits < right.bits }
}

extension Fingerprint: CustomStringConvertible {
  var description: String { String(bits, radix: 16) }
}

/// Two lanes of multiply and fold: the two halves of a full product are xored.
private struct Mixer {
  private var low: UInt64
  private var high: UInt64

  @inline(__always)
  init(_ seed: Fingerprint) {
    low = seed.low ^ 0x243F6A88_85A308D3
    high = seed.high ^ 0x452821E6_38D01377
  }

  @inline(__always)
  mutating func mix(_ word: UInt64) {
    low = Self.fold(low ^ word, 0x9E3779B9_7F4A7C15)
    high = Self.fold(high ^ word, 0xC2B2AE3D_27D4EB4F) &+ low
  }

  /// Mixes bytes whose number is mixed already: the last word may hold some for a second time.
  @inline(__always)
  mutating func mix(_ bytes: RawSpan) {
    let count = bytes.byteCount
    var offset = 0
    while count - offset > 8 {
      mix(Self.word(bytes, offset))
      offset += 8
    }
    switch count {
    case 8...: mix(Self.word(bytes, count - 8))
    case 4...7: mix(Self.halfWord(bytes, 0) << 32 | Self.halfWord(bytes, count - 4))
    case 1...3: mix(Self.byte(bytes, 0) << 16 | Self.byte(bytes, count / 2) << 8 | Self.byte(bytes, count - 1))
    default: break
    }
  }

  /// Each half depends on both lanes.
  @inline(__always)
  func finish() -> Fingerprint {
    let first = Self.fold(low &+ (high << 32 | high >> 32), 0x9FB21C65_1E98DF25)
    let second = Self.fold(high ^ first, 0xA0761D64_78BD642F) &+ low
    return Fingerprint(bits: UInt128(second) << 64 | UInt128(first))
  }

  // The loads check their bounds; unsafe is only their choice of type, and every bit pattern is a number.

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func halfWord(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
