import LaunchHTTP

/// A text with one layer of escapes undone, and the way back for changes that keep its length.
struct CodedText {
  enum Coding: Hashable {
    /// `%XX` (RFC 3986 section 2.1).
    case percent
    /// `%XX`, and `+` for a space: a form.
    case form
    /// The escapes of a JSON string (RFC 8259 section 7).
    case json
  }

  /// The text with its escapes undone. What is changed here, byte for byte, is what `write` carries back.
  var bytes: [UInt8]
  private let original: [UInt8]
  /// Where in the coded text the unit of each byte begins, and where the text ends.
  private let places: [Int]
  private let coding: Coding
  /// Whether the text writes hexadecimal digits in lower case.
  private let hasLowerDigits: Bool

  /// Undoes the escapes of `text`; nil when there are none.
  init?(_ text: ArraySlice<UInt8>, _ coding: Coding) {
    guard text.mayHoldEscapes(of: coding) else { return nil }
    var bytes: [UInt8] = []
    var places: [Int] = []
    bytes.reserveCapacity(text.count)
    places.reserveCapacity(text.count + 1)
    var index = text.startIndex
    var hasEscapes = false
    var hasLowerDigits = false
    while index < text.endIndex {
      let byte = text[index]
      let unit: (bytes: [UInt8], count: Int)? =
        switch (byte, coding) {
        case (UInt8(ascii: "%"), .percent), (UInt8(ascii: "%"), .form): text.percentEscape(at: index)
        case (UInt8(ascii: "+"), .form): ([UInt8(ascii: " ")], 1)
        case (UInt8(ascii: "\\"), .json): text.jsonEscape(at: index)
        default: nil
        }
      if let unit {
        hasEscapes = true
        bytes += unit.bytes
        for _ in unit.bytes { places.append(index) }
        if unit.count > 2 { hasLowerDigits = hasLowerDigits || text[index + 1..<index + unit.count].hasLowerDigits }
        index += unit.count
      } else {
        bytes.append(byte)
        places.append(index)
        index += 1
      }
    }
    guard hasEscapes else { return nil }
    places.append(index)
    self.bytes = bytes
    self.places = places
    self.coding = coding
    self.hasLowerDigits = hasLowerDigits
    original = bytes
  }

  /// Writes what was changed in `bytes` into the coded text, each byte in the form that stood there.
  func write(into text: inout [UInt8]) {
    guard bytes.count == original.count else { return }
    var index = 0
    while index < bytes.count {
      let place = places[index]
      var end = index + 1
      while places[end] == place { end += 1 }
      if bytes[index..<end] != original[index..<end] { write(bytes[index..<end], at: place..<places[end], &text) }
      index = end
    }
  }

  private func write(_ unit: ArraySlice<UInt8>, at range: Range<Int>, _ text: inout [UInt8]) {
    switch (coding, range.count) {
    case (_, 1): if let byte = unit.first { text[range.lowerBound] = byte }
    case (.json, 6), (.json, 12):
      let units = String(decoding: unit, as: UTF8.self).utf16
      for (place, unit) in zip(stride(from: range.lowerBound, to: range.upperBound, by: 6), units) {
        text.writeHex(Int(unit), in: place + 2..<place + 6, isLower: hasLowerDigits)
      }
    case (.json, _): break  // `\n` and the like: what needs such an escape is never changed
    default:
      if let byte = unit.first {
        text.writeHex(Int(byte), in: range.lowerBound + 1..<range.upperBound, isLower: hasLowerDigits)
      }
    }
  }
}

