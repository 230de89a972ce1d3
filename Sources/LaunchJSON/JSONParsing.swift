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
  /// - Precondition: `range` lies within `bytes`.
  /// - Throws: `JSONError` as `init(parsing:)` does; its offset counts from the start of `bytes`.
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
  /// - Throws: `JSONError` at the first byte that is wrong, or `.expected(.value)` where none comes next.
  public mutating func readValue() throws(JSONError) -> JSON {
    // A list instead of a recursive function: 512 levels must fit the stack of any thread.
    var outer: [Container] = []
    var innermost: Container?
    while true {
      let token = try next()
      let value: JSON
      switch token {
      case .key where innermost != nil:
        innermost?.key = text
        continue
      case .beginObject, .beginArray:
        if let container = innermost.take() { outer.append(container) }
        innermost = Container()
        continue
      case .endObject, .endArray:
        guard let container = innermost.take() else { throw noValue }
        value = token == .endObject ? .object(JSONObject(container.members)) : .array(container.elements)
        innermost = outer.popLast()
      case .key, .end: throw noValue
      case .string: value = .string(text)
      case .integer(let integer): value = .integer(integer)
      case .number: value = .number(text)
      case .bool(let bool): value = .bool(bool)
      case .null: value = .null
      }
      if innermost == nil { return value }
      innermost?.append(value)
    }
  }

  private var noValue: JSONError { JSONError(offset: tokenRange.lowerBound, reason: .expected(.value)) }
}

/// An array or object that is not closed yet.
private struct Container {
  /// The key whose value comes next; nil in an array.
  var key: String?
  private(set) var elements: [JSON] = []
  private(set) var members: [JSONObject.Member] = []

  mutating func append(_ value: JSON) {
    if let key = key.take() { members.append(JSONObject.Member(key, value)) } else { elements.append(value) }
  }
}
