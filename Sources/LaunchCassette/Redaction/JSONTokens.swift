import LaunchHTTP
import LaunchJSON

/// The tokens of one JSON text, by their places.
///
/// Most texts are checked while their tokens are found. Where something comes that is seldom (an escape, a letter beyond
/// ASCII, a fraction) or wrong, the whole text is: if it is JSON all the way, finding the rest takes no more than a look at
/// first bytes. Of any other text, the tokens are what a strict reader finds before the mistake. The string that a cut text
/// ends in is one, too: the quote that is not there counts to its range.
struct JSONTokens {
  enum Kind {
    case key, string, number, beginObject, beginArray, endObject, endArray
    /// `true`, `false`, `null`
    case literal
  }

  /// What is known of the text.
  private enum Trust {
    /// It was plain JSON up to here.
    case plain
    /// It is JSON all the way.
    case whole
    /// It is not.
    case none
  }

  private let text: [UInt8]
  private let start: Int
  private var trust = Trust.plain
  private var grammar = PlainGrammar()
  /// Reads a text that is not JSON all the way.
  private var reader: JSONReader?
  private var index: Int
  private var end: Int
  /// How many tokens were found.
  private var count = 0
  private var lastEnd: Int

  init(_ text: [UInt8], from start: Int) {
    self.text = text
    self.start = start
    index = start
    end = text.count
    lastEnd = start
  }

  /// Where the last token ends, of a text that is not JSON all the way; nil for one that is.
  var mistake: Int? { trust == .none ? lastEnd : nil }

  /// The next token, with its quotes; nil behind the last one.
  mutating func next() -> (kind: Kind, range: Range<Int>)? {
    let text = text
    return next(text.span)
  }

  /// - Parameter bytes: Those of the text, which a loop reads fastest like this.
  @inline(__always)
  mutating func next(_ bytes: Span<UInt8>) -> (kind: Kind, range: Range<Int>)? {
    if trust == .plain, let token = grammar.next(in: bytes, from: index) {
      index = token.range.upperBound
      count += 1
      return token
    }
    return nextSeldom()
  }

  private mutating func nextSeldom() -> (kind: Kind, range: Range<Int>)? {
    if trust == .plain {
      if grammar.isOver { return nil }
      lookCloser()
    }
    return trust == .whole ? nextFound() : nextRead()
  }

  /// Checks all of the text, and goes on behind the tokens that were found.
  private mutating func lookCloser() {
    if let end = JSON.endOfValue(in: text, from: start) {
      self.end = end
      trust = .whole
      return
    }
    trust = .none
    var reader = JSONReader(text, in: start..<text.count)
    for _ in 0..<count { _ = try? reader.next() }
    self.reader = reader
    if count > 0 { lastEnd = reader.tokenRange.upperBound }
  }

  /// The next token of a text that is JSON.
  private mutating func nextFound() -> (kind: Kind, range: Range<Int>)? {
    let text = text
    let bytes = text.span
    while index < end, bytes[index].isBetweenTokens { index += 1 }
    guard index < end else { return nil }
    let start = index
    let kind: Kind
    switch bytes[start] {
    case UInt8(ascii: "{"): kind = .beginObject
    case UInt8(ascii: "["): kind = .beginArray
    case UInt8(ascii: "}"): kind = .endObject
    case UInt8(ascii: "]"): kind = .endArray
    case UInt8(ascii: "\""):
      index = bytes.endOfString(from: start + 1, to: end).end
      var next = index
      while next < end, bytes[next] <= UInt8(ascii: " ") { next += 1 }
      return (next < end && bytes[next] == UInt8(ascii: ":") ? .key : .string, start..<index)
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
  func endOfString(from start: Int, to end: Int) -> Int { span.endOfString(from: start, to: end).end }
}

extension Span<UInt8> {
  /// Behind the quote that ends the string whose content begins at `start`, or `end` when none does; and whether there is a
  /// backslash before it.
  @inline(__always)
  func endOfString(from start: Int, to end: Int) -> (end: Int, hasEscapes: Bool) {
    var index = start
    var hasEscapes = false
    while true {
      index = plainEnd(from: index, to: end)
      guard index < end else { return (end, hasEscapes) }
      let byte = byte(at: index)
      if byte == UInt8(ascii: "\"") { return (index + 1, hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        index += 1
      }
      index = Swift.min(index + 1, end)
    }
  }
}

extension UInt8 {
  /// What numbers and literals are made of.
  fileprivate var continuesWord: Bool { isLetter || isDigit || self == 0x2B || self == 0x2D || self == 0x2E }

  fileprivate var isBetweenTokens: Bool { self <= 0x20 || self == UInt8(ascii: ",") || self == UInt8(ascii: ":") }
}
