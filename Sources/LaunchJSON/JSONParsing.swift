extension JSON {
  /// The one value that `bytes` hold, strictly as RFC 8259 has it.
  ///
  /// Order of members, duplicate keys, and the text of every number outside of `Int64` are kept.
  /// - Throws: `JSONError` at the first byte that is wrong; also for more than `JSONReader.depthLimit` levels, a byte
  ///   order mark, invalid UTF-8, and escapes of lone surrogates.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes, in: bytes.indices)
  }

  /// The one value that stands at `range` in `bytes`, such as a range that `JSONReader.skipValue()` returned.
  /// - Throws: `JSONError`; its offset counts from the start of `bytes`.
  public init(parsing bytes: [UInt8], in range: Range<Int>) throws(JSONError) {
    var reader = JSONReader(bytes, in: range)
    self = try reader.readValue()
    try reader.finish()
  }

  /// The one value that `text` holds.
  /// - Throws: `JSONError`; its offset counts bytes of UTF-8.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}

extension JSONReader {
  /// Reads the next value as a tree.
  public mutating func readValue() throws(JSONError) -> JSON {
    var tree = TreeBuilder()
    while true {
      let token = try next()
      let value: JSON
      switch token {
      case .key where tree.isOpen:
        tree.key = text
        continue
      case .beginObject, .beginArray:
        tree.open()
        continue
      case .endObject where tree.isOpen: value = .object(JSONObject(tree.close()))
      case .endArray where tree.isOpen: value = .array(tree.close().map(\.value))
      case .key, .endObject, .endArray, .end: throw JSONError(offset: tokenRange.lowerBound, reason: .expected(.value))
      case .string: value = .string(text)
      case .integer(let integer): value = .integer(integer)
      case .number: value = .number(text)
      case .bool(let bool): value = .bool(bool)
      case .null: value = .null
      }
      guard tree.isOpen else { return value }
      tree.append(value)
    }
  }
}

/// The finished children of all open containers in one array, so that each container is allocated once, at its size.
///
/// A list instead of a recursive function: 512 levels must fit the stack of any thread.
private struct TreeBuilder {
  /// The key of the next value; empty in an array.
  var key = ""
  private var children: [JSONObject.Member] = []
  private var containers: [(key: String, firstChild: Int)] = []

  var isOpen: Bool { !containers.isEmpty }

  mutating func open() {
    containers.append((key, children.count))
    key = ""
  }

  mutating func append(_ value: JSON) {
    children.append(JSONObject.Member(key, value))
    key = ""
  }

  /// Closes the innermost container and returns its children; the next value appended is the container itself.
  mutating func close() -> [JSONObject.Member] {
    let container = containers.removeLast()
    let result = Array(children[container.firstChild...])
    children.removeSubrange(container.firstChild...)
    key = container.key
    return result
  }
}
