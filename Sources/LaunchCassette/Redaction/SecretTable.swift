import LaunchHTTP

/// The secrets known so far, what stands for each, and the search for all of them at once.
///
/// Six bytes of every secret are in a table by their value, and so are six characters of each of its forms in base64. Any
/// six bytes in a text hold four that begin at a multiple of three: those are looked up in a filter, one load for three
/// bytes of text, and only what it lets through is compared or decoded. Escapes are undone where a piece of a secret was
/// found without the rest, so text without secrets costs one pass.
struct SecretTable: Sendable {
  struct Secret: Sendable {
    var kind: String
    /// As it was first seen.
    var value: [UInt8]
    /// In lower case.
    var pseudonym: [UInt8]
    /// What stands for the secret, in the letter case it was first seen in.
    var replacement: [UInt8]
    /// It is a pseudonym of an earlier redaction, and stays.
    var isKept: Bool

    init(kind: String, value: [UInt8], pseudonym: [UInt8], isKept: Bool) {
      (self.kind, self.value, self.pseudonym, self.isKept) = (kind, value, pseudonym, isKept)
      replacement = pseudonym.inCase(of: value)
    }

    /// What stands for the secret where it is written as `occurrence`.
    func replacement(for occurrence: [UInt8]) -> [UInt8] {
      occurrence == value ? replacement : pseudonym.inCase(of: occurrence)
    }
    /// It is replaced wherever it stands, not only where a rule points.
    var isSearched: Bool { value.count >= SecretText.searchedLength }
  }

  private(set) var secrets: [Secret] = []
  /// By a hash of the value, or the next free number behind it.
  private var indices: [UInt64: Int] = [:]
  private var counts: [String: Int] = [:]
  /// Pseudonyms given so far.
  private var given: Set<[UInt8]> = []
  /// Pseudonyms of another recording that may come along, in lower case.
  private var expected: Set<[UInt8]> = []
  private var patterns: [Pattern] = []
  /// The first of the windows with these bytes.
  private var firstWindows: [UInt64: Int] = [:]
  private var windows: [Window] = []
  private var filter = WindowFilter()
  /// Some secret has no six bytes in a row that every encoding leaves as they are.
  private var needsDecoding = false
  /// Some secret holds a space.
  private var hasSpaces = false

  /// Escapes in escapes in escapes: nobody nests more.
  private static let depthLimit = 4

  /// The secret with this value; a new one when it was never seen. Values that differ in the letter case of ASCII alone are
  /// one secret, unless they are plain words.
  /// - Returns: Its number; nil when the value is trivial.
  mutating func learn(_ value: some Collection<UInt8>, kind: String) -> Int? {
    let value = Array(value)
    let place = place(of: value)
    if let known = indices[place] { return known }
    guard !SecretText.isTrivial(value) else { return nil }
    if !expected.isEmpty, expected.contains(value.map(\.lowercasedASCII)) {
      keep(value, kind: kind)
      return secrets.count - 1
    }
    let number = counts[kind, default: 0] + 1
    let pseudonym = freePseudonym(for: value, kind: kind, number: number)
    counts[kind] = number
    add(Secret(kind: kind, value: value, pseudonym: pseudonym, isKept: false), at: place)
    return secrets.count - 1
  }

  /// Takes note of a pseudonym of another recording. It stays as it is where it stands, and until then is as free as any:
  /// a launch that is recorded again gets the pseudonyms it had.
  mutating func expect(_ pseudonym: [UInt8]) { expected.insert(pseudonym.map(\.lowercasedASCII)) }

  /// Takes a pseudonym of an earlier redaction, which stays as it is.
  mutating func keep(_ pseudonym: [UInt8], kind: String) {
    let place = place(of: pseudonym)
    guard indices[place] == nil, !pseudonym.isEmpty else { return }
    counts[kind, default: 0] += 1
    let lower = pseudonym.map(\.lowercasedASCII)
    add(Secret(kind: kind, value: pseudonym, pseudonym: lower, isKept: true), at: place)
  }

  /// What stands for the secret whose value is exactly what stands at `range`; nil when there is none.
  func replacement(at range: Range<Int>, in text: [UInt8]) -> [UInt8]? {
    guard let index = indices[hash(of: text[range])], secrets[index].value[...] == text[range] else {
      return nil
    }
    return secrets[index].replacement
  }

  private func hash(of value: some Collection<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in value { hash = (hash ^ UInt64(byte | 0x20)) &* 0x0000_0100_0000_01B3 }
    return hash
  }

