import LaunchJSON

extension FieldPath {
  /// The value that the steps lead to in a JSON text; nil as well when the text is none. All of it is checked, and nothing
  /// but the value is built.
  func value(inText bytes: [UInt8]) -> JSON? {
    var reader = JSONReader(bytes)
    guard let value = try? reader.value(at: steps[...]), (try? reader.finish()) != nil else { return nil }
    return value
  }
}

extension JSONReader {
  /// Moves past the next value; returns what the steps lead to in it. Of members with one key the last counts.
  fileprivate mutating func value(at steps: ArraySlice<FieldPath.Step>) throws(JSONError) -> JSON? {
    guard let step = steps.first else { return try readValue() }
    var found: JSON?
    switch try next() {
    case .beginObject:
      while try nextKey() {
        if case .key(let key) = step, text.utf8.elementsEqual(key.utf8) {
          found = try value(at: steps.dropFirst())
        } else {
          try skipValue()
        }
      }
    case .beginArray:
      var index = 0
      while try nextElement() {
        if step == .index(index) { found = try value(at: steps.dropFirst()) } else { try skipValue() }
        index += 1
      }
    default: break
    }
    return found
  }
}
