/// Appends compact JSON to a buffer: no white space, members and elements in the order of the calls.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("at")
/// writer.integer(1204)
/// writer.key("body")
/// writer.raw(body)  // already JSON
/// writer.endObject()
/// file.append(writer.bytes)  // {"at":1204,"body":…}
/// ```
///
/// Strings are UTF-8 as they are; only `"`, `\` and the control characters below 0x20 are escaped, as `\"`, `\\`, `\b`,
/// `\f`, `\n`, `\r`, `\t`, and the rest as `\u00` with two lower-case hexadecimal digits. A slash is not escaped. The writer
/// places commas and colons; that keys stand in objects and every begin has its end is up to the caller.
public struct JSONWriter: Sendable {
  /// What was written so far.
  public var bytes: [UInt8] { buffer }

  @usableFromInline package private(set) var buffer: [UInt8]
  /// Whether the next key or element stands behind another one.
  @usableFromInline package var needsComma = false

  /// A writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) { buffer = bytes }

  /// Opens an object; its members follow, each a key and a value.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// Closes the innermost object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }
  /// Opens an array; its elements follow.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// Closes the innermost array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The key of the next value; for use inside an object.
  public mutating func key(_ key: String) {
    string(key)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string, escaped where it must be.
  public mutating func string(_ string: String) {
    if appendPlain(nil, string) { return }
    beginString()
    part(string)
    endString()
  }

  /// Writes a whole number.
  public mutating func integer(_ integer: Int) { self.integer(Int64(integer)) }

  /// Writes a whole number.
  public mutating func integer(_ integer: Int64) {
    append(room: JSONRoom.integerLimit + 1) { room, needsComma in
      if needsComma { room.put(UInt8(ascii: ",")) }
      room.put(integer)
    }
    needsComma = true
  }

  /// Writes `text`, which must be a number of RFC 8259 section 6.
  public mutating func number(_ text: String) {
    precondition(JSON.isNumber(text), "\(text) is not a JSON number")
    separate()
    buffer.append(contentsOf: text.utf8)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ bool: Bool) { literal(bool ? "true" : "false") }
  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes bytes that are one JSON value already; they are not checked.
  public mutating func raw(_ value: [UInt8]) { raw(value[...]) }

  /// Writes a part of an array that is one JSON value already; it is not checked.
  public mutating func raw(_ value: ArraySlice<UInt8>) {
    append(room: value.count + 1) { room, needsComma in
      if needsComma { room.put(UInt8(ascii: ",")) }
      room.put(value.span)
    }
    needsComma = true
  }

  /// Writes a value and all it holds.
  public mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .integer(let integer): self.integer(integer)
    case .number(let text): number(text)
    case .string(let string): self.string(string)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  /// Ends a line of JSON Lines; the next value starts anew.
  public mutating func newline() {
    buffer.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Forgets what was written and keeps the memory.
  public mutating func removeAll() {
    buffer.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// The key of the next value, which is plain ASCII that needs no escape: the same as `key`, in less time.
  @inlinable @inline(__always)
  package mutating func member(_ key: StaticString) {
    append(room: key.utf8CodeUnitCount + 4) { room, needsComma in room.put(key: key, needsComma) }
    needsComma = false
  }

  /// The same as `member` and `integer`.
  @inlinable @inline(__always)
  package mutating func member(_ key: StaticString, _ integer: Int64) {
    append(room: key.utf8CodeUnitCount + 4 + JSONRoom.integerLimit) { room, needsComma in
      room.put(key: key, needsComma)
      room.put(integer)
    }
    needsComma = true
  }

  /// The same as `member` and `string` with text that needs no escape.
  @inlinable @inline(__always)
  package mutating func member(_ key: StaticString, plain text: StaticString) {
    append(room: key.utf8CodeUnitCount + text.utf8CodeUnitCount + 6) { room, needsComma in
      room.put(key: key, needsComma)
      room.put(UInt8(ascii: "\""))
      room.put(text)
      room.put(UInt8(ascii: "\""))
    }
    needsComma = true
  }

  /// The same as `member` and a value that is JSON as it is.
  @inlinable @inline(__always)
  package mutating func member(_ key: StaticString, literal: StaticString) {
    append(room: key.utf8CodeUnitCount + literal.utf8CodeUnitCount + 4) { room, needsComma in
      room.put(key: key, needsComma)
      room.put(literal)
    }
    needsComma = true
  }

  /// The same as `member` and `string`.
  package mutating func member(_ key: StaticString, _ text: String) {
    if appendPlain(key, text) { return }
    member(key)
    string(text)
  }

  /// Appends `["name","value"]` when neither needs an escape.
  /// - Returns: False when one does, and nothing was appended.
  package mutating func pair(_ name: String, _ value: String) -> Bool {
    var (name, value) = (name, value)
    let isDone = name.withUTF8 { name in
      value.withUTF8 { value in
        guard unsafe name.isPlain && value.isPlain else { return false }
        append(room: name.count + value.count + 8) { room, needsComma in
          if needsComma { room.put(UInt8(ascii: ",")) }
          room.put("[\"")
          unsafe room.put(name)
          room.put("\",\"")
          unsafe room.put(value)
          room.put("\"]")
        }
        return true
      }
    }
    if isDone { needsComma = true }
    return isDone
  }

  /// Opens a string whose parts follow.
  package mutating func beginString() {
    separate()
    buffer.append(UInt8(ascii: "\""))
  }

  /// Closes the string.
  package mutating func endString() { buffer.append(UInt8(ascii: "\"")) }

  /// Appends a part of an open string, escaped where it must be.
  package mutating func part(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in unsafe appendEscaped(utf8) }
  }

  /// Appends a part of an open string, UTF-8 that is escaped where it must be.
  package mutating func part(utf8: [UInt8]) {
    unsafe utf8.withUnsafeBufferPointer { utf8 in unsafe appendEscaped(utf8) }
  }

  /// Appends a part of an open string that needs no escape; `fill` only appends.
  package mutating func part(_ fill: (inout [UInt8]) -> Void) { fill(&buffer) }

  /// Appends a part of an open string that needs no escape.
  package mutating func part(plain text: StaticString) { append(text) }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe buffer.append(contentsOf: $0) }
  }

