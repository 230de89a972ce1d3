import LaunchHTTP

/// A URL that stands in a text.
struct URLText {
  let host: Range<Int>
  /// Behind the question mark; nil without one, or when it holds no pairs.
  let query: Range<Int>?
  /// The pairs behind the number sign, and behind a question mark there: `#/home?token=…`.
  let fragment: Range<Int>?
  let end: Int

  /// The first URL of any scheme in `text` that begins at `start` or later.
  init?(in text: [UInt8], from start: Int) {
    var colon = start
    repeat {
      guard let next = text[colon...].firstPlace(of: Array("://".utf8)) else { return nil }
      colon = next + 1
    } while colon < 2 || !(text[colon - 2].isLetter || text[colon - 2].isDigit)
    let authority = colon + 2
    end = text[authority...].firstIndex(where: \.endsURL) ?? text.count
    let hostEnd = text[authority..<end].firstIndex { "/?#".utf8.contains($0) } ?? end
    let hostStart = text[authority..<hostEnd].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority
    host = hostStart..<(text[hostStart..<hostEnd].firstIndex(of: UInt8(ascii: ":")) ?? hostEnd)
    (query, fragment) = text.pairs(in: hostEnd..<end)
  }

  /// The relative reference that is all of `text`; nil when it is none.
  init?(reference text: [UInt8]) {
    let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.firstPlace(of: Array("://".utf8)) == nil else { return nil }
    (host, end) = (0..<0, text.count)
    (query, fragment) = text.pairs(in: path.endIndex..<end)
  }
}

extension [UInt8] {
  /// The query and the fragment of the URL whose authority ends where `range` begins.
  fileprivate func pairs(in range: Range<Int>) -> (query: Range<Int>?, fragment: Range<Int>?) {
    let sign = self[range].firstIndex(of: UInt8(ascii: "#")) ?? range.upperBound
    let query = self[range.lowerBound..<sign].firstIndex(of: UInt8(ascii: "?")).map { $0 + 1..<sign }
    var fragment = Swift.min(sign + 1, range.upperBound)..<range.upperBound
    if let mark = self[fragment].firstIndex(of: UInt8(ascii: "?")),
      !self[fragment.lowerBound..<mark].contains(UInt8(ascii: "="))
    {
      fragment = mark + 1..<fragment.upperBound
    }
    let parts = [query, fragment].map { part in
      part.flatMap { self[$0].contains(UInt8(ascii: "=")) ? $0 : nil }
    }
    return (parts[0], parts[1])
  }

  /// Whether a URL of the web with something behind its path may begin at `range`, in JSON or percent-encoded.
  func mayBeURL(_ range: Range<Int>) -> Bool {
    guard range.count > 10, self[range.lowerBound] | 0x20 == UInt8(ascii: "h"),
      self[range].prefix(4).elementsEqual("http".utf8, by: { $0 | 0x20 == $1 })
    else { return false }
    return self[range].contains { "?#%".utf8.contains($0) }
  }

  /// Whether there is a `://` at `range`, in JSON or not.
  func mayHoldURL(_ range: Range<Int>) -> Bool {
    var rest = self[range]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[(colon + 1)...]
      if rest.starts(with: "//".utf8) || rest.starts(with: #"\/"#.utf8) { return true }
    }
    return false
  }
}

extension UInt8 {
  /// What stands in no URL (RFC 3986 appendix C).
  fileprivate var endsURL: Bool { self <= 0x20 || self == 0x7F || "\"<>".utf8.contains(self) }
}