  /// Where in `indices` the secret with this value stands, or has its place.
  private func place(of value: [UInt8]) -> UInt64 {
    var hash = hash(of: value)
    while let index = indices[hash], !secrets[index].value.isSameSecret(as: value) { hash &+= 1 }
    return hash
  }

  private mutating func add(_ secret: Secret, at place: UInt64) {
    // A part of it may have been replaced in what was written before: that form is its own from now on.
    var earlier = secret.value
    let wasPart = replace(in: &earlier)
    indices[place] = secrets.count
    given.insert(secret.pseudonym)
    secrets.append(secret)
    guard secret.isSearched, !secret.isKept else { return }
    addPattern(secret.value, of: secrets.count - 1)
    if wasPart { addPattern(earlier, of: secrets.count - 1) }
  }

  private func freePseudonym(for value: [UInt8], kind: String, number: Int) -> [UInt8] {
    let source = Pseudonym(for: value, kind: kind, number: number)
    let lower = value.map(\.lowercasedASCII)
    var choice = source.choice(0)
    // Short shapes run out: of two digits there are not many.
    for attempt in 1...1000 {
      guard choice == lower || given.contains(choice) || indices[place(of: choice)] != nil else { return choice }
      choice = source.choice(attempt)
    }
    return choice
  }
}

extension SecretTable {
  /// A text that stands for a secret.
  fileprivate struct Pattern: Sendable {
    var bytes: [UInt8]
    var secret: Int
    var surroundings: Surroundings
  }

  /// What may not stand beside a secret, where the same bytes would mean something else.
  fileprivate enum Surroundings: Sendable {
    case any
    /// Words of plain letters are parts of other words, and capitals tell them apart.
    case noWord
    /// Digits are parts of other numbers.
    case noDigit
  }

  /// Six bytes of a pattern.
  private struct Window: Sendable {
    var pattern: Int
    /// Where in the pattern; nil for base64, which has to be decoded.
    var offset: Int?
    /// The place of the first character in its group of base64.
    var place = 0
    /// Another one with the same bytes.
    var next: Int?
  }

  /// Whether there is anything to look for.
  var isSearching: Bool { !patterns.isEmpty }

  private static let windowLength = SecretText.searchedLength

  private mutating func addPattern(_ value: [UInt8], of secret: Int) {
    let index = patterns.count
    patterns.append(Pattern(bytes: value, secret: secret, surroundings: Surroundings(of: value)))
    if value.contains(UInt8(ascii: " ")) { hasSpaces = true }
    let run = value.longestPlainRun
    let anchor = run.count >= Self.windowLength ? run : value[...]
    if run.count < Self.windowLength { needsDecoding = true }
    addWindow(
      Array(anchor.suffix(Self.windowLength)), Window(pattern: index, offset: anchor.endIndex - Self.windowLength))
    addBase64Windows(anchor, of: index)
    guard SecretText.isHex(value) else { return }
    let lower = anchor.map(\.lowercasedASCII)
    addBase64Windows(lower[...], of: index)
    addBase64Windows(lower.map { $0.isLetter ? $0 & ~0x20 : $0 }[...], of: index)
  }

  private mutating func addBase64Windows(_ text: ArraySlice<UInt8>, of pattern: Int) {
    for skipped in 0..<3 {
      let (window, place) = base64Window(of: text, after: skipped, count: Self.windowLength)
      addWindow(window, Window(pattern: pattern, offset: nil, place: place))
      guard window.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { continue }
      let forURLs = window.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      }
      addWindow(forURLs, Window(pattern: pattern, offset: nil, place: place))
    }
  }

  private mutating func addWindow(_ bytes: [UInt8], _ window: Window) {
    let key = WindowFilter.key(of: bytes, at: 0)
    guard var index = firstWindows[key] else {
      firstWindows[key] = windows.count
      windows.append(window)
      if filter.isFull(of: firstWindows.count) { filter = WindowFilter(firstWindows.keys) } else { filter.insert(key) }
      return
    }
    while true {
      let known = windows[index]
      if known.pattern == window.pattern, known.offset == window.offset, known.place == window.place { return }
      guard let next = known.next else { break }
      index = next
    }
    windows[index].next = windows.count
    windows.append(window)
  }
}

extension SecretTable {
  /// A secret in a text.
  struct Occurrence {
    /// In the text, its escapes or its base64 undone where there were any.
    var range: Range<Int>
    var secret: Int
  }

