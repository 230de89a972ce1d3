/// 128 bits that stand for some bytes; fingerprints add up, so that one part of a sum can be exchanged for another.
///
/// Two different texts share one with a probability of about 2⁻¹²⁸, so equal fingerprints are taken for equal texts: a
/// million requests stay apart but for one chance in 10²⁶. Nothing here withstands an attacker, and none is written down.
struct Fingerprint: Hashable, Comparable, Sendable {
  private var bits: UInt128

  static let zero = Fingerprint(bits: 0)

  private init(bits: UInt128) { self.bits = bits }

  init(_ bytes: ArraySlice<UInt8>) { self = unsafe bytes.withUnsafeBytes { unsafe Fingerprint($0) } }

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// One fingerprint for each range.
  static func all(of ranges: some Collection<Range<Int>>, in bytes: [UInt8]) -> [Fingerprint] {
    unsafe bytes.withUnsafeBytes { buffer in
      ranges.map { unsafe Fingerprint(UnsafeRawBufferPointer(rebasing: buffer[$0])) }
    }
  }

  private init(_ buffer: UnsafeRawBufferPointer) {
    var mixer = Mixer(count: buffer.count)
    let whole = buffer.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      unsafe mixer.mix(buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var tail: UInt64 = 0
    for index in whole..<buffer.count { unsafe tail = tail << 8 | UInt64(buffer[index]) }
    mixer.mix(tail)
    bits = mixer.finish()
  }

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
  private var high: UInt64 = 0x452821E6_38D01377

  init(count: Int) { low = 0x243F6A88_85A308D3 ^ UInt64(truncatingIfNeeded: count) }

  @inline(__always)
  mutating func mix(_ word: UInt64) {
    low = Self.fold(low ^ word, 0x9E3779B9_7F4A7C15)
    high = Self.fold(high ^ word, 0xC2B2AE3D_27D4EB4F) &+ low
  }

  mutating func finish() -> UInt128 {
    mix(high)
    return UInt128(high) << 64 | UInt128(low)
  }

  @inline(__always)
  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
