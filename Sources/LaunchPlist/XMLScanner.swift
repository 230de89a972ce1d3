/// Reads the small pieces that the markup of XML is made of.
struct XMLScanner {
  private let bytes: [UInt8]
  var offset = 0

  init(_ text: XMLText) { bytes = text.bytes }

  /// What is not read yet.
  var rest: ArraySlice<UInt8> { bytes[offset...] }

  /// An error at the present place, or at `offset`.
  func fail(_ message: String, at place: Int? = nil) -> PropertyListError {
    XMLText.error(at: place ?? offset, of: bytes, message)
  }

  /// The line of an offset.
  func line(of offset: Int) -> Int {
    var counter = PlaceCounter()
    return counter.place(at: offset, in: bytes).line
  }

  /// Whether the text stood here.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  /// Whether there was a blank.
  @discardableResult mutating func skipBlanks() -> Bool {
    let blanks = rest.prefix { $0.isXMLBlank }
    offset += blanks.count
    return !blanks.isEmpty
  }

  /// Blanks, comments and processing instructions.
  mutating func skipMisc() throws(PropertyListError) {
    repeat { skipBlanks() } while try skipComment()
  }

  /// A comment or a processing instruction; whether there was one.
  mutating func skipComment() throws(PropertyListError) -> Bool {
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
  mutating func content(until end: String, of what: String) throws(PropertyListError) -> ArraySlice<UInt8> {
    let start = offset
    while let byte = rest.first {
      if byte == end.utf8.first, skip(end) { return bytes[start..<(offset - end.utf8.count)] }
      offset += 1
    }
    throw fail("the file ends inside \(what) that begins on line \(line(of: start)); '\(end)' closes it")
  }

  /// As many bytes of a name as stand here; empty where none begins.
  mutating func name() -> String {
    let name = rest.prefix { $0.isXMLNameByte }
    offset += name.count
    return String(decoding: name, as: UTF8.self)
  }

  /// `name="value"`
  mutating func attribute() throws(PropertyListError) -> (name: String, value: String) {
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

  /// What stands between quotes of either kind.
  mutating func quoted(_ what: String) throws(PropertyListError) -> ArraySlice<UInt8> {
    for quote in ["\"", "'"] where skip(quote) { return try content(until: quote, of: what) }
    throw fail("expected \(what) in quotes")
  }

  /// Appends a piece of the text, its line breaks as LF.
  func append(_ piece: ArraySlice<UInt8>, to text: inout [UInt8]) {
    guard piece.contains(0x0D) else { return text.append(contentsOf: piece) }
    for index in piece.indices {
      if piece[index] != 0x0D { text.append(piece[index]) } else if bytes.endsLine(at: index) { text.append(0x0A) }
    }
  }
}
