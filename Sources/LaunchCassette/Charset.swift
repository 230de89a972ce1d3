import LaunchHTTP

/// A charset in which a body's text is kept readable in the file, though the body itself is not UTF-8.
///
/// Only charsets that a small table does, and only where encoding the text gives the body's very bytes back.
enum Charset: String, CaseIterable {
  case ascii = "us-ascii"
  case latin1 = "iso-8859-1"
  case windows1252 = "windows-1252"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"

  /// The charset that a `Content-Type` line and a body's first bytes name; nil for UTF-8, for none, and for one that no
  /// table is here for. Without a byte order mark, UTF-16 is big-endian (RFC 2781 section 4.3).
  init?(contentType: String, body: [UInt8]) {
    guard let label = Self.label(in: contentType) else { return nil }
    switch label {
    case "us-ascii", "ascii": self = .ascii
    case "iso-8859-1", "iso8859-1", "latin1", "l1": self = .latin1
    case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
    case "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "utf-16": self = body.starts(with: [0xFF, 0xFE]) ? .utf16LittleEndian : .utf16BigEndian
    default: return nil
    }
  }

  /// Whether it pairs every ASCII character with a zero, so that text in it may pass for UTF-8 and read badly.
  var isWide: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

  /// The text that `bytes` mean; nil where they mean none, or where encoding it would not give them back. A byte order
  /// mark stays, as the text's first character.
  func decode(_ bytes: [UInt8]) -> String? {
    switch self {
    case .ascii: bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    case .latin1: String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    case .windows1252: decodeWindows1252(bytes)
    case .utf16LittleEndian, .utf16BigEndian: decodeUTF16(bytes)
    }
  }

  /// The bytes of `text`; nil when a character has none.
  func encode(_ text: String) -> [UInt8]? {
    switch self {
    case .ascii: return text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : nil
    case .latin1: return bytes(of: text) { UInt8(exactly: $0.value) }
    case .windows1252: return bytes(of: text, Self.windows1252Byte)
    case .utf16LittleEndian: return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BigEndian: return text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
  }

  private func bytes(of text: String, _ byte: (Unicode.Scalar) -> UInt8?) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = byte(scalar) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private func decodeWindows1252(_ bytes: [UInt8]) -> String? {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      guard let scalar = Self.windows1252Scalar(byte) else { return nil }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private func decodeUTF16(_ bytes: [UInt8]) -> String? {
    guard bytes.count % 2 == 0 else { return nil }
    let high = self == .utf16BigEndian ? 0 : 1
    let units = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
    }
    return String(validating: units, as: UTF16.self)
  }

  /// The parameter `charset` of a media type, in lower case (RFC 9110 section 8.3.1).
  private static func label(in contentType: String) -> String? {
    for parameter in contentType.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, text(parts[0]) == "charset" else { continue }
      return text(parts[1])
    }
    return nil
  }

  /// In lower case, without white space and quotes around it.
  private static func text(_ part: Substring.UTF8View) -> String {
    String(decoding: part.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }.map(\.lowercasedASCII), as: UTF8.self)
  }

  private static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar? {
    guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return upperControls[Int(byte - 0x80)].flatMap { Unicode.Scalar($0) }
  }

  private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
    if let byte = UInt8(exactly: scalar.value), !(0x80...0x9F ~= byte) { return byte }
    return upperControls.firstIndex { $0.map(UInt32.init) == scalar.value }.map { UInt8($0) + 0x80 }
  }

  /// What windows-1252 has where Latin-1 has control characters, from 0x80 to 0x9F; five bytes are not defined.
  private static let upperControls: [UInt16?] = [
    0x20AC, nil, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, nil, 0x017D,
    nil,
    nil, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, nil, 0x017E,
    0x0178,
  ]
}
