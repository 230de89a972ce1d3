/// Reads the elements of a property list: one value inside `<plist>`.
struct XMLPropertyListParser {
  private let text: XMLText
  private var tokenizer: XMLTokenizer
  private var places = PlaceCounter()

  /// - Throws: `PropertyListError` when what stands in front of the first element is malformed.
  init(_ text: XMLText) throws(PropertyListError) {
    self.text = text
    tokenizer = try XMLTokenizer(text)
  }

  mutating func document() throws(PropertyListError) -> PropertyListValue {
    guard case .start(let plist) = try nextTag() else { throw tokenizer.fail("the file has no <plist> element") }
    guard plist.name == "plist" else {
      throw tokenizer.fail("expected <plist>, found <\(plist.name)>", at: plist.offset)
    }
    guard !plist.isEmpty, case .start(let first) = try nextTag(in: plist) else {
      throw tokenizer.fail("<plist> is empty; it holds one value, mostly a <dict>", at: plist.offset)
    }
    let root = try value(first, depth: 1)
    if case .start(let second) = try nextTag(in: plist) {
      throw tokenizer.fail("<plist> holds one value, and <\(second.name)> is a second one", at: second.offset)
    }
    guard case .start(let tag) = try nextTag() else { return root }
    throw tokenizer.fail("nothing may follow </plist>", at: tag.offset)
  }

  private mutating func value(_ tag: XMLTag, depth: Int) throws(PropertyListError) -> PropertyListValue {
    guard depth <= PropertyList.depthLimit else {
      throw tokenizer.fail("values are nested more than \(PropertyList.depthLimit) deep", at: tag.offset)
    }
    if let attribute = tag.attributes.first {
      throw tokenizer.fail("<\(tag.name)> takes no attributes, and has '\(attribute)'", at: tag.offset)
    }
    let place = places.place(at: tag.offset, in: text.bytes)
    return PropertyListValue(try content(of: tag, depth: depth), at: place)
  }

  private mutating func content(
    of tag: XMLTag, depth: Int
  ) throws(PropertyListError) -> PropertyListValue.Content {
    switch tag.name {
    case "dict": .dictionary(try members(of: tag, depth: depth))
    case "array": .array(try elements(of: tag, depth: depth))
    case "string": .string(try characters(of: tag))
    case "true", "false": .boolean(try emptiness(of: tag, meaning: tag.name == "true"))
    case "integer": .integer(try scalar(of: tag, "a whole number of 64 bits, such as 42", Int128.init(plist:)))
    case "real": .real(try scalar(of: tag, "a number such as 0.5") { Double($0) })
    case "date": .date(try scalar(of: tag, "a date such as 2026-11-30T06:20:45Z", PropertyListDate.seconds))
    case "data": .data(try scalar(of: tag, "Base64", Base64.decode))
    case "key": throw tokenizer.fail("<key> stands only in front of a value of a <dict>", at: tag.offset)
    default: throw unknown(tag)
    }
  }

  private mutating func members(
    of dictionary: XMLTag, depth: Int
  ) throws(PropertyListError) -> [PropertyListValue.Member] {
    var members: [PropertyListValue.Member] = []
    while !dictionary.isEmpty, case .start(let tag) = try nextTag(in: dictionary) {
      guard tag.name == "key" else {
        throw tokenizer.fail("<\(tag.name)> has no <key> in front of it", at: tag.offset)
      }
      guard tag.attributes.isEmpty else { throw tokenizer.fail("<key> takes no attributes", at: tag.offset) }
      let place = places.place(at: tag.offset, in: text.bytes)
      let key = try characters(of: tag)
      guard case .start(let next) = try nextTag(in: dictionary), next.name != "key" else {
        throw tokenizer.fail("the key \(key.quoted) has no value", at: tag.offset)
      }
      members.append(.init(key: key, place: place, value: try value(next, depth: depth + 1)))
    }
    return members
  }

  private mutating func elements(of array: XMLTag, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
    var elements: [PropertyListValue] = []
    while !array.isEmpty, case .start(let tag) = try nextTag(in: array) {
      elements.append(try value(tag, depth: depth + 1))
    }
    return elements
  }

