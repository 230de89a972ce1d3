extension Location {
  /// Reads an absolute `http` or `https` URL.
  ///
  /// Scheme and host become lower case; port, path and query stay as written, dot segments and odd percent-encoding
  /// included. A missing path is `/`. A fragment is dropped: it never goes on the wire (RFC 9110 section 4.2.5).
  /// - Throws: `LocationError` with the byte where the first mistake begins.
  public init(parsing text: String) throws(LocationError) {
    self = try LocationParser(text).location()
  }

  /// The location that `reference` means when it stands in an answer from this location: a redirect's `Location` line.
  ///
  /// Takes an absolute URL, `//host/path`, `/path`, `path`, `?query` and the empty text (RFC 3986 section 5.2). Dot
  /// segments of the reference are resolved, those of this location's path only where the two are merged.
  /// - Throws: `LocationError`, counted in bytes of the reference.
  public func resolving(_ reference: String) throws(LocationError) -> Location {
    try LocationParser(reference).location(from: self)
  }

  /// The decoded `name=value` pairs of the query in order, duplicates kept; a part without `=` has an empty value.
  ///
  /// `+` stays `+`: it means a space in forms only. For a query written by a form use `FormPairs(parsing:)`.
  public var queryItems: [(name: String, value: String)] {
    decodedPairs(of: query ?? "") { $0.percentDecoded }
  }
}

/// Reads one text; offsets are bytes of it.
private struct LocationParser {
  private let bytes: [UInt8]
  /// Where the fragment begins, or the end.
  private let end: Int

  init(_ text: String) throws(LocationError) {
    bytes = Array(text.utf8)
    end = bytes.firstIndex(of: Ascii.hash) ?? bytes.count
    if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw LocationError(.forbiddenByte(bytes[offset]), at: offset)
    }
  }

  func location() throws(LocationError) -> Location {
    guard let colon = schemeEnd else { throw LocationError(.missingScheme, at: 0) }
    let scheme = text(0..<colon).lowercasedASCII
    guard scheme == "http" || scheme == "https" else {
      throw LocationError(.unsupportedScheme(text(0..<colon)), at: 0)
    }
    guard starts(with: "//", at: colon + 1) else { throw LocationError(.missingHost, at: colon + 1) }
    return try location(scheme: scheme, authorityAt: colon + 3)
  }

  func location(from base: Location) throws(LocationError) -> Location {
    var location = base
    if schemeEnd != nil {
      location = try self.location()
      location.path = location.path.withoutDotSegments
    } else if starts(with: "//", at: 0) {
      location = try self.location(scheme: base.scheme, authorityAt: 2)
      location.path = location.path.withoutDotSegments
    } else if end > 0 {
      let target = self.target(at: 0)
      if target.path.utf8.first == Ascii.slash {
        location.path = target.path.withoutDotSegments
      } else if !target.path.isEmpty {
        location.path = (base.folder + target.path).withoutDotSegments
      }
      location.query = target.query
    }
    return location
  }

  private func location(scheme: String, authorityAt start: Int) throws(LocationError) -> Location {
    let authority = start..<index(of: [Ascii.slash, Ascii.question], from: start)
    guard !bytes[authority].contains(Ascii.at) else { throw LocationError(.userInfo, at: start) }
    let hostEnd = try self.hostEnd(in: authority)
    guard hostEnd > start else { throw LocationError(.missingHost, at: start) }
    let port = try self.port(in: hostEnd..<authority.upperBound)
    let target = self.target(at: authority.upperBound)
    return Location(
      scheme: scheme, host: text(start..<hostEnd).lowercasedASCII, port: port,
      path: target.path.isEmpty ? "/" : target.path, query: target.query)
  }

  /// The colon behind a scheme, nil when the text does not begin with one.
  private var schemeEnd: Int? {
    let colon = index(of: [Ascii.colon, Ascii.slash, Ascii.question], from: 0)
    guard colon < end, bytes[colon] == Ascii.colon, let first = bytes.first, first.isLetter else { return nil }
    return bytes[..<colon].allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) } ? colon : nil
  }

  private func hostEnd(in authority: Range<Int>) throws(LocationError) -> Int {
    guard bytes[authority].first == Ascii.openBracket else {
      let hostEnd = bytes[authority].firstIndex(of: Ascii.colon) ?? authority.upperBound
      if let offset = bytes[authority.lowerBound..<hostEnd].firstIndex(where: { !$0.isHostByte }) {
        throw LocationError(.hostByte(bytes[offset]), at: offset)
      }
      return hostEnd
    }
    let inside = authority.dropFirst()
    guard let close = bytes[inside].firstIndex(of: Ascii.closeBracket) else {
      throw LocationError(.malformedAddress, at: authority.lowerBound)
    }
    let address = bytes[inside.lowerBound..<close]
    guard address.count(where: { $0 == Ascii.colon }) >= 2,
      address.allSatisfy({ $0.hexValue != nil || $0 == Ascii.colon || $0 == Ascii.dot })
    else { throw LocationError(.malformedAddress, at: authority.lowerBound) }
    return close + 1
  }

  private func port(in range: Range<Int>) throws(LocationError) -> Int? {
    guard let first = bytes[range].first else { return nil }
    let digits = bytes[range].dropFirst()
    if first == Ascii.colon, digits.isEmpty { return nil }
    guard first == Ascii.colon, digits.count <= 5, digits.allSatisfy(\.isDigit),
      let port = Int(text(digits.startIndex..<digits.endIndex)), (1...65535).contains(port)
    else { throw LocationError(.malformedPort, at: range.lowerBound) }
    return port
  }

  private func target(at start: Int) -> (path: String, query: String?) {
    let mark = index(of: [Ascii.question], from: start)
    return (text(start..<mark), mark < end ? text(mark + 1..<end) : nil)
  }

  private func index(of stops: [UInt8], from start: Int) -> Int {
    bytes[start..<end].firstIndex(where: stops.contains) ?? end
  }

  private func starts(with prefix: String, at offset: Int) -> Bool {
    offset <= end && bytes[offset..<end].starts(with: prefix.utf8)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

private enum Ascii {
  static let hash: UInt8 = 0x23
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
  static let question: UInt8 = 0x3F
  static let at: UInt8 = 0x40
  static let openBracket: UInt8 = 0x5B
  static let closeBracket: UInt8 = 0x5D
}

extension UInt8 {
  /// A byte of a registered name (RFC 3986 section 3.2.2).
  fileprivate var isHostByte: Bool { isLetter || isDigit || "-._~%!$&'()*+,;=".utf8.contains(self) }
}

extension Location {
  /// The path up to and including its last slash.
  fileprivate var folder: String {
    guard let slash = path.utf8.lastIndex(of: Ascii.slash) else { return "/" }
    return String(path[...slash])
  }
}

extension String {
  /// An absolute path with `.` and `..` carried out (RFC 3986 section 5.2.4).
  fileprivate var withoutDotSegments: String {
    // Bytes, not characters: a slash and a combining mark behind it are one character.
    let segments = utf8.split(separator: Ascii.slash, omittingEmptySubsequences: false).dropFirst().map {
      Substring($0)
    }
    var kept: [Substring] = []
    for segment in segments {
      if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(segment) }
    }
    if let last = segments.last, last == "." || last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }
}