extension [UInt8] {
  /// Writes a number in hexadecimal, as many digits as there is room for.
  fileprivate mutating func writeHex(_ number: Int, in range: Range<Int>, isLower: Bool) {
    let digits = Array((isLower ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
    var rest = number
    for place in range.reversed() {
      self[place] = digits[rest & 15]
      rest >>= 4
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func mayHoldEscapes(of coding: CodedText.Coding) -> Bool {
    switch coding {
    case .percent: contains(UInt8(ascii: "%"))
    case .form: contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    case .json: contains(UInt8(ascii: "\\"))
    }
  }

  fileprivate var hasLowerDigits: Bool { contains { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f") } }

  fileprivate func percentEscape(at index: Int) -> (bytes: [UInt8], count: Int)? {
    hex(index + 1..<index + 3).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
  }

  fileprivate func jsonEscape(at index: Int) -> (bytes: [UInt8], count: Int)? {
    guard index + 1 < endIndex else { return nil }
    switch self[index + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([self[index + 1]], 2)
    case UInt8(ascii: "u"):
      guard let unit = hex(index + 2..<index + 6) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (Array(Character(scalar).utf8), 6) }
      guard (0xD800...0xDBFF).contains(unit), index + 7 < endIndex, self[index + 6] == UInt8(ascii: "\\"),
        self[index + 7] == UInt8(ascii: "u"), let low = hex(index + 8..<index + 12), (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { return nil }
      return (Array(Character(scalar).utf8), 12)
    default: return nil
    }
  }

  private func hex(_ range: Range<Int>) -> UInt32? {
    guard range.upperBound <= endIndex else { return nil }
    var number: UInt32 = 0
    for byte in self[range] {
      guard let digit = byte.hexValue else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }
}

/// A run of base64 in either alphabet (RFC 4648 sections 4 and 5), decoded group by group, so that a change touches only the
/// characters it has to.
struct Base64Run {
  /// The decoded bytes; may be changed, not in their number.
  var bytes: [UInt8]
  private let original: [UInt8]
  /// The characters.
  let range: Range<Int>

  /// The run around `place`, where a group of four begins at `place` or any multiple of four away.
  init?(in text: [UInt8], around place: Int, groupAt group: Int) {
    var start = place
    while start > 0, base64Value(text[start - 1]) != nil { start -= 1 }
    var end = place
    while end < text.count, base64Value(text[end]) != nil { end += 1 }
    // The first character of a whole group.
    start += ((group - start) % 4 + 4) % 4
    guard end - start >= 2 else { return nil }
    range = start..<end
    bytes = []
    bytes.reserveCapacity(range.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    for (index, character) in text[range].enumerated() {
      bits = bits << 6 | UInt32(base64Value(character) ?? 0)
      // Of a group's second, third and fourth character, each completes a byte.
      if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4)))) }
    }
    original = bytes
  }

  /// Writes what was changed back into the characters.
  func write(into text: inout [UInt8]) {
    guard bytes.count == original.count else { return }
    let isForURLs = isForURLs(text)
    let alphabet = isForURLs ? urlAlphabet : standardAlphabet
    for index in bytes.indices where bytes[index] != original[index] {
      // The byte's eight bits lie in two characters.
      let bit = index * 8
      for place in [bit / 6, (bit + 7) / 6] {
        var value = 0
        for offset in 0..<6 {
          let position = place * 6 + offset
          let byte = position / 8 < bytes.count ? Int(bytes[position / 8]) : lastBits(of: text, place)
          value = value << 1 | (byte >> (7 - position % 8)) & 1
        }
        text[range.lowerBound + place] = alphabet[value]
      }
    }
  }

  /// Whether the run is in the alphabet for URLs; where no character tells, because it lacks its padding.
  private func isForURLs(_ text: [UInt8]) -> Bool {
    if text[range].contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) { return true }
    if text[range].contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) { return false }
    return range.count % 4 != 0 && text[range.upperBound...].first != UInt8(ascii: "=")
  }

  /// The unused bits behind the last byte, as a byte that begins with them.
  private func lastBits(of text: [UInt8], _ place: Int) -> Int {
    let value = Int(base64Value(text[range.lowerBound + place]) ?? 0)
    // Unused bits are the last ones of the last character: two or four of them.
    return range.count % 4 == 2 ? (value & 15) << 4 : (value & 3) << 6
  }
}

private let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private let base64Values: [UInt8] = {
  var values = [UInt8](repeating: 64, count: 256)
  for alphabet in [standardAlphabet, urlAlphabet] {
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
  }
  return values
}()

/// The value of a digit of base64 in either alphabet.
func base64Value(_ character: UInt8) -> UInt8? {
  let value = base64Values[Int(character)]
  return value < 64 ? value : nil
}

/// Characters of base64 from the middle of those that encode `bytes` alone, when `skipped` other bytes stand before them in
/// their group, and at which place of a group the first of these characters is.
func base64Window(of bytes: ArraySlice<UInt8>, after skipped: Int, count: Int) -> (text: [UInt8], place: Int) {
  let first = (skipped * 8 + 5) / 6
  let end = (skipped + bytes.count) * 8 / 6
  // The middle: the first characters are the same for many secrets.
  let start = first + (end - first - count) / 2
  let text = (start..<start + count).map { place -> UInt8 in
    let bit = place * 6 - skipped * 8
    let index = bytes.startIndex + bit / 8
    let low = index + 1 < bytes.endIndex ? Int(bytes[index + 1]) : 0
    return standardAlphabet[(Int(bytes[index]) << 8 | low) >> (10 - bit % 8) & 63]
  }
  return (text, start % 4)
}