  private mutating func scalar<Value>(
    of tag: XMLTag, _ expected: String, _ read: (Substring) -> Value?
  ) throws(PropertyListError) -> Value {
    let text = try characters(of: tag)
    let trimmed = text.trimmingXMLBlanks
    guard let value = read(trimmed) else {
      throw tokenizer.fail("<\(tag.name)> holds \(expected), and not '\(trimmed.prefix(40))'", at: tag.offset)
    }
    return value
  }

  private mutating func emptiness(of tag: XMLTag, meaning value: Bool) throws(PropertyListError) -> Bool {
    guard try characters(of: tag).trimmingXMLBlanks.isEmpty else {
      throw tokenizer.fail("<\(tag.name)/> takes no text", at: tag.offset)
    }
    return value
  }

  /// The text of an element that holds nothing else.
  private mutating func characters(of tag: XMLTag) throws(PropertyListError) -> String {
    var text = ""
    while !tag.isEmpty {
      switch try tokenizer.next() {
      case .text(let piece, _): text += piece
      case .start(let inner):
        throw tokenizer.fail(
          "<\(inner.name)> stands inside <\(tag.name)>, which holds text only; '<' in a text is written '&lt;'",
          at: inner.offset)
      case .end(let end):
        try require(end, closes: tag)
        return text
      case .endOfInput: throw notClosed(tag)
      }
    }
    return text
  }

  /// The next tag; an end tag closes `element`.
  private mutating func nextTag(in element: XMLTag? = nil) throws(PropertyListError) -> XMLToken {
    while true {
      let token = try tokenizer.next()
      switch token {
      case .text(let text, let offset):
        let blanks = text.utf8.prefix { $0.isXMLBlank }.count
        guard blanks < text.utf8.count else { continue }
        throw tokenizer.fail(
          "the text '\(text.trimmingXMLBlanks.prefix(40))' stands outside of a value; a text is written "
            + "<string>…</string>", at: firstCharacter(from: offset))
      case .end(let end):
        guard let element else { throw tokenizer.fail("</\(end.name)> closes nothing", at: end.offset) }
        try require(end, closes: element)
        return token
      case .endOfInput:
        if let element { throw notClosed(element) }
        return token
      case .start: return token
      }
    }
  }

  private func firstCharacter(from offset: Int) -> Int {
    text.bytes[offset...].firstIndex { !$0.isXMLBlank } ?? offset
  }

  private func require(_ end: XMLTag, closes start: XMLTag) throws(PropertyListError) {
    guard end.name != start.name else { return }
    throw tokenizer.fail(
      "</\(end.name)> does not close <\(start.name)> of line \(tokenizer.line(of: start.offset))", at: end.offset)
  }

  private func notClosed(_ tag: XMLTag) -> PropertyListError {
    tokenizer.fail("the file ends before </\(tag.name)> closes <\(tag.name)> of line \(tokenizer.line(of: tag.offset))")
  }

  private func unknown(_ tag: XMLTag) -> PropertyListError {
    let names = ["dict", "array", "string", "true", "false", "integer", "real", "date", "data"]
    let name = tag.name.lowercased()
    let hint = names.contains(name) ? "; did you mean <\(name)>?" : "; values are <\(names.joined(separator: ">, <"))>"
    return tokenizer.fail("<\(tag.name)> is no value of a property list\(hint)", at: tag.offset)
  }
}

extension String {
  var trimmingXMLBlanks: Substring {
    let isBlank = { (scalar: Unicode.Scalar) in scalar.isASCII && UInt8(ascii: scalar).isXMLBlank }
    let start = unicodeScalars.firstIndex { !isBlank($0) } ?? endIndex
    let end = unicodeScalars.lastIndex { !isBlank($0) }.map(unicodeScalars.index(after:)) ?? start
    return self[start..<end]
  }
}

extension Int128 {
  /// What plutil takes: decimal or `0x…`, from the least signed to the greatest unsigned number of 64 bits.
  fileprivate init?(plist text: Substring) {
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let plain = digits.dropFirst(isHex ? 2 : 0)
    guard plain.first?.isHexDigit == true, let number = Int128(plain, radix: isHex ? 16 : 10) else { return nil }
    let value = isNegative ? -number : number
    guard value >= Int128(Int64.min), value <= Int128(UInt64.max) else { return nil }
    self = value
  }
}
