import LaunchHTTP

/// Where a name and its value stand in a query or a form.
struct FormPair {
  let name: Range<Int>
  let value: Range<Int>
  /// Whether something has to be decoded.
  let isEncoded: Bool

  /// The pair up to the next `&`, or the end.
  init(in text: Span<UInt8>, from start: Int) {
    let end = text.index(of: UInt8(ascii: "&"), in: start..<text.count)
    let equals = text.index(of: UInt8(ascii: "="), in: start..<end)
    name = start..<equals
    value = min(equals + 1, end)..<end
    let pair = text.extracting(start..<end)
    isEncoded = pair.contains(UInt8(ascii: "%")) || pair.contains(UInt8(ascii: "+"))
  }

  /// Whether there is nothing between two `&`.
  var isEmpty: Bool { name.lowerBound == value.upperBound }
}

/// Every `%XX` decoded; the text as it is where that gives no UTF-8, so that different texts stay different.
func percentDecoded(_ text: Span<UInt8>) -> [UInt8] {
  let decoded = percentDecodedBytes(of: text)
  return decoded.span.isUTF8 ? decoded : text.copy
}

/// As `FormPairs` decodes.
func formDecoded(_ text: Span<UInt8>) -> [UInt8] {
  var spaced = text.copy
  for index in spaced.indices where spaced[index] == UInt8(ascii: "+") { spaced[index] = 0x20 }
  return spaced.span.contains(UInt8(ascii: "%")) ? percentDecoded(spaced.span) : spaced
}