  /// What one pass over a text finds.
  private struct Findings {
    var occurrences: [Occurrence] = []
    /// A character of base64, and where a group begins.
    var encoded: [(place: Int, group: Int)] = []
    /// A piece of a secret without the rest.
    var hasPieces = false
  }

  /// Replaces every secret in every form by its pseudonym; `text` keeps its length.
  /// - Returns: Whether anything was replaced.
  @discardableResult
  func replace(in text: inout [UInt8]) -> Bool {
    guard firstPlace(in: text, text.indices) != nil else { return false }
    var changed = false
    visit(&text, depth: 0) { bytes, occurrence in
      let pseudonym = secrets[occurrence.secret].pseudonym
      bytes.replaceSubrange(occurrence.range, with: pseudonym.inCase(of: bytes[occurrence.range]))
      changed = true
    }
    return changed
  }

  /// Where in `range` something stands first that may belong to a secret: six bytes of one, or an escape that could hide
  /// something. Nil for most texts.
  func firstPlace(in text: [UInt8], _ range: Range<Int>) -> Int? {
    guard !patterns.isEmpty, range.count >= Self.windowLength else { return nil }
    // Piece by piece: what stands in the first ones need not be looked for to the end.
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 4096) {
      let end = min(start + 4096, range.upperBound)
      var known: Int?
      filter.visitCandidates(in: text, start..<min(end + Self.windowLength - 1, range.upperBound)) { place, key in
        if firstWindows[key] != nil { known = place }
        return known == nil
      }
      // An escape behind that is of no interest.
      if let place = firstHidingEscape(in: text, start..<(known ?? end)) ?? known { return place }
    }
    return nil
  }

  /// The first escape that has to be undone whatever else was found.
  private func firstHidingEscape(in text: [UInt8], _ range: Range<Int>) -> Int? {
    let hidesInForms = hasSpaces && needsDecoding
    var start = range.lowerBound
    while let place = firstEscape(in: text, start..<range.upperBound, hidesInForms) {
      if needsDecoding { return place }
      let mark: StaticString = text[place] == UInt8(ascii: "%") ? "%" : "\\u00"
      if text[place...].beginsWithNeedlessEscape(mark) { return place }
      start = place + 1
    }
    return nil
  }

  private func firstEscape(in text: [UInt8], _ range: Range<Int>, _ hasForms: Bool) -> Int? {
    hasForms
      ? text.firstPlace(of: UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "+"), in: range)
      : text.firstPlace(of: UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "%"), in: range)
  }

  /// The secrets that stand in `text` in any form.
  func secrets(in text: [UInt8]) -> Set<Int> {
    var found: Set<Int> = []
    var text = text
    visit(&text, depth: 0) { _, occurrence in found.insert(occurrence.secret) }
    return found
  }

  /// Whether a text that was cut off ends within a secret.
  func isCutSecret(atEndOf text: [UInt8]) -> Bool {
    patterns.contains { pattern in
      let longest = min(pattern.bytes.count - 1, text.count)
      guard longest >= Self.windowLength else { return false }
      return (Self.windowLength...longest).contains { count in
        zip(pattern.bytes, text[(text.count - count)...]).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
      }
    }
  }

  /// Calls `body` with each occurrence, in the text it stands in with escapes undone; what `body` changes is written back.
  private func visit(_ text: inout [UInt8], depth: Int, _ body: (inout [UInt8], Occurrence) -> Void) {
    guard !patterns.isEmpty, text.count >= Self.windowLength else { return }
    let findings = findings(in: text)
    let stream = StoredStream(text)
    defer { if let stream { stream.seal(&text) } }
    var end = 0
    for occurrence in findings.occurrences.sorted(by: Self.isBefore) where occurrence.range.lowerBound >= end {
      end = occurrence.range.upperBound
      body(&text, occurrence)
    }
    guard depth < Self.depthLimit else { return }
    var decodedEnd = 0
    for (place, group) in findings.encoded where place >= decodedEnd {
      guard var run = Base64Run(in: text, around: place, groupAt: group) else { continue }
      let before = run.bytes
      visit(&run.bytes, depth: depth + 1, body)
      // Found in vain, the run may still be read from another place of its groups.
      if run.bytes != before {
        run.write(into: &text)
        decodedEnd = run.range.upperBound
      }
    }
    for coding in codings(of: text, findings.hasPieces) {
      guard var decoded = CodedText(text[...], coding) else { continue }
      visit(&decoded.bytes, depth: depth + 1, body)
      decoded.write(into: &text)
    }
  }

  private static func isBefore(_ left: Occurrence, _ right: Occurrence) -> Bool {
    left.range.lowerBound == right.range.lowerBound
      ? left.range.count > right.range.count : left.range.lowerBound < right.range.lowerBound
  }

  private func findings(in text: [UInt8]) -> Findings {
    var findings = Findings()
    filter.visitCandidates(in: text, text.indices) { place, key in
      var index = firstWindows[key]
      while let current = index {
        add(windows[current], at: place, in: text, to: &findings)
        index = windows[current].next
      }
      return true
    }
    return findings
  }

  private func add(_ window: Window, at place: Int, in text: [UInt8], to findings: inout Findings) {
    guard let offset = window.offset else {
      findings.encoded.append((place, place - window.place))
      return
    }
    let pattern = patterns[window.pattern]
    let start = place - offset
    guard start >= 0, start + pattern.bytes.count <= text.count else {
      findings.hasPieces = true
      return
    }
    let range = start..<start + pattern.bytes.count
    if pattern.matches(text, range) {
      findings.occurrences.append(Occurrence(range: range, secret: pattern.secret))
    } else {
      findings.hasPieces = true
    }
  }

  /// The escapes that have to be undone to see all of `text`.
  private func codings(of text: [UInt8], _ hasPieces: Bool) -> [CodedText.Coding] {
    var codings: [CodedText.Coding] = []
    let all = hasPieces || needsDecoding
    if text.holds(UInt8(ascii: "\\")), all || text.hasNeedlessEscapes("\\u00") { codings.append(.json) }
    if text.holds(UInt8(ascii: "%")), all || text.hasNeedlessEscapes("%") { codings.append(.percent) }
    if hasSpaces, all, text.holds(UInt8(ascii: "+")) { codings.append(.form) }
    return codings
  }
}

