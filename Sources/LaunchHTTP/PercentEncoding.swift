extension String {
  /// This text with every `%XX` decoded (RFC 3986 section 2.1).
  ///
  /// A `%` without two hexadecimal digits behind it stays as it is, and so does the whole text when the decoded bytes
  /// are not UTF-8: nothing is replaced, so different texts stay different.
  package var percentDecoded: String {
    guard utf8.contains(percent) else { return self }
    return String(validating: percentDecodedBytes(of: Array(utf8).span), as: UTF8.self) ?? self
  }

  /// This text with everything but letters, digits and `-._~` as `%XX`: safe in any part of a location.
  package var percentEncoded: String {
    if utf8.allSatisfy(\.isUnreserved) { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isUnreserved { bytes.append(byte) } else { bytes.append(percentEncoding: byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private let percent: UInt8 = 0x25

/// Every `%XX` decoded; a `%` without two hexadecimal digits behind it stays.
package func percentDecodedBytes(of bytes: Span<UInt8>) -> [UInt8] {
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    if bytes[index] == percent, index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
      let low = bytes[index + 2].hexValue
    {
      decoded.append(high << 4 | low)
      index += 3
    } else {
      decoded.append(bytes[index])
      index += 1
    }
  }
  return decoded
}

/// The `name=value` parts between the `&` of `text`; empty parts are left out.
func decodedPairs(
  of text: String, decoding decode: (String) -> String
) -> [(name: String, value: String)] {
  text.utf8.split(separator: 0x26).map { part in
    let equals = part.firstIndex(of: 0x3D) ?? part.endIndex
    let name = String(decoding: part[..<equals], as: UTF8.self)
    let value = String(decoding: part[equals...].dropFirst(), as: UTF8.self)
    return (decode(name), decode(value))
  }
}

extension UInt8 {
  package var isDigit: Bool { (0x30...0x39).contains(self) }
  package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// The value of a hexadecimal digit in either letter case.
  package var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }

  /// RFC 3986 section 2.3.
  fileprivate var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }

  /// The upper-case hexadecimal digit of a value below 16.
  fileprivate var hexDigit: UInt8 { self < 10 ? 0x30 + self : 0x37 + self }
}

extension [UInt8] {
  /// Adds `%` and two upper-case digits.
  mutating func append(percentEncoding byte: UInt8) {
    append(percent)
    append((byte >> 4).hexDigit)
    append((byte & 15).hexDigit)
  }
}
