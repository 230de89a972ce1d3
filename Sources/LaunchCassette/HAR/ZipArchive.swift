/// The directory of a zip file (APPNOTE.TXT of PKWARE, sections 4.3 and 4.4), and its members on demand.
struct ZipArchive {
  /// Why an archive or one of its members cannot be read: one sentence without a full stop.
  struct Failure: Error, Hashable {
    var message: String
  }

  private struct Entry {
    var name: String
    var method: Int
    var flags: Int
    var checksum: UInt32
    var compressed: Int
    var size: Int
    var header: Int
  }

  private let bytes: [UInt8]
  private let entries: [Entry]

  /// Whether bytes begin as a zip file does.
  static func isZip(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Reads the directory.
  /// - Throws: `Failure` for a damaged file, and for one over several volumes or in the zip64 format.
  init(_ bytes: [UInt8]) throws(Failure) {
    self.bytes = bytes
    guard let end = Self.endRecord(in: bytes), let count = bytes.number(at: end + 10, 2),
      let size = bytes.number(at: end + 12, 4), var position = bytes.number(at: end + 16, 4)
    else { throw Failure(message: "the zip file has no directory at its end; it is damaged or cut off") }
    guard count != 0xFFFF, size != 0xFFFF_FFFF, position != 0xFFFF_FFFF else { throw Self.zip64 }
    var entries: [Entry] = []
    for _ in 0..<count {
      guard bytes.number(at: position, 4) == 0x0201_4B50, let flags = bytes.number(at: position + 8, 2),
        let method = bytes.number(at: position + 10, 2), let checksum = bytes.number(at: position + 16, 4),
        let compressed = bytes.number(at: position + 20, 4), let size = bytes.number(at: position + 24, 4),
        let nameLength = bytes.number(at: position + 28, 2), let extraLength = bytes.number(at: position + 30, 2),
        let commentLength = bytes.number(at: position + 32, 2), let header = bytes.number(at: position + 42, 4),
        position + 46 + nameLength <= bytes.count
      else { throw Failure(message: "the directory of the zip file is damaged") }
      guard compressed != 0xFFFF_FFFF, size != 0xFFFF_FFFF, header != 0xFFFF_FFFF else { throw Self.zip64 }
      let name = String(decoding: bytes[position + 46..<position + 46 + nameLength], as: UTF8.self)
      entries.append(
        Entry(
          name: name, method: method, flags: flags, checksum: UInt32(truncatingIfNeeded: checksum),
          compressed: compressed, size: size, header: header))
      position += 46 + nameLength + extraLength + commentLength
    }
    self.entries = entries
  }

  /// In the order of the directory.
  var names: [String] { entries.map(\.name) }

  /// The content of the member `name`; nil when there is none.
  /// - Parameter inflate: Undoes raw deflate (RFC 1951); nil when it cannot.
  /// - Throws: `Failure` for an encrypted or damaged member, one over `contentLimit` when inflated, and for a compression
  ///   other than deflate.
  func content(of name: String, inflate: ([UInt8]) -> [UInt8]?) throws(Failure) -> [UInt8]? {
    guard let entry = entries.first(where: { $0.name == name }) else { return nil }
    guard entry.flags & 1 == 0 else { throw Failure(message: "\(name) in the zip file is encrypted") }
    let damaged = Failure(message: "\(name) in the zip file is damaged")
    guard bytes.number(at: entry.header, 4) == 0x0403_4B50, let nameLength = bytes.number(at: entry.header + 26, 2),
      let extraLength = bytes.number(at: entry.header + 28, 2)
    else { throw damaged }
    let start = entry.header + 30 + nameLength + extraLength
    guard start <= bytes.count, entry.compressed <= bytes.count - start else { throw damaged }
    let stored = Array(bytes[start..<start + entry.compressed])
    let content: [UInt8]
    switch entry.method {
    case 0: content = stored
    case 8:
      guard entry.size <= Self.contentLimit else {
        throw Failure(
          message:
            "\(name) in the zip file is larger than \(Self.contentLimit >> 20) MiB; unpack it first, if it is no bomb")
      }
      guard let inflated = inflate(stored) else { throw damaged }
      content = inflated
    default: throw Failure(message: "\(name) in the zip file is compressed by method \(entry.method), not by deflate")
    }
    guard content.count == entry.size, content.crc32 == entry.checksum else { throw damaged }
    return content
  }

  /// What decoders give at most, which a few bytes of a zip file can make gigabytes of.
  static let contentLimit = 256 << 20

  private static let zip64 = Failure(message: "the zip file is in the zip64 format, which is not read; unpack it first")

  /// Where the end record begins; a comment of up to 64 KiB may follow it.
  private static func endRecord(in bytes: [UInt8]) -> Int? {
    guard bytes.count >= 22 else { return nil }
    let last = bytes.count - 22
    return (max(0, last - 0xFFFF)...last).last {
      bytes[$0] == 0x50 && bytes.number(at: $0, 4) == 0x0605_4B50
        && bytes.number(at: $0 + 20, 2).map { [end = $0 + 22] in end + $0 <= bytes.count } ?? false
    }
  }
}

extension [UInt8] {
  /// The little-endian number of so many bytes, up to four; nil where the bytes end.
  fileprivate func number(at offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= count - width else { return nil }
    return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The checksum of zip and gzip (ISO 3309, RFC 1952 section 8).
  var crc32: UInt32 {
    ~reduce(~0) { crc32Table[Int(truncatingIfNeeded: ($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }
}

private let crc32Table: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
}
