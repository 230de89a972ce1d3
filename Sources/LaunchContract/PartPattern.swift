/// The parts that a host or a path is made of, and what each must be.
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
  /// The text that alone fits; nil when there is a wildcard.
  let onlyText: String?

  /// - Parameter text: What the parts were cut from.
  init(_ parts: [Part], of text: String) {
    self.parts = parts
    onlyText = parts.allSatisfy(\.isLiteral) ? text : nil
  }

  /// - Parameter cut: The same text in parts, which is asked for if there are wildcards.
  func fits(_ text: String, _ cut: @autoclosure () -> CutText) -> Bool {
    if let onlyText { return text == onlyText }
    return fits(cut())
  }

  /// Remembers only the last `**`, which is enough, so the cost is at most the product of both numbers of parts.
  private func fits(_ cut: CutText) -> Bool {
    var (part, place) = (0, 0)
    var retry: (part: Int, place: Int)?
    while part < cut.ranges.count {
      if place < parts.count, parts[place] == .many {
        retry = (part, place)
        place += 1
      } else if place < parts.count, Self.fits(cut.bytes[cut.ranges[part]], parts[place]) {
        part += 1
        place += 1
      } else if let last = retry {
        retry = (last.part + 1, last.place)
        (part, place) = (last.part + 1, last.place + 1)
      } else {
        return false
      }
    }
    return parts[place...].allSatisfy { $0 == .many }
  }

  private static func fits(_ text: ArraySlice<UInt8>, _ part: Part) -> Bool {
    switch part {
    case .literal(let literal): text.count == literal.count && text.elementsEqual(literal)
    case .one: !text.isEmpty
    case .many: true
    }
  }
}

/// A text cut at every separator, without copies of its parts.
struct CutText {
  let bytes: [UInt8]
  /// Where the parts stand; one at least.
  private(set) var ranges: [Range<Int>] = []

  init(_ text: some Sequence<UInt8>, at separator: UInt8) {
    bytes = Array(text)
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == separator {
      ranges.append(start..<index)
      start = index + 1
    }
    ranges.append(start..<bytes.count)
  }
}
