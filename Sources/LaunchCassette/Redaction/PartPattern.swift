/// A pattern over the parts of a host, a path or a JSON path: `*` fits one part, `**` any number of them, none included,
/// `{name}` one part that is captured.
struct PartPattern: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal([UInt8])
    case one
    case many
    case capture(String)
  }

  var parts: [Part]

  init(_ texts: some Sequence<some StringProtocol>) {
    parts = texts.map { text in
      switch text {
      case "*": .one
      case "**": .many
      case let text where text.hasPrefix("{") && text.hasSuffix("}"): .capture(String(text.dropFirst().dropLast()))
      default: .literal(Array(text.utf8))
      }
    }
  }

  /// A capture and the part that it fits.
  typealias Captured = (name: String, part: Int)

  /// What the pattern captures of `count` parts; nil when they do not fit.
  ///
  /// Remembers only the last `**`, which is enough, so the cost is at most the product of both lengths.
  /// - Parameter equals: Whether the part at this place is this text.
  func captures(of count: Int, where equals: (Int, [UInt8]) -> Bool) -> [Captured]? {
    var (part, place) = (0, 0)
    var captured: [Captured] = []
    var retry: (part: Int, place: Int, captured: Int)?
    while part < count {
      if place < parts.count, parts[place] == .many {
        retry = (part, place, captured.count)
        place += 1
      } else if place < parts.count, fits(parts[place], part, equals) {
        if case .capture(let name) = parts[place] { captured.append((name, part)) }
        part += 1
        place += 1
      } else if let last = retry {
        retry = (last.part + 1, last.place, last.captured)
        captured.removeSubrange(last.captured...)
        (part, place) = (last.part + 1, last.place + 1)
      } else {
        return nil
      }
    }
    return parts[place...].allSatisfy { $0 == .many } ? captured : nil
  }

  private func fits(_ pattern: Part, _ part: Int, _ equals: (Int, [UInt8]) -> Bool) -> Bool {
    if case .literal(let text) = pattern { equals(part, text) } else { true }
  }
}

extension PartPattern {
  /// Whether a host such as `api.example.com` fits.
  func fits(host: String) -> Bool {
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return captures(of: labels.count) { labels[$0].elementsEqual($1) } != nil
  }
}
