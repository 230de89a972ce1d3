/// One line of a text, without its end.
struct Line {
  /// Counted from 1.
  var number: Int
  var range: Range<Int>
  /// A newline follows.
  var isEnded: Bool

  func column(of offset: Int) -> Int { offset - range.lowerBound + 1 }
}

/// The lines of a text that are not blank.
struct LineSplitter: IteratorProtocol {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the line given last.
  private(set) var number: Int

  /// - Parameter number: How many lines come before `bytes`.
  init(_ bytes: [UInt8], after number: Int = 0) {
    self.bytes = bytes
    self.number = number
  }

  mutating func next() -> Line? {
    while position < bytes.count {
      let start = position
      let end = bytes.span.firstIndex(of: UInt8(ascii: "\n"), in: start..<bytes.count)
      position = end + 1
      number += 1
      if !isBlank(start..<end) {
        return Line(number: number, range: start..<end, isEnded: end < bytes.count)
      }
    }
    return nil
  }

  /// Where the next line begins, blank or not.
  var nextStart: Int { position }

  /// The next line, for a caller that has found its end, a line feed.
  mutating func next(endingAt end: Int) -> Line {
    defer { position = end + 1 }
    number += 1
    return Line(number: number, range: position..<end, isEnded: true)
  }

  @inline(__always)
  private func isBlank(_ range: Range<Int>) -> Bool {
    guard let first = range.first, bytes[first] <= 0x20 else { return range.isEmpty }
    return !bytes[range].contains { $0 > 0x20 || $0 == 0 }
  }

  /// No line is left that is not blank.
  var isAtEnd: Bool {
    var rest = self
    return rest.next() == nil
  }

  /// At least as many lines as there are.
  var countLimit: Int { bytes.span.count(of: UInt8(ascii: "\n")) + 1 }
}
