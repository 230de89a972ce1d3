/// The parts between the separators of a text, the labels of a host or the segments of a path, and what each must be.
struct PartPattern: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal([UInt8])
    /// Exactly one, not empty.
    case one
    /// Any number, none included.
    case many

    var isLiteral: Bool { if case .literal = self { true } else { false } }
  }

  private let parts: [Part]
  private let separator: UInt8
  /// The text that alone fits; nil when there is a wildcard.
  let onlyText: String?

  /// - Parameter text: What the parts were cut from.
  init(_ parts: [Part], separator: UInt8, of text: String) {
    self.parts = parts
    self.separator = separator
    onlyText = parts.allSatisfy(\.isLiteral) ? text : nil
  }

  /// Whether the text fits, whose first part begins at `first`. Remembers only the last `**`, which is enough, so the cost
  /// is at most the product of the lengths of both.
  func fits(_ text: String, from first: Int) -> Bool {
    var text = text
    // The span does not outlive the text.
    return text.withUTF8 { bytes in unsafe fits(Swift.Span(_unsafeElements: bytes), from: first) }
  }

  private func fits(_ text: Swift.Span<UInt8>, from first: Int) -> Bool {
    var (start, place) = (first, 0)
    var retry: (start: Int, place: Int)?
    while start <= text.count {
      if place < parts.count, parts[place] == .many {
        retry = (start, place)
        place += 1
        continue
      }
      let end = end(ofPartAt: start, in: text)
      if place < parts.count, Self.fits(text, start..<end, parts[place]) {
        start = end + 1
        place += 1
      } else if let last = retry {
        start = self.end(ofPartAt: last.start, in: text) + 1
        retry = (start, last.place)
        place = last.place + 1
      } else {
        return false
      }
    }
    return parts[place...].allSatisfy { $0 == .many }
  }

  private func end(ofPartAt start: Int, in text: Swift.Span<UInt8>) -> Int {
    var end = start
    while end < text.count, text[end] != separator { end += 1 }
    return end
  }

  private static func fits(_ text: Swift.Span<UInt8>, _ range: Range<Int>, _ part: Part) -> Bool {
    switch part {
    case .literal(let literal):
      range.count == literal.count && literal.indices.allSatisfy { text[range.lowerBound + $0] == literal[$0] }
    case .one: !range.isEmpty
    case .many: true
    }
  }
}
