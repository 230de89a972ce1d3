import LaunchHTTP

/// Looks into compressed content for secrets, and packs up again what could be redacted.
///
/// ```swift
/// var redactor = Redactor(rules: .builtIn, unpacker: unpacker)
/// ```
///
/// The codecs are given by whoever composes a recording, as they come from libraries that not every platform has.
public struct Unpacker: Sendable {
  /// What could be decoded.
  public struct Content: Hashable, Sendable {
    /// How far the decoding got.
    public enum Reach: Hashable, Sendable {
      /// To the end of the encoding.
      case whole
      /// To the end of the bytes, and all they hold is in the content.
      case cut
      /// To a fault in the encoding, or to the limit.
      case part
    }

    public var bytes: [UInt8]
    public var reach: Reach

    public init(_ bytes: [UInt8], reach: Reach) {
      self.bytes = bytes
      self.reach = reach
    }
  }

  /// Decodes bytes by the value of a Content-Encoding field, as far as that goes and up to `limit` bytes of content; nil
  /// for an encoding it does not know.
  public typealias Decode = @Sendable (_ bytes: [UInt8], _ encoding: String, _ limit: Int) -> Content?
  /// Encodes content by the value of a Content-Encoding field; nil when it cannot.
  public typealias Encode = @Sendable (_ content: [UInt8], _ encoding: String) -> [UInt8]?

  let decode: Decode
  let encode: Encode

  public init(decode: @escaping Decode, encode: @escaping Encode) {
    self.decode = decode
    self.encode = encode
  }

  /// What stands in bytes, and in what stands in them.
  struct Findings {
    /// None of them empty; the last bytes of a cut one may be missing.
    var contents: [Content] = []
    /// Whether somebody else may decode more than could be looked at.
    var hasHiddenPart = false
  }

  /// All content is looked at, in whatever it is packed, up to so many bytes.
  static let limit = 64 << 20
  /// A decoder that meets a limit may stop so much before it.
  private static let pieceBytes = 64 << 10
  /// Nobody packs more often.
  private static let depthLimit = 4

  /// What is packed in `bytes`.
  /// - Parameter isEncoded: Whether something says that they are in an encoding. If not, only bytes that begin like one are.
  func findings(in bytes: [UInt8], isEncoded: Bool) -> Findings {
    var findings = Findings()
    var room = Self.limit
    look(into: bytes, isEncoded: isEncoded, depth: 0, &room, &findings)
    return findings
  }

  private func look(
    into bytes: [UInt8], isEncoded: Bool, depth: Int, _ room: inout Int, _ findings: inout Findings
  ) {
    let signature = PackedFormat(of: bytes)
    guard depth < Self.depthLimit else {
      findings.hasHiddenPart = findings.hasHiddenPart || signature != nil
      return
    }
    let formats = signature.map { [$0] } ?? (isEncoded ? [.brotli, .deflate] : [])
    for format in formats {
      guard let content = decode(bytes, format.encoding, room) else { continue }
      // Zstandard keeps up to 128 KiB to itself until the last byte of a block is there (RFC 8878 section 3.1.1.2.3).
      if content.reach == .part, format == .zstd || content.bytes.count > room - Self.pieceBytes {
        findings.hasHiddenPart = true
      }
      room -= content.bytes.count
      guard !content.bytes.isEmpty else { continue }
      findings.contents.append(content)
      let isBinary = String(validating: content.bytes.prefix(16), as: UTF8.self) == nil
      look(into: content.bytes, isEncoded: isBinary, depth: depth + 1, &room, &findings)
    }
  }
}

/// The formats that compressed content comes in.
enum PackedFormat {
  case gzip, zlib, zstd
  /// These two begin with anything.
  case brotli, deflate

  /// The format that bytes begin like (RFC 1952 section 2.3.1, RFC 1950 section 2.2, RFC 8878 section 3.1); nil for none.
  init?(of bytes: [UInt8]) {
    guard bytes.count > 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x1F, 0x8B): self = .gzip
    case (0x28, 0xB5) where bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]): self = .zstd
    case (0x50...0x5F, 0x2A) where bytes.dropFirst(2).starts(with: [0x4D, 0x18]): self = .zstd
    case (let first, let second)
    where first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0: self = .zlib
    default: return nil
    }
  }

  /// As a Content-Encoding field names it.
  var encoding: String {
    switch self {
    case .gzip: "gzip"
    case .zlib, .deflate: "deflate"
    case .zstd: "zstd"
    case .brotli: "br"
    }
  }
}
