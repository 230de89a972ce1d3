extension Fields {
  /// The framing that the header of a message names (RFC 9112 section 6.3, points 3 to 5), nil when it names none.
  ///
  /// Stricter than the RFC asks for where readers differ: Content-Length beside Transfer-Encoding, Transfer-Encoding in
  /// HTTP/1.0 and any coding but one `chunked` are errors. Equal Content-Length values count once.
  func framing(version: HTTPVersion, headAt offset: Int) throws(CodecError) -> MessageReader.Framing? {
    let lengths = self["Content-Length"] == nil ? [] : elements("Content-Length")
    guard self["Transfer-Encoding"] == nil else {
      guard lengths.isEmpty else { throw CodecError(.lengthWithCoding, at: offset) }
      try checkCodings(elements("Transfer-Encoding"), version: version, headAt: offset)
      return .chunked
    }
    guard let first = lengths.first else { return nil }
    for length in lengths where !length.utf8.allSatisfy(\.isDigit) || Int(length) == nil {
      throw CodecError(.malformedLength(length), at: offset)
    }
    guard lengths.allSatisfy({ Int($0) == Int(first) }), let length = Int(first) else {
      throw CodecError(.conflictingLengths, at: offset)
    }
    return .length(length)
  }

  private func checkCodings(_ codings: [String], version: HTTPVersion, headAt offset: Int) throws(CodecError) {
    if let other = codings.first(where: { !$0.lowercasedASCII.hasPrefix("chunked") && !$0.isEmpty }) {
      throw CodecError(.unsupportedCoding(other), at: offset)
    }
    guard version != .http10, codings.count == 1, codings[0].equalsIgnoringCase("chunked") else {
      throw CodecError(.malformedCoding(values("Transfer-Encoding").joined(separator: ", ")), at: offset)
    }
  }

  /// The comma-separated elements of all lines under `name`, without the white space around them.
  package func elements(_ name: String) -> [String] {
    if self[name] == nil { return [] }
    return values(name).flatMap { value in
      value.utf8.split(separator: 0x2C, omittingEmptySubsequences: false).map { element in
        let start = element.drop(while: \.isBlank)
        return String(decoding: start.prefix(through: start.lastIndex { !$0.isBlank }), as: UTF8.self)
      }
    }
  }

  /// Whether the connection stays open after a message with this header (RFC 9112 section 9.3).
  func keepsAlive(version: HTTPVersion) -> Bool {
    let options = elements("Connection")
    if options.contains(where: { $0.equalsIgnoringCase("close") }) { return false }
    return version == .http11 || options.contains { $0.equalsIgnoringCase("keep-alive") }
  }
}

extension Collection {
  fileprivate func prefix(through last: Index?) -> SubSequence { last.map { self[...$0] } ?? self[..<startIndex] }
}
