/// A place in a text.
public struct TextPlace: Hashable, Sendable {
  /// Counted from 1; lines end with LF, CR LF or CR.
  public var line: Int
  /// Counted from 1, in characters; a tab is one.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension TextPlace: Comparable, CustomStringConvertible {
  public static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// `12:3`
  public var description: String { "\(line):\(column)" }
}

/// Turns offsets into places; asked in the order of the text it reads the text once.
struct PlaceCounter {
  private var offset = 0
  private var place = TextPlace(line: 1, column: 1)

  /// - Parameters:
  ///   - target: At most the size of the text.
  ///   - text: The same UTF-8 in each call.
  mutating func place(at target: Int, in text: [UInt8]) -> TextPlace {
    if target < offset { self = PlaceCounter() }
    var lineStart = offset
    for index in offset..<target where text.endsLine(at: index) {
      place.line += 1
      place.column = 1
      lineStart = index + 1
    }
    place.column += String(decoding: text[lineStart..<target], as: UTF8.self).count
    offset = target
    return place
  }
}

/// Gives the lines of a text; asked for them in their order it reads the text once.
struct LineCursor {
  private let text: [UInt8]
  private var number = 1
  /// Where the line begins.
  private var start = 0
  /// The line's text, which all findings on it share: a list may be one long line.
  private var content: String?

  /// - Parameter text: UTF-8.
  init(_ text: [UInt8]) { self.text = text }

  /// The line without its line break; empty behind the last one.
  mutating func line(_ wanted: Int) -> String {
    if wanted < number { self = LineCursor(text) }
    while number < wanted, start < text.count {
      if text.endsLine(at: start) { number += 1 }
      start += 1
      content = nil
    }
    let line = content ?? String(decoding: text[start...].prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    content = line
    return line
  }
}

extension [UInt8] {
  /// Whether the byte is the last one of a line break.
  func endsLine(at index: Int) -> Bool {
    self[index] == 0x0A || self[index] == 0x0D && !(index + 1 < count && self[index + 1] == 0x0A)
  }
}
