/// Reads JSON whose shape the caller knows: it asks for what must come next, and gets strings as their place in the bytes.
///
/// Takes exactly what `JSONReader` takes, and reports what is wrong in the same way; it only keeps less account of where it
/// is, so the caller must end every object and array that it begins. One cursor can read many texts in the same bytes.
///
/// ```swift
/// var cursor = JSONCursor(bytes, in: line)
/// try cursor.beginObject()
/// while try cursor.nextKey() {
///   if cursor.key.equals("at", in: bytes) { at = try cursor.integer() } else { _ = try cursor.skim() }
/// }
/// try cursor.finish()
/// ```
package struct JSONCursor: Sendable {
  /// A string or a key: what stands between its quotes.
  package struct Text: Sendable {
    package var range: Range<Int>
    package var hasEscapes: Bool
  }

  private var input: JSONInput
  private var start: Int
  private var position: Int
  /// Nothing was read yet of the object or array that was begun last.
  private var isFirst = true
  private var depth = 0

  /// Where the value or key just read begins.
  package private(set) var tokenStart: Int
  /// The key just read.
  package private(set) var key = Text(range: 0..<0, hasEscapes: false)

  /// - Precondition: `range` lies within `bytes`.
  package init(_ bytes: [UInt8], in range: Range<Int>) {
    input = JSONInput(bytes: bytes, end: 0)
    (start, position, tokenStart) = (0, 0, 0)
    move(to: range)
  }

  /// Starts anew with the text at `range`.
  package mutating func move(to range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= input.bytes.count, "the range reaches outside the bytes")
    input.end = range.upperBound
    start = range.lowerBound
    position = start
    tokenStart = start
    isFirst = true
    depth = 0
  }

  package mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{"), .object) }

  package mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "["), .array) }

  /// Moves to the next member of the object and reads its key; false after the closing brace.
  package mutating func nextKey() throws(JSONError) -> Bool {
    var byte = try significantByte()
    if byte == UInt8(ascii: "}") { return end() }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw expected(.commaOrBrace) }
      position += 1
      byte = try significantByte()
    }
    guard byte == UInt8(ascii: "\"") else { throw expected(.key) }
    key = try text()
    guard try significantByte() == UInt8(ascii: ":") else { throw expected(.colon) }
    position += 1
    isFirst = false
    return true
  }

  /// Moves to the next element of the array, which must be read before the next call; false after the closing bracket.
  package mutating func nextElement() throws(JSONError) -> Bool {
    let byte = try significantByte()
    if byte == UInt8(ascii: "]") { return end() }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw expected(.commaOrBracket) }
      position += 1
    }
    isFirst = false
    return true
  }

  /// Moves past an array of two strings; nil, and nothing read, when the next element is another value or one that needs a
  /// closer look.
  package mutating func plainPair() -> (name: Text, value: Text, range: Range<Int>)? {
    guard let first = endOfPlainString(behind: UInt8(ascii: "["), at: position),
      let second = endOfPlainString(behind: UInt8(ascii: ","), at: first), second < input.end,
      input.bytes[second] == UInt8(ascii: "]")
    else { return nil }
    tokenStart = position
    position = second + 1
    return (
      Text(range: tokenStart + 2..<first - 1, hasEscapes: false),
      Text(range: first + 2..<second - 1, hasEscapes: false), tokenStart..<position
    )
  }

  @inline(__always)
  private func endOfPlainString(behind byte: UInt8, at index: Int) -> Int? {
    guard input.end - index >= 2, input.bytes[index] == byte, input.bytes[index + 1] == UInt8(ascii: "\"") else {
      return nil
    }
    return input.endOfPlainString(at: index + 1)
  }

  package mutating func string() throws(JSONError) -> Text {
    guard try significantByte() == UInt8(ascii: "\"") else { throw mismatch(.string) }
    return try text()
  }

  /// A whole number that fits 64 bits, written without fraction and exponent.
  package mutating func integer() throws(JSONError) -> Int64 {
    let first = try significantByte()
    guard first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 else { throw mismatch(.integer) }
    tokenStart = position
    let (integer, end) = try input.integer(at: position)
    guard let integer else { throw mismatch(.integer) }
    position = end
    return integer
  }

  package mutating func bool() throws(JSONError) -> Bool {
    let byte = try significantByte()
    guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else { throw mismatch(.bool) }
    tokenStart = position
    let isTrue = byte == UInt8(ascii: "t")
    position = try input.endOfLiteral(isTrue ? "true" : "false", at: position, isTrue ? .true : .false)
    return isTrue
  }

  /// Moves past the next value, whatever it is.
  package mutating func skim() throws(JSONError) -> SkimmedJSON {
    _ = try significantByte()
    tokenStart = position
    guard let value = input.skim(at: position, depthLimit: JSONReader.depthLimit - depth) else { throw malformedValue }
    position = value.end
    return value
  }

  /// Goes back to the beginning of the value just skimmed.
  package mutating func goBack(to value: SkimmedJSON) { position = value.range.lowerBound }

  /// The next value as a tree.
  package mutating func value() throws(JSONError) -> JSON {
    try JSON(parsing: input.bytes, in: skim().range)
  }

  /// Checks that the whole text was read.
  package mutating func finish() throws(JSONError) {
    position = input.endOfWhiteSpace(from: position)
    guard position == input.end else { throw JSONError(offset: position, reason: .trailingBytes) }
  }

  /// The bytes of a string that was read, its escapes undone.
  package func unescaped(_ text: Text) -> [UInt8] { input.unescaped(text.range) }

  /// How many bytes `unescaped` gives.
  package func unescapedCount(_ text: Text) -> Int { input.unescapedCount(text.range) }

  private mutating func begin(_ bracket: UInt8, _ what: JSONError.Expected) throws(JSONError) {
    guard try significantByte() == bracket else { throw mismatch(what) }
    tokenStart = position
    position += 1
    depth += 1
    isFirst = true
  }

  /// The closing bracket at the position.
  private mutating func end() -> Bool {
    tokenStart = position
    position += 1
    depth -= 1
    isFirst = false
    return false
  }

  @inline(__always)
  private mutating func text() throws(JSONError) -> Text {
    tokenStart = position
    if let end = input.endOfPlainString(at: position) {
      position = end
      return Text(range: tokenStart + 1..<end - 1, hasEscapes: false)
    }
    let (hasEscapes, end) = try input.string(at: position)
    position = end
    return Text(range: tokenStart + 1..<end - 1, hasEscapes: hasEscapes)
  }

  @inline(__always)
  private mutating func significantByte() throws(JSONError) -> UInt8 {
    position = input.endOfWhiteSpace(from: position)
    guard position < input.end else { throw JSONError(offset: input.end, reason: .endOfInput) }
    return input.bytes[position]
  }

  private func expected(_ expected: JSONError.Expected) -> JSONError {
    JSONError(offset: position, reason: .expected(expected))
  }

  /// Another value comes next than the one asked for, or none that is JSON.
  private func mismatch(_ what: JSONError.Expected) -> JSONError {
    var reader = JSONReader(input.bytes, in: position..<input.end)
    do throws(JSONError) {
      _ = try reader.next()
      return expected(what)
    } catch {
      // This reader began at the position, where the text itself may have begun before.
      return error.reason == .byteOrderMark && position > start ? expected(.value) : error
    }
  }

  /// What is wrong with the value at the position. All before it was right, so it is the first mistake of the text.
  private var malformedValue: JSONError {
    var reader = JSONReader(input.bytes, in: start..<input.end)
    do throws(JSONError) { try reader.skipValue() } catch { return error }
    return expected(.value)
  }
}

