extension JSONReader {
  /// The last token's string or key with its escapes undone, or the text of its number.
  public var text: String {
    guard isQuoted else { return String(decoding: input.bytes[tokenRange], as: UTF8.self) }
    return hasEscapes
      ? String(decoding: unescaped, as: UTF8.self) : String(decoding: input.bytes[contentRange], as: UTF8.self)
  }

  /// Whether the last token is a string or key that reads `text`, byte for byte; makes no `String`.
  public func equals(_ text: StaticString) -> Bool {
    guard isQuoted else { return false }
    if hasEscapes { return text.withUTF8Buffer { unsafe unescaped.elementsEqual($0) } }
    let count = text.utf8CodeUnitCount
    let content = contentRange
    guard content.count == count else { return false }
    // The buffer has `count` bytes and lives as long as the program.
    for offset in 0..<count where unsafe input.bytes[content.lowerBound + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Moves into the object that comes next.
  /// - Throws: `JSONError` with `.expected(.object)` at the start of another token, or as `next()` does.
  public mutating func beginObject() throws(JSONError) {
    guard try next() == .beginObject else { throw mismatch(.object) }
  }

  /// Moves to the next member of the object and reads its key; false after the closing brace.
  /// - Throws: `JSONError` with `.expected(.key)` where no member can stand, or as `next()` does.
  public mutating func nextKey() throws(JSONError) -> Bool {
    switch try next() {
    case .key: return true
    case .endObject: return false
    default: throw mismatch(.key)
    }
  }

  /// Moves into the array that comes next.
  /// - Throws: `JSONError` with `.expected(.array)` at the start of another token, or as `next()` does.
  public mutating func beginArray() throws(JSONError) {
    guard try next() == .beginArray else { throw mismatch(.array) }
  }

  /// Moves to the next element of the array, not into it; false after the closing bracket.
  ///
  /// Asking again before the element was read changes nothing. Whether it is a valid value is found out by reading it.
  /// - Throws: `JSONError` with `.expected(.value)` where no element can stand: at a key, at the end of an object, or
  ///   behind the whole value; `.expected(.commaOrBracket)` behind an element; `.endOfInput`; else as `next()` does.
  public mutating func nextElement() throws(JSONError) -> Bool {
    switch try tokenBeforeValue() {
    case nil: return true
    case .endArray: return false
    default: throw mismatch(.value)
    }
  }

  /// Reads a string, its escapes undone.
  /// - Throws: `JSONError` with `.expected(.string)` at the start of another token, or as `next()` does.
  public mutating func readString() throws(JSONError) -> String {
    guard try next() == .string else { throw mismatch(.string) }
    return text
  }

  /// Reads a whole number that fits 64 bits and is written without fraction and exponent.
  /// - Throws: `JSONError` with `.expected(.integer)` at the start of another token, such as `1.0` or `-0`,
  ///   or as `next()` does.
  public mutating func readInteger() throws(JSONError) -> Int64 {
    guard case .integer(let integer) = try next() else { throw mismatch(.integer) }
    return integer
  }

  /// Reads `true` or `false`.
  /// - Throws: `JSONError` with `.expected(.bool)` at the start of another token, or as `next()` does.
  public mutating func readBool() throws(JSONError) -> Bool {
    guard case .bool(let bool) = try next() else { throw mismatch(.bool) }
    return bool
  }

  /// Moves past the next value and returns where it stands in the bytes, without the white space around it.
  ///
  /// The value is checked as strictly as one that is read.
  /// - Throws: `JSONError` with `.expected(.value)` where none comes next, or as `next()` does anywhere in the value.
  @discardableResult
  public mutating func skipValue() throws(JSONError) -> Range<Int> {
    guard try tokenBeforeValue() == nil else { throw mismatch(.value) }
    let first = position
    let byte = input.bytes[first]
    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), skimContainer() { return tokenRange }
    // A single token, or something wrong that reading token by token tells.
    let outside = depth
    _ = try value()
    while depth > outside { _ = try next() }
    return first..<position
  }

  /// Checks that the whole text was read.
  /// - Throws: `JSONError` with `.trailingBytes` at whatever is left, be it part of the value or behind it; or as
  ///   `next()` does, `.endOfInput` when the value is not complete.
  public mutating func finish() throws(JSONError) {
    guard try next() == .end else { throw JSONError(offset: tokenRange.lowerBound, reason: .trailingBytes) }
  }

  private func mismatch(_ expected: JSONError.Expected) -> JSONError {
    JSONError(offset: tokenRange.lowerBound, reason: .expected(expected))
  }

  private var contentRange: Range<Int> { tokenRange.lowerBound + 1..<tokenRange.upperBound - 1 }

  private var unescaped: [UInt8] { input.unescaped(contentRange) }
}