extension SecretTable.Pattern {
  fileprivate func matches(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    let found = text[range]
    switch surroundings {
    case .any: return found.elementsEqual(bytes) { $0.lowercasedASCII == $1.lowercasedASCII }
    case .noWord: return found.elementsEqual(bytes) && !text.isBeside(range) { $0.isLetter || $0.isDigit || $0 == 0x5F }
    case .noDigit: return found.elementsEqual(bytes) && !text.isBeside(range, \.isDigit)
    }
  }
}

extension SecretTable.Surroundings {
  fileprivate init(of value: [UInt8]) {
    if value.allSatisfy(\.isWordByte) {
      self = .noWord
    } else {
      self = value.allSatisfy(\.isDigit) ? .noDigit : .any
    }
  }
}

extension UInt8 {
  /// A letter or a space: what plain words are made of.
  fileprivate var isWordByte: Bool { isLetter || self == UInt8(ascii: " ") }
}

extension [UInt8] {
  /// Whether both are one secret: but for the letter case of ASCII the same, plain words exactly.
  fileprivate func isSameSecret(as other: [UInt8]) -> Bool {
    if self == other { return true }
    return count == other.count && elementsEqual(other) { $0.lowercasedASCII == $1.lowercasedASCII }
      && !allSatisfy(\.isWordByte)
  }

  /// Whether a byte like this touches the range.
  fileprivate func isBeside(_ range: Range<Int>, _ isSuch: (UInt8) -> Bool) -> Bool {
    range.lowerBound > 0 && isSuch(self[range.lowerBound - 1])
      || range.upperBound < count && isSuch(self[range.upperBound])
  }

  /// The longest run of bytes that no usual encoder escapes.
  fileprivate var longestPlainRun: ArraySlice<UInt8> {
    split { !($0.isLetter || $0.isDigit || "._-".utf8.contains($0)) }.max { $0.count < $1.count } ?? []
  }
}

extension [UInt8] {
  /// Whether a letter, a digit or a percent sign is written as an escape: `mark` and two hexadecimal digits.
  fileprivate func hasNeedlessEscapes(_ mark: StaticString) -> Bool {
    indices.contains { self[$0...].beginsWithNeedlessEscape(mark) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func beginsWithNeedlessEscape(_ mark: StaticString) -> Bool {
    let place = startIndex + mark.utf8CodeUnitCount
    guard place + 2 <= endIndex, mark.withUTF8Buffer({ unsafe prefix($0.count).elementsEqual($0) }),
      let high = self[place].hexValue, let low = self[place + 1].hexValue
    else { return false }
    let byte = high << 4 | low
    return byte.isLetter || byte.isDigit || byte == UInt8(ascii: "%") || "._-".utf8.contains(byte)
  }
}
