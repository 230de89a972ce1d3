import LaunchJSON

extension FieldPath {
  /// The value that the steps lead to in a JSON text; nil as well when the text is none. All of it is checked, and nothing
  /// but the value is built. Of members with one key the last counts.
  func value(inText bytes: [UInt8]) -> JSON? {
    var cursor = JSONCursor(bytes, in: bytes.indices)
    return place(in: bytes, &cursor).flatMap { cursor.value(at: $0, bytes) }
  }

  /// Whether they lead to one.
  func isPresent(inText bytes: [UInt8]) -> Bool {
    var cursor = JSONCursor(bytes, in: bytes.indices)
    return place(in: bytes, &cursor) != nil
  }

  private func place(in bytes: [UInt8], _ cursor: inout JSONCursor) -> Range<Int>? {
    guard let whole = try? cursor.skim(), (try? cursor.finish()) != nil else { return nil }
    var range = whole.range
    for step in steps {
      guard let inner = cursor.place(of: step, in: range, bytes) else { return nil }
      range = inner
    }
    return range
  }
}

extension JSONCursor {
  /// The value at `range`, which is known to be one.
  fileprivate mutating func value(at range: Range<Int>, _ bytes: [UInt8]) -> JSON? {
    move(to: range)
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let number = try? integer() { return .integer(number) }
    case UInt8(ascii: "\""):
      if let text = try? string(), !text.hasEscapes {
        return .string(String(decoding: bytes[text.range], as: UTF8.self))
      }
    default: break
    }
    return try? JSON(parsing: bytes, in: range)
  }

  /// Where the step leads to in the value at `range`; nil where it leads nowhere.
  fileprivate mutating func place(of step: FieldPath.Step, in range: Range<Int>, _ bytes: [UInt8]) -> Range<Int>? {
    move(to: range)
    return switch step {
    case .key(let key): try? member(key, bytes)
    case .index(let index): try? element(index)
    }
  }

  private mutating func member(_ name: String, _ bytes: [UInt8]) throws(JSONError) -> Range<Int>? {
    try beginObject()
    var found: Range<Int>?
    while try nextKey() {
      let isMeant =
        key.hasEscapes
        ? unescaped(key).elementsEqual(name.utf8)
        : key.range.count == name.utf8.count && bytes[key.range].elementsEqual(name.utf8)
      let value = try skim()
      if isMeant { found = value.range }
    }
    return found
  }

  private mutating func element(_ wanted: Int) throws(JSONError) -> Range<Int>? {
    try beginArray()
    var index = 0
    while try nextElement() {
      let value = try skim()
      if index == wanted { return value.range }
      index += 1
    }
    return nil
  }
}
