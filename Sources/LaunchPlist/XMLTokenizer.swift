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
  private let bytes: [UInt8]
  private(set) var offset = 0

  /// Reads the XML declaration and the DOCTYPE, if they are there.
  init(_ text: XMLText) throws(PropertyListError) {
    bytes = text.bytes
    if rest.starts(with: "<?xml".utf8), rest.dropFirst(5).first?.isXMLNameByte != true {
      try readDeclaration(isUTF16: text.isUTF16)
    }
    try skipMisc()
    guard skip("<!DOCTYPE") else { return }
    try readDocumentType()
  }

  mutating func next() throws(PropertyListError) -> XMLToken {
    var text: [UInt8] = []
    let start = offset
    while let byte = rest.first {
      if byte == UInt8(ascii: "<") {
        if try skipComment() { continue }
        if skip("<![CDATA[") {
          append(try content(until: "]]>", of: "a CDATA section"), to: &text)
        } else if text.isEmpty {
          return try tag()
        } else {
          break
        }
      } else if byte == UInt8(ascii: "&") {
        text += Array(String(try reference()).utf8)
      } else {
        if rest.starts(with: "]]>".utf8) { throw fail("']]>' in a text is written ']]&gt;'") }
        let piece = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "]") }
        append(piece.isEmpty ? rest.prefix(1) : piece, to: &text)
        offset += max(piece.count, 1)
      }
    }
    return text.isEmpty ? .endOfInput : .text(String(decoding: text, as: UTF8.self), offset: start)
  }

  /// An error at the present place, or at `offset`.
  func fail(_ message: String, at place: Int? = nil) -> PropertyListError {
    XMLText.error(at: place ?? offset, of: bytes, message)
  }

  private var rest: ArraySlice<UInt8> { bytes[offset...] }

  private mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  /// Whether there was a blank.
  @discardableResult private mutating func skipBlanks() -> Bool {
    let blanks = rest.prefix { $0.isXMLBlank }
    offset += blanks.count
    return !blanks.isEmpty
  }

  /// Blanks, comments and processing instructions.
  private mutating func skipMisc() throws(PropertyListError) {
    repeat { skipBlanks() } while try skipComment()
  }

  /// A comment or a processing instruction; whether there was one.
  private mutating func skipComment() throws(PropertyListError) -> Bool {
    let start = offset
    if skip("<!--") {
      let comment = try content(until: "--", of: "a comment")
      guard skip(">") else {
        throw fail("'--' may not stand inside a comment; write '- -'", at: comment.endIndex)
      }
      return true
    }
    guard skip("<?") else { return false }
    if name().lowercased() == "xml" {
      throw fail("the XML declaration must be the very first thing in the file", at: start)
    }
    _ = try content(until: "?>", of: "a processing instruction")
    return true
  }

  /// What stands in front of `end`, which is skipped as well.
  private mutating func content(until end: String, of what: String) throws(PropertyListError) -> ArraySlice<UInt8> {
    let start = offset
    while let byte = rest.first {
      if byte == end.utf8.first, skip(end) { return bytes[start..<(offset - end.utf8.count)] }
      offset += 1
    }
    throw fail("the file ends inside \(what) that begins on line \(line(of: start)); '\(end)' closes it")
  }

  /// The line of an offset.
  func line(of offset: Int) -> Int {
    var counter = PlaceCounter()
    return counter.place(at: offset, in: bytes).line
  }

  /// Appends a piece of `bytes`, its line breaks as LF.
  private func append(_ piece: ArraySlice<UInt8>, to text: inout [UInt8]) {
    guard piece.contains(0x0D) else { return text.append(contentsOf: piece) }
    for index in piece.indices {
      if piece[index] != 0x0D { text.append(piece[index]) } else if bytes.endsLine(at: index) { text.append(0x0A) }
    }
  }

  private mutating func name() -> String {
    let name = rest.prefix { $0.isXMLNameByte }
    offset += name.count
    return String(decoding: name, as: UTF8.self)
  }
}

