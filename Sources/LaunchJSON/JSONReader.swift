/// Reads JSON token by token, strictly as RFC 8259 has it, and builds nothing.
///
/// A caller walks an object by its keys, reads what it knows, and takes the rest as slices of the input:
///
/// ```swift
/// var reader = JSONReader(line)
/// try reader.beginObject()
/// while try reader.nextKey() {
///   if reader.equals("at") {
///     at = try reader.readInteger()
///   } else {
///     rest.append(try reader.skipValue())  // a range of `line`, checked to be one JSON value
///   }
/// }
/// try reader.finish()
/// ```
///
/// A key may occur twice in an object; each is a token of its own. Costs no memory per token, and a constant amount per
/// reader however deep the text nests. After an error, a reader goes on reporting errors or stale tokens; drop it.
public struct JSONReader: Sendable {
  /// What the reader can come upon next.
  public enum Token: Hashable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// The key of a member, its colon included; the value is the next token. `text` has the key.
    case key
    /// `text` has it.
    case string
    /// A whole number that fits 64 bits. `-0` is not one: as an integer it would lose its sign.
    case integer(Int64)
    /// Any other number; `text` has it as it stands in the input.
    case number
    case bool(Bool)
    case null
    /// The value is complete and only white space followed it.
    case end
  }

  /// The number of arrays and objects that may be open at once.
  public static let depthLimit = 512

  /// Where the last token stands in the bytes, quotes included; a skipped array or object counts as one.
  public private(set) var tokenRange: Range<Int>

  let input: JSONInput
  /// The first byte not read yet.
  private(set) var position: Int
  /// The last token was a string or a key, with at least one escape.
  private(set) var hasEscapes = false
  /// The last token was a string or a key.
  private(set) var isQuoted = false
  private(set) var depth = 0

  private let start: Int
  private var state = State.value
  /// The innermost open container is an object.
  private var isInObject = false
  /// `isInObject` of the containers around the innermost, a bit for each depth.
  private var outerObjects = SIMD8<UInt64>()

  private enum State { case value, firstElement, firstKey, afterValue }

  /// A reader of one value and nothing else but white space.
  public init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

  /// A reader of one value that stands at `range` in `bytes`; token ranges and the offsets of errors count from the
  /// start of `bytes`.
  /// - Precondition: `range` lies within `bytes`.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "the range reaches outside of the bytes")
    input = JSONInput(bytes: bytes, end: range.upperBound)
    start = range.lowerBound
    position = start
    tokenRange = start..<start
  }

  /// Reads the next token; after the last one, `end` again and again.
  /// - Throws: `JSONError` with the first byte that cannot continue the text: `.endOfInput`, `.byteOrderMark`,
  ///   `.depth`, `.trailingBytes`, `.expected` with what would have been right; in a number `.leadingZero`; in a string
  ///   or key `.controlCharacter`, `.escape`, `.loneSurrogate`, or `.invalidUTF8`.
  public mutating func next() throws(JSONError) -> Token {
    if let token = try tokenBeforeValue() { return token }
    return try value()
  }

  /// Reads what may stand before a value; nil, and `position` at the value's first byte, when a value comes next.
  mutating func tokenBeforeValue() throws(JSONError) -> Token? {
    if state == .afterValue && depth == 0 { return try endOfValue() }
    var byte = try significantByte()
    switch state {
    case .value:
      return nil
    case .firstElement:
      if byte == UInt8(ascii: "]") { return close(.endArray) }
    case .firstKey:
      return byte == UInt8(ascii: "}") ? close(.endObject) : try key(byte)
    case .afterValue where isInObject:
      if byte == UInt8(ascii: "}") { return close(.endObject) }
      guard byte == UInt8(ascii: ",") else { throw expected(.commaOrBrace) }
      position += 1
      byte = try significantByte()
      return try key(byte)
    case .afterValue:
      if byte == UInt8(ascii: "]") { return close(.endArray) }
      guard byte == UInt8(ascii: ",") else { throw expected(.commaOrBracket) }
      position += 1
      _ = try significantByte()
    }
    state = .value
    return nil
  }

  mutating func value() throws(JSONError) -> Token {
    let first = position
    let token: Token
    isQuoted = false
    switch input.bytes[first] {
    case UInt8(ascii: "{"): return try open(.beginObject)
    case UInt8(ascii: "["): return try open(.beginArray)
    case UInt8(ascii: "\""):
      (hasEscapes, position) = try input.string(at: first)
      isQuoted = true
      token = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let (integer, end) = try input.number(at: first)
      position = end
      token = integer.map(Token.integer) ?? .number
    case UInt8(ascii: "t"):
      position = try input.endOfLiteral("true", at: first, .true)
      token = .bool(true)
    case UInt8(ascii: "f"):
      position = try input.endOfLiteral("false", at: first, .false)
      token = .bool(false)
    case UInt8(ascii: "n"):
      position = try input.endOfLiteral("null", at: first, .null)
      token = .null
    default:
      throw startsWithByteOrderMark ? JSONError(offset: start, reason: .byteOrderMark) : expected(.value)
    }
    tokenRange = first..<position
    state = .afterValue
    return token
  }

  private mutating func key(_ byte: UInt8) throws(JSONError) -> Token {
    guard byte == UInt8(ascii: "\"") else { throw expected(.key) }
    let first = position
    (hasEscapes, position) = try input.string(at: first)
    tokenRange = first..<position
    isQuoted = true
    guard try significantByte() == UInt8(ascii: ":") else { throw expected(.colon) }
    position += 1
    state = .value
    return .key
  }

  private mutating func open(_ token: Token) throws(JSONError) -> Token {
    guard depth < Self.depthLimit else { throw JSONError(offset: position, reason: .depth) }
    let bit = UInt64(1) << (depth % 64)
    if isInObject { outerObjects[depth / 64] |= bit } else { outerObjects[depth / 64] &= ~bit }
    isInObject = token == .beginObject
    state = isInObject ? .firstKey : .firstElement
    depth += 1
    return punctuation(token)
  }

  private mutating func close(_ token: Token) -> Token {
    depth -= 1
    isInObject = outerObjects[depth / 64] >> (depth % 64) & 1 == 1
    state = .afterValue
    return punctuation(token)
  }

  private mutating func punctuation(_ token: Token) -> Token {
    tokenRange = position..<position + 1
    isQuoted = false
    position += 1
    return token
  }

  private mutating func endOfValue() throws(JSONError) -> Token {
    position = input.endOfWhiteSpace(from: position)
    guard position == input.end else { throw JSONError(offset: position, reason: .trailingBytes) }
    tokenRange = position..<position
    isQuoted = false
    return .end
  }

  private var startsWithByteOrderMark: Bool {
    position == start && input.bytes[start..<input.end].starts(with: [0xEF, 0xBB, 0xBF])
  }

  /// Reads the array or object that comes next in one go, as one token; false, and nothing read, where anything in it is
  /// wrong.
  mutating func skimContainer() -> Bool {
    let first = position
    guard let value = input.skim(at: first, depthLimit: Self.depthLimit - depth) else { return false }
    position = value.end
    tokenRange = first..<position
    isQuoted = false
    state = .afterValue
    return true
  }

  @inline(__always)
  private mutating func significantByte() throws(JSONError) -> UInt8 {
    position = input.endOfWhiteSpace(from: position)
    guard position < input.end else { throw JSONError(offset: position, reason: .endOfInput) }
    return input.bytes[position]
  }

  private func expected(_ expected: JSONError.Expected) -> JSONError {
    JSONError(offset: position, reason: .expected(expected))
  }
}
