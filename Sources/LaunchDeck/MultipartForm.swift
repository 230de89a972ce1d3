import LaunchHTTP

/// The parts of a `multipart/form-data` body (RFC 7578, delimiters as in RFC 2046 section 5.1.1).
struct MultipartForm {
  struct Part {
    var name: String
    var fileName: String?
    /// The media type as written; nil without one.
    var type: String?
    var content: ArraySlice<UInt8>
  }

  /// In the order of the body.
  private(set) var parts: [Part] = []

  /// Nil when the body is not what its boundary promises: a delimiter is missing, or a part has no name.
  init?(_ bytes: [UInt8], boundary: String) {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter may open the body, without the line break before it.
    var rest = bytes[...]
    if rest.starts(with: delimiter.dropFirst(2)) {
      rest = rest.dropFirst(delimiter.count - 2)
    } else if let first = rest.firstRange(of: delimiter) {
      rest = rest[first.upperBound...]
    } else {
      return nil
    }
    while !rest.starts(with: "--".utf8) {
      // White space may follow a boundary on its line.
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      guard rest.starts(with: lineBreak), let end = rest.firstRange(of: delimiter),
        let part = Part(rest[..<end.lowerBound])
      else { return nil }
      parts.append(part)
      rest = rest[end.upperBound...]
    }
  }
}

private let lineBreak: [UInt8] = [0x0D, 0x0A]

extension MultipartForm.Part {
  /// A part from the line break before its first field on.
  fileprivate init?(_ bytes: ArraySlice<UInt8>) {
    guard let blank = bytes.firstRange(of: lineBreak + lineBreak) else { return nil }
    content = bytes[blank.upperBound...]
    var name: String?
    let lines = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).split(separator: "\r\n")
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      switch String(line[..<colon]).lowercasedASCII {
      case "content-disposition":
        name = parameterValue("name", in: value)
        fileName = parameterValue("filename", in: value)
      case "content-type": type = String(value)
      default: break
      }
    }
    guard let name else { return nil }
    self.name = name
  }
}
