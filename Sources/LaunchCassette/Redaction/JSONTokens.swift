import LaunchHTTP
import LaunchJSON

/// The tokens of one JSON text, by their places.
///
/// Where the text is checked to be JSON all the way, as most is, finding them again takes no more than a look at their
/// first bytes. Of any other text, they are what a strict reader finds before the mistake. The string that a cut text ends in
/// is one, too: the quote that is not there counts to its range.
struct JSONTokens {
  enum Kind {
    case key, string, number, beginObject, beginArray, endObject, endArray
    /// `true`, `false`, `null`
    case literal
  }

  private let text: [UInt8]
  /// Nil when the text is known to be JSON.
  private var reader: JSONReader?
  private var index: Int
  private let end: Int
  /// Where the last token ends, of a text that is not JSON all the way; nil for one that is.
  var mistake: Int? { reader == nil ? nil : lastEnd }
  private var lastEnd: Int

  init(_ text: [UInt8], from start: Int) {
    self.text = text
    index = start
    lastEnd = start
    if let end = JSON.endOfValue(in: text, from: start) {
      self.end = end
    } else {
      end = text.count
      reader = JSONReader(text, in: start..<text.count)
    }
  }

  /// The next token, with its quotes; nil behind the last one.
  mutating func next() -> (kind: Kind, range: Range<Int>)? {
    if reader != nil { return nextRead() }
    let text = text
    let bytes = text.span
    while index < end, bytes[index] <= UInt8(ascii: " ") || bytes[index] == UInt8(ascii: ",") { index += 1 }
    guard index < end else { return nil }
    let start = index
    let kind: Kind
    switch bytes[start] {
    case UInt8(ascii: "{"): kind = .beginObject
    case UInt8(ascii: "["): kind = .beginArray
    case UInt8(ascii: "}"): kind = .endObject
    case UInt8(ascii: "]"): kind = .endArray
    case UInt8(ascii: "\""):
      index = text.endOfString(from: start + 1, to: end)
      let range = start..<index
      while index < end, bytes[index] <= UInt8(ascii: " ") { index += 1 }
      guard index < end, bytes[index] == UInt8(ascii: ":") else { return (.string, range) }
      index += 1
      return (.key, range)
    case let byte:
      kind = byte == UInt8(ascii: "-") || byte.isDigit ? .number : .literal
      while index < end, bytes[index].continuesWord { index += 1 }
      return (kind, start..<max(index, start + 1))
    }
    index += 1
    return (kind, start..<index)
  }

  private mutating func nextRead() -> (kind: Kind, range: Range<Int>)? {
    guard let token = try? reader?.next(), let range = reader?.tokenRange else { return cutString() }
    lastEnd = range.upperBound
    let kind: Kind
    switch token {
    case .key: kind = .key
    case .string: kind = .string
    case .integer, .number: kind = .number
    case .bool, .null: kind = .literal
    case .beginObject: kind = .beginObject
    case .beginArray: kind = .beginArray
    case .endObject: kind = .endObject
    case .endArray: kind = .endArray
    case .end: return nil
    }
    return (kind, range)
  }

  /// The string without an end that stands behind the last token.
  private mutating func cutString() -> (kind: Kind, range: Range<Int>)? {
    let marks = [UInt8(ascii: ":"), UInt8(ascii: ",")]
    let start = text[lastEnd...].firstIndex { $0 > UInt8(ascii: " ") && !marks.contains($0) }
    guard let start, text[start] == UInt8(ascii: "\""), text.isCutString(from: start) else { return nil }
    lastEnd = text.count
    return (.string, start..<text.count + 1)
  }
}

extension [UInt8] {
  /// Whether nothing ends the string whose quote stands at `start`.
  fileprivate func isCutString(from start: Int) -> Bool {
    var index = start + 1
    while index < count {
      if self[index] == UInt8(ascii: "\"") { return false }
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return true
  }

  /// Behind the quote that ends the string whose content begins at `start`; `end` when none does.
  func endOfString(from start: Int, to end: Int) -> Int {
    let bytes = span
    var index = start
    while true {
      index = bytes.plainEnd(from: index, to: end)
      guard index < end else { return end }
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index = Swift.min(index + (bytes[index] == UInt8(ascii: "\\") ? 2 : 1), end)
    }
  }
}

extension UInt8 {
  /// What numbers and literals are made of.
  fileprivate var continuesWord: Bool { isLetter || isDigit || self == 0x2B || self == 0x2D || self == 0x2E }
}