extension JSONInput {
  /// The whole number at `index`, nil when the number there is none of 64 bits; and where it ends.
  fileprivate func integer(at index: Int) throws(JSONError) -> (integer: Int64?, end: Int) {
    let bytes = bytes.span
    var end = index
    var value: Int64 = 0
    while end < self.end, case let digit = bytes[end] &- UInt8(ascii: "0"), digit < 10, end - index < 18 {
      value = value &* 10 &+ Int64(digit)
      end += 1
    }
    let isPlain = end == self.end || bytes[end] == UInt8(ascii: ",") || bytes[end] == UInt8(ascii: "}")
    let hasLeadingZero = end - index > 1 && bytes[index] == UInt8(ascii: "0")
    return isPlain && end > index && !hasLeadingZero ? (value, end) : try number(at: index)
  }

  /// How many bytes `unescaped` gives.
  fileprivate func unescapedCount(_ range: Range<Int>) -> Int {
    let bytes = bytes.span
    var count = range.count
    var index = range.lowerBound
    while true {
      index = bytes.plainEnd(from: index, to: range.upperBound)
      guard index < range.upperBound else { return count }
      guard bytes[index] == UInt8(ascii: "\\"), let escape = try? escape(at: index) else {
        index += 1
        continue
      }
      count -= escape.end - index - escape.scalar.utf8.count
      index = escape.end
    }
  }

  /// The bytes of the string whose content stands at `range`, its escapes undone.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[range]
    result.reserveCapacity(rest.count)
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      guard let escape = try? escape(at: backslash) else {
        preconditionFailure("an escape is checked when its token is read")
      }
      result += rest[..<backslash]
      result += escape.scalar.utf8
      rest = rest[escape.end...]
    }
    return result + rest
  }
}

extension JSON {
  /// What stands between the quotes of a valid JSON string, its escapes undone.
  package static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(content)
    return JSONInput(bytes: bytes, end: bytes.count).unescaped(bytes.indices)
  }
}
