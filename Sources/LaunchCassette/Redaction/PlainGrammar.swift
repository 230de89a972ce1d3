import LaunchHTTP
import LaunchJSON

/// Where a text of plain JSON stands: ASCII without escapes, whole numbers, at most 64 containers in one another.
struct PlainGrammar {
  private enum Expected {
    case value
    /// Behind an opening bracket.
    case first
    /// Behind a key.
    case colon
    /// Behind a value in a container.
    case separator
    case nothing
  }

  private var expected = Expected.value
  private var depth = 0
  /// Which of the open containers are objects: a bit for each, the innermost lowest.
  private var objects: UInt64 = 0

  /// Whether the one value was read to its end.
  var isOver: Bool { expected == .nothing }

  /// The next token at `start` or behind white space. Nil behind the last one, and where anything else stands than plain
  /// JSON.
  @inline(__always)
  mutating func next(in bytes: Span<UInt8>, from start: Int) -> (kind: JSONTokens.Kind, range: Range<Int>)? {
    var index = start
    guard expected != .nothing, var byte = significantByte(bytes, &index) else { return nil }
    let isInObject = objects & 1 == 1
    let isKey = isInObject && expected != .colon
    let isEnd = byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    if isEnd, expected == .separator || expected == .first && depth > 0 {
      depth -= 1
      objects >>= 1
      endValue()
      return (isInObject ? .endObject : .endArray, index..<index + 1)
    }
    if expected == .colon || expected == .separator {
      guard byte == (expected == .colon ? UInt8(ascii: ":") : UInt8(ascii: ",")) else { return nil }
      index += 1
      guard let next = significantByte(bytes, &index) else { return nil }
      byte = next
    }
    if byte == UInt8(ascii: "\"") {
      guard let end = endOfString(bytes, index) else { return nil }
      guard isKey else {
        endValue()
        return (.string, index..<end)
      }
      // Without its colon it is none.
      var next = end
      guard significantByte(bytes, &next) == UInt8(ascii: ":") else { return nil }
      expected = .colon
      return (.key, index..<end)
    }
    return isKey ? nil : nextValue(bytes, byte, index)
  }

  /// Any token but a string or an end.
  private mutating func nextValue(
    _ bytes: Span<UInt8>, _ byte: UInt8, _ start: Int
  ) -> (kind: JSONTokens.Kind, range: Range<Int>)? {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < 64 else { return nil }
      let isObject = byte == UInt8(ascii: "{")
      depth += 1
      objects = objects << 1 | (isObject ? 1 : 0)
      expected = .first
      return (isObject ? .beginObject : .beginArray, start..<start + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let end = endOfNumber(bytes, start) else { return nil }
      endValue()
      return (.number, start..<end)
    default:
      guard let end = endOfLiteral(bytes, start) else { return nil }
      endValue()
      return (.literal, start..<end)
    }
  }

  @inline(__always)
  private mutating func endValue() { expected = depth > 0 ? .separator : .nothing }

  @inline(__always)
  private func significantByte(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      if byte > UInt8(ascii: " ") { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return nil }
      index += 1
    }
    return nil
  }

  @inline(__always)
  private func endOfString(_ bytes: Span<UInt8>, _ quote: Int) -> Int? {
    let end = bytes.plainEnd(from: quote + 1, to: bytes.count)
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end + 1 : nil
  }

  @inline(__always)
  private func endOfNumber(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var index = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    let first = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    guard index > first, index == first + 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
    return index == bytes.count || bytes[index].endsPlainNumber ? index : nil
  }

  private func endOfLiteral(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    let literal: StaticString =
      switch bytes[start] {
      case UInt8(ascii: "t"): "true"
      case UInt8(ascii: "f"): "false"
      default: "null"
      }
    let end = start + literal.utf8CodeUnitCount
    guard end <= bytes.count else { return nil }
    // The literal has as many bytes.
    for index in start..<end where unsafe bytes[index] != literal.utf8Start[index - start] { return nil }
    return end
  }
}

extension UInt8 {
  /// Not a fraction, an exponent or a mistake.
  fileprivate var endsPlainNumber: Bool {
    self == UInt8(ascii: ",") || self == UInt8(ascii: "}") || self == UInt8(ascii: "]") || self <= UInt8(ascii: " ")
  }
}