extension XMLTokenizer {
  private mutating func tag() throws(PropertyListError) -> XMLToken {
    let start = offset
    if rest.starts(with: "<!".utf8) {
      throw fail("no declaration may stand here; '<' in a text is written '&lt;'")
    }
    let isEnd = skip("</")
    if !isEnd { offset += 1 }
    var tag = XMLTag(name: name(), offset: start)
    if tag.name.isEmpty { throw fail("'<' begins no tag; in a text it is written '&lt;'", at: start) }
    while true {
      let hasBlank = skipBlanks()
      if skip(">") { return isEnd ? .end(tag) : .start(tag) }
      if !isEnd, skip("/>") {
        tag.isEmpty = true
        return .start(tag)
      }
      if rest.isEmpty { throw fail("the file ends inside <\(tag.name)>") }
      guard hasBlank, !isEnd else { throw fail("expected '>' at the end of <\(isEnd ? "/" : "")\(tag.name)>") }
      tag.attributes.append(try attribute().name)
    }
  }

  private mutating func attribute() throws(PropertyListError) -> (name: String, value: String) {
    let name = name()
    if name.isEmpty { throw fail("expected the name of an attribute, or '>'") }
    skipBlanks()
    guard skip("=") else { throw fail("expected '=' behind the attribute '\(name)'") }
    skipBlanks()
    let value = try quoted("the value of '\(name)'")
    if let wrong = value.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
      throw fail("the value of '\(name)' has a '<' or '&'", at: wrong)
    }
    return (name, String(decoding: value, as: UTF8.self))
  }

  private mutating func quoted(_ what: String) throws(PropertyListError) -> ArraySlice<UInt8> {
    for quote in ["\"", "'"] where skip(quote) { return try content(until: quote, of: what) }
    throw fail("expected \(what) in quotes")
  }

  /// The character that `&…;` stands for.
  private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let body = rest.prefix { $0.isXMLNameByte || $0 == UInt8(ascii: "#") }
    offset += body.count
    guard !body.isEmpty, skip(";") else { throw fail("'&' in a text is written '&amp;'", at: start) }
    let text = String(decoding: body, as: UTF8.self)
    if let scalar = predefined[text] { return scalar }
    guard text.hasPrefix("#") else {
      throw fail(
        "'&\(text);' is not known: a property list has &lt; &gt; &amp; &quot; &apos; and numbers such as &#160;",
        at: start)
    }
    let isHex = text.hasPrefix("#x")
    guard let digits = Self.digits(text.dropFirst(isHex ? 2 : 1)), let code = UInt32(digits, radix: isHex ? 16 : 10),
      let scalar = Unicode.Scalar(code), scalar.isXMLCharacter
    else { throw fail("'&\(text);' is no character that XML allows", at: start) }
    return scalar
  }

  /// Without a sign, which `UInt32` would take.
  private static func digits(_ text: Substring) -> Substring? { text.allSatisfy(\.isHexDigit) ? text : nil }

  private mutating func readDeclaration(isUTF16: Bool) throws(PropertyListError) {
    offset += "<?xml".utf8.count
    while skipBlanks(), !rest.starts(with: "?>".utf8) {
      let start = offset
      let (name, value) = try attribute()
      switch name {
      case "version" where value.hasPrefix("1."), "standalone": break
      case "encoding":
        let known = isUTF16 ? ["UTF-16"] : bytes.allSatisfy { $0 < 0x80 } ? ["UTF-8", "US-ASCII"] : ["UTF-8"]
        guard known.contains(value.uppercased()) else {
          throw fail(
            "the file says that it is '\(value)' and is \(isUTF16 ? "UTF-16" : "read as UTF-8"); save it as UTF-8, with "
              + "encoding=\"UTF-8\"", at: start)
        }
      default: throw fail("an XML declaration is written <?xml version=\"1.0\" encoding=\"UTF-8\"?>", at: start)
      }
    }
    guard skip("?>") else { throw fail("'?>' closes the XML declaration") }
  }

  private mutating func readDocumentType() throws(PropertyListError) {
    skipBlanks()
    let start = offset
    guard name() == "plist" else {
      throw fail("expected <!DOCTYPE plist …>, as every property list has it", at: start)
    }
    skipBlanks()
    if skip("PUBLIC") {
      skipBlanks()
      _ = try quoted("the public name of the document type")
      skipBlanks()
      _ = try quoted("the address of the document type")
    } else if skip("SYSTEM") {
      skipBlanks()
      _ = try quoted("the address of the document type")
    }
    skipBlanks()
    if rest.first == UInt8(ascii: "[") {
      throw fail("declarations inside DOCTYPE are refused: a property list needs none, and entities could blow it up")
    }
    guard skip(">") else { throw fail("'>' closes DOCTYPE") }
  }
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