  /// Appends a string, or a member with one, when it needs no escape.
  /// - Returns: False when it does, and nothing was appended.
  private mutating func appendPlain(_ key: StaticString?, _ text: String) -> Bool {
    var text = text
    let isDone = text.withUTF8 { text in
      guard unsafe text.isPlain else { return false }
      append(room: text.count + (key?.utf8CodeUnitCount ?? 0) + 7) { room, needsComma in
        if let key {
          room.put(key: key, needsComma)
        } else if needsComma {
          room.put(UInt8(ascii: ","))
        }
        room.put(UInt8(ascii: "\""))
        unsafe room.put(text)
        room.put(UInt8(ascii: "\""))
      }
      return true
    }
    if isDone { needsComma = true }
    return isDone
  }

  /// Appends what `fill` puts into the room made for it: one look at the array's memory for many bytes.
  @inlinable @inline(__always)
  package mutating func append(room: Int, _ fill: (inout JSONRoom, _ needsComma: Bool) -> Void) {
    let needsComma = needsComma
    buffer.append(addingCapacity: room) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        var room = unsafe JSONRoom(buffer)
        fill(&room, needsComma)
        count = room.count
      }
    }
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    buffer.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    buffer.append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    separate()
    buffer.append(contentsOf: text.utf8)
  }

  private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
    var written = 0
    var index = 0
    while true {
      index = unsafe utf8.span.plainEnd(from: index, to: utf8.count)
      guard index < utf8.count else { break }
      let byte = unsafe utf8[index]
      if byte < 0x80 {
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written..<index]))
        appendEscape(byte)
        written = index + 1
      }
      index += 1
    }
    append(room: utf8.count - written) { room, _ in unsafe room.put(UnsafeBufferPointer(rebasing: utf8[written...])) }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(byte)
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    default:
      buffer.append(contentsOf: "u00".utf8)
      buffer.append(UInt8(ascii: "0") + byte >> 4)
      buffer.append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
    }
  }
}

extension JSON {
  /// The value as compact JSON: no white space, members in order, numbers as they were read.
  ///
  /// Reading it gives an equal value, unless a `.number` was made by hand from an integer that fits 64 bits. A `.number`
  /// made by hand that is not a JSON number is a programming error and stops the program.
  public var serialized: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The same as `serialized`, as text.
  public var text: String { String(decoding: serialized, as: UTF8.self) }
}
