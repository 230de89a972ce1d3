import LaunchJSON

/// Reads JSON that is spelt as `JSONWriter` spells it, and takes nothing else: no white space, strings of plain ASCII,
/// whole numbers without a sign. Each function moves past what it is asked for; where that does not stand there it
/// returns nil or false, and the text is one for `JSONCursor`, which takes all of JSON and says what is wrong.
///
/// Telling one from the other costs nothing, so it reads several times as fast. It is here and not beside `JSONCursor`
/// because its functions are so small that each has to be inlined where it is used. They are handed the bytes as a span,
/// which cannot be stored, and must be handed the same ones each time.
///
/// ```swift
/// var cursor = CompactCursor(at: line)
/// guard cursor.skip(#"{"at":"#, in: bytes), let at = cursor.integer(in: bytes) else { return nil }
/// ```
struct CompactCursor {
  /// The first byte not read yet.
  var index: Int

  /// - Precondition: `index` is not negative.
  init(at index: Int) {
    precondition(index >= 0, "the index lies before the bytes")
    self.index = index
  }

  /// Moves past `text`.
  @inline(__always)
  mutating func skip(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - index >= count else { return false }
    if count < 8 {
      // The text's buffer has that many bytes and lives as long as the program.
      for offset in 0..<count where unsafe bytes.byte(at: index &+ offset) != text.utf8Start[offset] { return false }
    } else {
      var offset = 0
      while offset &+ 8 < count {
        guard bytes.word(at: index &+ offset) == Self.word(of: text, at: offset) else { return false }
        offset = offset &+ 8
      }
      // The last word overlaps the one before.
      guard bytes.word(at: index &+ count &- 8) == Self.word(of: text, at: count &- 8) else { return false }
    }
    index += count
    return true
  }

  /// Moves past one byte.
  @inline(__always)
  mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes.byte(at: index) == byte else { return false }
    index += 1
    return true
  }

  /// The content of a string.
  @inline(__always)
  mutating func string(in bytes: Span<UInt8>) -> Range<Int>? {
    guard skip(UInt8(ascii: "\""), in: bytes) else { return nil }
    let start = index
    let end = bytes.plainEnd(from: start, to: bytes.count)
    guard end < bytes.count, bytes.byte(at: end) == UInt8(ascii: "\"") else { return nil }
    index = end + 1
    return start..<end
  }

  /// A whole number of up to 18 digits.
  @inline(__always)
  mutating func integer(in bytes: Span<UInt8>) -> Int64? {
    var end = index
    var value: Int64 = 0
    while end < bytes.count, case let digit = bytes.byte(at: end) &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ Int64(digit)
      end += 1
    }
    let count = end - index
    guard count == 1 || count > 1 && count <= 18 && bytes.byte(at: index) != UInt8(ascii: "0") else { return nil }
    index = end
    return value
  }

  /// Any value, of up to 64 arrays and objects inside each other: its place, where it is exactly as `JSONWriter` writes
  /// it. Strings may hold everything here but escapes by number.
  mutating func value(in bytes: Span<UInt8>) -> Range<Int>? {
    let start = index
    // A bit for each open container, the innermost lowest: whether it is an object.
    var objects: UInt64 = 0
    var depth = 0
    while index < bytes.count {
      let byte = bytes.byte(at: index)
      switch byte {
      case UInt8(ascii: "\""):
        guard skipText(in: bytes) else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        index += 1
        if skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), in: bytes) { break }
        guard depth < 64, !isObject || skipKey(in: bytes) else { return nil }
        objects = objects << 1 | (isObject ? 1 : 0)
        depth += 1
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard skipNumber(in: bytes) else { return nil }
      case UInt8(ascii: "t"):
        guard skip("true", in: bytes) else { return nil }
      case UInt8(ascii: "f"):
        guard skip("false", in: bytes) else { return nil }
      case UInt8(ascii: "n"):
        guard skip("null", in: bytes) else { return nil }
      default: return nil
      }
      // Behind a value: closes what closes here, up to the next one.
      while depth > 0 {
        let isObject = objects & 1 == 1
        if skip(UInt8(ascii: ","), in: bytes) {
          guard !isObject || skipKey(in: bytes) else { return nil }
          break
        }
        guard skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), in: bytes) else { return nil }
        objects >>= 1
        depth -= 1
      }
      if depth == 0 { return start..<index }
    }
    return nil
  }

  @inline(__always)
  private mutating func skipKey(in bytes: Span<UInt8>) -> Bool {
    guard index < bytes.count, bytes.byte(at: index) == UInt8(ascii: "\"") else { return false }
    return skipText(in: bytes) && skip(UInt8(ascii: ":"), in: bytes)
  }

  /// Moves past the string whose opening quote is here.
  @inline(__always)
  private mutating func skipText(in bytes: Span<UInt8>) -> Bool {
    index = bytes.plainEnd(from: index + 1, to: bytes.count)
    while !skip(UInt8(ascii: "\""), in: bytes) {
      guard skipCharacter(in: bytes) else { return false }
      index = bytes.plainEnd(from: index, to: bytes.count)
    }
    return true
  }

  /// Moves past a short escape, or a UTF-8 sequence of two bytes or more.
  private mutating func skipCharacter(in bytes: Span<UInt8>) -> Bool {
    guard bytes.count - index >= 4 else { return false }
    guard bytes.byte(at: index) == UInt8(ascii: "\\") else {
      let count = bytes.sequenceCount(at: index)
      index += count
      return count > 0
    }
    switch bytes.byte(at: index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      index += 2
      return true
    default: return false
    }
  }

  private mutating func skipNumber(in bytes: Span<UInt8>) -> Bool {
    _ = skip(UInt8(ascii: "-"), in: bytes)
    let first = index
    guard skipDigits(in: bytes), index - first == 1 || bytes.byte(at: first) != UInt8(ascii: "0") else { return false }
    if skip(UInt8(ascii: "."), in: bytes), !skipDigits(in: bytes) { return false }
    if skip(UInt8(ascii: "e"), in: bytes) || skip(UInt8(ascii: "E"), in: bytes) {
      _ = skip(UInt8(ascii: "-"), in: bytes) || skip(UInt8(ascii: "+"), in: bytes)
      return skipDigits(in: bytes)
    }
    return true
  }

  /// One digit or more.
  @inline(__always)
  private mutating func skipDigits(in bytes: Span<UInt8>) -> Bool {
    let first = index
    while index < bytes.count, bytes.byte(at: index) &- UInt8(ascii: "0") < 10 { index += 1 }
    return index > first
  }

  /// Eight bytes of the text, the first one lowest. Known to the compiler where the text is.
  /// - Precondition: `offset` and the seven behind it are offsets in the text.
  @inline(__always)
  private static func word(of text: StaticString, at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe UnsafeRawPointer(text.utf8Start + offset).loadUnaligned(as: UInt64.self))
  }
}
