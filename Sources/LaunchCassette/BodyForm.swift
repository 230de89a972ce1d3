import LaunchJSON

extension JSONWriter {
  /// The member `body`: JSON where that keeps every byte, else text, else base64. No member when there is nothing.
  mutating func body(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    plainKey("body")
    beginObject()
    if bytes.areCompactJSON {
      plainKey("json")
      raw(bytes)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      plainKey("text")
      string(text)
    } else {
      plainKey("base64")
      raw([UInt8(ascii: "\"")] + Base64.encode(bytes) + [UInt8(ascii: "\"")])
    }
    endObject()
  }
}

extension [UInt8] {
  /// Whether these bytes are one JSON value just as `JSONWriter` writes it, so that reading and writing keeps them.
  fileprivate var areCompactJSON: Bool {
    var reader = JSONReader(self)
    guard let value = try? reader.skipValue(checkingFormIn: self), value.range == indices else { return false }
    return value.isCompact && value.depth <= JSONReader.depthLimit - linesOwnDepth
  }
}

/// How deep a body's value stands in its line: `{"request":{"body":{"json":…}}}`.
private let linesOwnDepth = 3

extension JSONReader {
  /// Moves past the next value. Says where it stands, whether its text is the one that `JSONWriter` would give it,
  /// and how many arrays and objects it nests.
  /// - Parameter bytes: What this reader reads.
  mutating func skipValue(
    checkingFormIn bytes: [UInt8]
  ) throws(JSONError) -> (range: Range<Int>, isCompact: Bool, depth: Int) {
    var token = try next()
    let start = tokenRange.lowerBound
    var end = start
    var isCompact = true
    var depth = 0
    var deepest = 0
    while true {
      let range = tokenRange
      isCompact = isCompact && isPunctuation(bytes[end..<range.lowerBound])
      end = range.upperBound
      switch token {
      case .beginObject, .beginArray:
        depth += 1
        deepest = max(deepest, depth)
      case .endObject, .endArray: depth -= 1
      case .key, .string:
        if isCompact, bytes[range].contains(UInt8(ascii: "\\")) { isCompact = isCanonical(text, bytes[range]) }
      default: break
      }
      if depth == 0 { return (start..<end, isCompact, deepest) }
      token = try next()
    }
  }
}

/// Whether what stands between two tokens is no more than JSON needs there.
private func isPunctuation(_ gap: ArraySlice<UInt8>) -> Bool {
  gap.isEmpty || gap.count == 1 && (gap.first == UInt8(ascii: ",") || gap.first == UInt8(ascii: ":"))
}

/// Whether a string is escaped just as the writer escapes it.
private func isCanonical(_ text: String, _ token: ArraySlice<UInt8>) -> Bool {
  var writer = JSONWriter()
  writer.string(text)
  return writer.bytes.elementsEqual(token)
}
