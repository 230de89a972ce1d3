import LaunchJSON

/// Pseudonyms and the live values that go in their place, all found in one pass.
struct Replacements: Sendable {
  private struct Text: Sendable {
    var plain: [UInt8]
    /// As inside a JSON string.
    var escaped: [UInt8]
  }

  private var texts = TextIndex<Text>()

  var isEmpty: Bool { texts.isEmpty }

  /// Puts `new` wherever `old` stands. The first one for a text counts.
  /// - Precondition: `old` has four bytes or more.
  mutating func replace(_ old: String, by new: String) {
    var writer = JSONWriter()
    writer.string(new)
    texts.add(Array(old.utf8), Text(plain: Array(new.utf8), escaped: Array(writer.bytes.dropFirst().dropLast())))
  }

  /// The bytes with everything replaced that is to be, and no replacement replaced again; nil where nothing is.
  func replaced(_ bytes: Span<UInt8>, isJSON: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard let (count, text) = texts.match(in: bytes, at: index) else {
        index += 1
        continue
      }
      result.append(bytes.extracting(start..<index))
      result += isJSON ? text.escaped : text.plain
      index += count
      start = index
    }
    if start == 0 { return nil }
    result.append(bytes.extracting(start..<bytes.count))
    return result
  }
}
