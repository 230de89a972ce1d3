/// A property list in Apple's XML or binary form, read strictly and without harm whatever the bytes are.
///
/// ```swift
/// let list = try PropertyList(parsing: Array("<plist><dict><key>A</key><true/></dict></plist>".utf8))
/// list.root.members?.first?.value.place  // line 1, column 26
/// ```
///
/// Keys that stand twice in a dictionary are kept, in the order of the file. Values may be nested 128 deep. An XML text
/// knows the predefined entities and numeric references only, so nothing in it grows; a binary list may use an object
/// many times, as long as it unfolds to no more than a million values.
public struct PropertyList: Hashable, Sendable {
  public enum Format: Hashable, Sendable {
    case xml
    /// `bplist00`.
    case binary
    /// The old text form, `{ key = value; }`, which is recognised and not read.
    case openStep
  }

  public var format: Format
  public var root: PropertyListValue
  /// The text in UTF-8; empty for a binary list.
  var text: [UInt8] = []

  /// - Throws: `PropertyListError` with the first thing that is wrong: the XML is malformed or no property list, the
  ///   binary form is damaged, or the bytes are neither.
  public init(parsing bytes: [UInt8]) throws(PropertyListError) {
    switch Self.format(of: bytes) {
    case .xml:
      let text = try XMLText(bytes)
      var parser = try XMLPropertyListParser(text)
      self = PropertyList(format: .xml, root: try parser.document(), text: text.bytes)
    case .binary:
      var parser = try BinaryPropertyListParser(bytes)
      self = PropertyList(format: .binary, root: try parser.root())
    case .openStep:
      throw PropertyListError(
        place: .byte(0),
        message: "this is an old-style property list, which is not read; to convert it: plutil -convert xml1 FILE")
    case nil:
      throw PropertyListError(
        place: .byte(0), message: "this is no property list: it begins with none of '<?xml', '<plist' and 'bplist00'")
    }
  }

  private init(format: Format, root: PropertyListValue, text: [UInt8] = []) {
    self.format = format
    self.root = root
    self.text = text
  }

  /// How deep values may be nested.
  static let depthLimit = 128
}

extension PropertyList {
  /// Tells by how the bytes begin whether they are meant as a property list, and in which form; nil for anything else.
  ///
  /// A binary list of any version counts as binary, and XML as one whatever its root element is.
  public static func format(of bytes: [UInt8]) -> Format? {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    let start = XMLText.beginning(of: bytes).drop { $0.isXMLBlank }
    if ["<?xml", "<plist", "<!DOCTYPE", "<!--"].contains(where: { start.starts(with: $0.utf8) }) { return .xml }
    return isOpenStep(start) ? .openStep : nil
  }

  /// Whether a dictionary with a first key and `=` begins here; JSON would have a colon.
  private static func isOpenStep(_ start: ArraySlice<UInt8>) -> Bool {
    var rest = start
    // Xcode writes one comment line in front.
    while rest.starts(with: "//".utf8) { rest = rest.drop { $0 != 0x0A }.drop { $0.isXMLBlank } }
    guard rest.popFirst() == UInt8(ascii: "{") else { return false }
    rest = rest.drop { $0.isXMLBlank }
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    } else {
      let word = rest.prefix { $0.isXMLNameByte || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "/") }
      if word.isEmpty { return false }
      rest = rest.dropFirst(word.count)
    }
    return rest.first { !$0.isXMLBlank } == UInt8(ascii: "=")
  }
}
