import LaunchHTTP

/// A gzip (RFC 1952) or zlib (RFC 1950) stream whose blocks are all stored, as compressors write what does not get smaller.
///
/// A secret stands in it as it is and is replaced on the spot; the checksum behind the content must then be made anew, or
/// nobody could decode the stream any more.
struct StoredStream {
  private enum Format { case gzip, zlib }

  private let format: Format
  /// Where the content of each block stands.
  private var blocks: [Range<Int>] = []
  /// Where the checksum stands.
  private let checksum: Range<Int>

  /// Nil for bytes that are no such stream, as nearly all are.
  init?(_ bytes: [UInt8]) {
    var place: Int
    switch (bytes.first, bytes.dropFirst().first) {
    case (0x1F, 0x8B):
      guard let start = bytes.endOfGzipHeader else { return nil }
      (format, place) = (.gzip, start)
    case (let first?, let second?)
    where first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0 && second & 0x20 == 0:
      (format, place) = (.zlib, 2)
    default: return nil
    }
    // A stored block begins at a whole byte: the mark of the last block, 00, and padding (RFC 1951 section 3.2.4).
    var isLast = false
    while !isLast {
      guard place + 5 <= bytes.count, bytes[place] & 0b110 == 0 else { return nil }
      isLast = bytes[place] & 1 == 1
      let length = Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
      let complement = Int(bytes[place + 3]) | Int(bytes[place + 4]) << 8
      place += 5
      guard length ^ complement == 0xFFFF, place + length <= bytes.count else { return nil }
      blocks.append(place..<place + length)
      place += length
    }
    guard place + 4 <= bytes.count else { return nil }
    checksum = place..<place + 4
    // What was broken before is not mended.
    guard bytes[checksum].elementsEqual(checksum(of: bytes)) else { return nil }
  }

  /// Makes the checksum anew for what the content of `bytes` has become.
  func seal(_ bytes: inout [UInt8]) { bytes.replaceSubrange(checksum, with: checksum(of: bytes)) }

  private func checksum(of bytes: [UInt8]) -> [UInt8] {
    let content = blocks.flatMap { bytes[$0] }
    switch format {
    case .gzip: return (0..<4).map { [sum = content.crc32] in UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    case .zlib: return (0..<4).map { [sum = content.adler32] in UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
    }
  }
}

extension [UInt8] {
  /// Where the blocks of a gzip stream begin (RFC 1952 section 2.3); nil where it is cut off.
  fileprivate var endOfGzipHeader: Int? {
    guard count > 10, self[2] == 8 else { return nil }
    let flags = self[3]
    var place = 10
    if flags & 0x04 != 0 {
      guard place + 2 <= count else { return nil }
      place += 2 + (Int(self[place]) | Int(self[place + 1]) << 8)
    }
    for flag in [0x08, 0x10] as [UInt8] where flags & flag != 0 {
      guard place < count, let end = self[place...].firstIndex(of: 0) else { return nil }
      place = end + 1
    }
    if flags & 0x02 != 0 { place += 2 }
    return place < count ? place : nil
  }

  /// The checksum of zlib (RFC 1950 section 8.2).
  fileprivate var adler32: UInt32 {
    var (sum, sums): (UInt32, UInt32) = (1, 0)
    for byte in self {
      sum = (sum + UInt32(byte)) % 65_521
      sums = (sums + sum) % 65_521
    }
    return sums << 16 | sum
  }
}
