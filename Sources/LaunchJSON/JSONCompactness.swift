extension JSON {
  /// Whether `bytes` are one JSON value exactly as `JSONWriter` writes it: parsing and serialising gives them back.
  ///
  /// Builds no tree; only strings with escapes are written to compare.
  package static func isCompact(_ bytes: [UInt8]) -> Bool {
    var reader = JSONReader(bytes)
    var tokenStart = 0
    var needsComma = false
    while let token = try? reader.next() {
      switch token {
      case .endObject, .endArray, .end: break
      default: tokenStart += needsComma ? 1 : 0
      }
      // White space moves the token away from where the writer puts it.
      guard reader.tokenRange.lowerBound == tokenStart, reader.hasWritersEscapes else { return false }
      tokenStart = reader.tokenRange.upperBound
      switch token {
      case .end:
        return true
      case .key:
        tokenStart += 1
        needsComma = false
      case .beginObject, .beginArray:
        needsComma = false
      default:
        needsComma = true
      }
    }
    return false
  }
}

extension JSONReader {
  /// The last token has no escapes, or those that the writer makes.
  fileprivate var hasWritersEscapes: Bool {
    guard isQuoted && hasEscapes else { return true }
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes[...] == input.bytes[tokenRange]
  }
}
