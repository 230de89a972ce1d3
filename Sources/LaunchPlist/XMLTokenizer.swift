/// A piece of an XML text.
enum XMLToken {
  case start(XMLTag)
  case end(XMLTag)
  /// With references resolved, CDATA unwrapped, comments left out and line breaks as LF.
  case text(String, offset: Int)
  case endOfInput
}

struct XMLTag {
  var name: String
  /// Where its `<` stands.
  var offset: Int
  /// Whether it is `<name/>`.
  var isEmpty = false
  /// Names only; what they say has no meaning in a property list.
  var attributes: [String] = []
}

/// Cuts an XML text into tags and text. It knows the predefined entities only and refuses declarations of others.
struct XMLTokenizer {
  private var scanner: XMLScanner

  /// Reads the XML declaration and the DOCTYPE, if they are there.
  init(_ text: XMLText) throws(PropertyListError) {
    scanner = XMLScanner(text)
    try scanner.skipProlog(isUTF16: text.isUTF16)
  }

  mutating func next() throws(PropertyListError) -> XMLToken {
    var text: [UInt8] = []
    let start = scanner.offset
    while let byte = scanner.rest.first {
      if byte == UInt8(ascii: "<") {
        if try scanner.skipComment() { continue }
        if scanner.skip("<![CDATA[") {
          let section = try scanner.content(until: "]]>", of: "a CDATA section")
          scanner.append(section, to: &text)
        } else if text.isEmpty {
          return try tag()
        } else {
          break
        }
      } else if byte == UInt8(ascii: "&") {
        text += Array(String(try reference()).utf8)
      } else {
        if scanner.rest.starts(with: "]]>".utf8) { throw scanner.fail("']]>' in a text is written ']]&gt;'") }
        let piece = scanner.rest.prefix {
          $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "]")
        }
        scanner.append(piece.isEmpty ? scanner.rest.prefix(1) : piece, to: &text)
        scanner.offset += max(piece.count, 1)
      }
    }
    return text.isEmpty ? .endOfInput : .text(String(decoding: text, as: UTF8.self), offset: start)
  }

  /// An error at the present place, or at `offset`.
  func fail(_ message: String, at offset: Int? = nil) -> PropertyListError { scanner.fail(message, at: offset) }

  /// The line of an offset.
  func line(of offset: Int) -> Int { scanner.line(of: offset) }

  private mutating func tag() throws(PropertyListError) -> XMLToken {
    let start = scanner.offset
    if scanner.rest.starts(with: "<!".utf8) {
      throw scanner.fail("no declaration may stand here; '<' in a text is written '&lt;'")
    }
    let isEnd = scanner.skip("</")
    if !isEnd { scanner.offset += 1 }
    var tag = XMLTag(name: scanner.name(), offset: start)
    if tag.name.isEmpty { throw scanner.fail("'<' begins no tag; in a text it is written '&lt;'", at: start) }
    while true {
      let hasBlank = scanner.skipBlanks()
      if scanner.skip(">") { return isEnd ? .end(tag) : .start(tag) }
      if !isEnd, scanner.skip("/>") {
        tag.isEmpty = true
        return .start(tag)
      }
      if scanner.rest.isEmpty { throw scanner.fail("the file ends inside <\(tag.name)>") }
      guard hasBlank, !isEnd else { throw scanner.fail("expected '>' at the end of <\(isEnd ? "/" : "")\(tag.name)>") }
      tag.attributes.append(try scanner.attribute().name)
    }
  }

  /// The character that `&…;` stands for.
  private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
    let start = scanner.offset
    scanner.offset += 1
    let body = scanner.rest.prefix { $0.isXMLNameByte || $0 == UInt8(ascii: "#") }
    scanner.offset += body.count
    // No name and no number is longer.
    guard (1...32).contains(body.count), scanner.skip(";") else {
      throw scanner.fail("'&' in a text is written '&amp;'", at: start)
    }
    let text = String(decoding: body, as: UTF8.self)
    if let scalar = predefined[text] { return scalar }
    guard text.hasPrefix("#") else {
      throw scanner.fail(
        "'&\(text);' is not known: a property list has &lt; &gt; &amp; &quot; &apos; and numbers such as &#160;",
        at: start)
    }
    let isHex = text.hasPrefix("#x")
    guard let digits = Self.digits(text.dropFirst(isHex ? 2 : 1)), let code = UInt32(digits, radix: isHex ? 16 : 10),
      let scalar = Unicode.Scalar(code), scalar.isXMLCharacter
    else { throw scanner.fail("'&\(text);' is no character that XML allows", at: start) }
    return scalar
  }

  /// Without a sign, which `UInt32` would take.
  private static func digits(_ text: Substring) -> Substring? { text.allSatisfy(\.isHexDigit) ? text : nil }
}

private let predefined: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

extension Unicode.Scalar {
  /// XML 1.0 section 2.2.
  fileprivate var isXMLCharacter: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }
}
