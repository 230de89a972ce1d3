import LaunchHTTP

/// Where the names and values of a form or a query stand, however carelessly it is written.
///
/// Items stand between `&`, also where one of them is empty or has no value. A `;` or a line break ends an item where
/// another `name=` follows, and blanks around an item do not count.
struct FormItems {
  struct Item {
    var name: Range<Int>
    var value: Range<Int>
  }

  private let text: [UInt8]
  private(set) var all: [Item] = []

  init(_ text: [UInt8]) {
    self.text = text
    for part in text.split(separator: UInt8(ascii: "&")) { add(part.indices) }
  }

  /// Adds the items of what stands between two `&`.
  private mutating func add(_ part: Range<Int>) {
    var rest = part
    while let equals = text[rest].firstIndex(of: UInt8(ascii: "=")) {
      let start = text[rest.lowerBound..<equals].lastIndex(where: \.mayEndItem).map { $0 + 1 } ?? rest.lowerBound
      let end = endOfValue(equals + 1..<rest.upperBound)
      all.append(Item(name: trimmed(start..<equals), value: equals + 1..<trimmed(equals + 1..<end).upperBound))
      rest = end..<rest.upperBound
    }
  }

  private func endOfValue(_ range: Range<Int>) -> Int {
    // JSON holds such bytes itself.
    if text.mayHoldJSON(range) { return range.upperBound }
    var start = range.lowerBound
    while let end = text[start..<range.upperBound].firstIndex(where: \.mayEndItem) {
      if beginsItem(end..<range.upperBound) { return end }
      start = end + 1
    }
    return range.upperBound
  }

  /// Whether nothing follows, or another `name=`. Base64 in lines ends in `=`, too.
  private func beginsItem(_ range: Range<Int>) -> Bool {
    let rest = text[range].drop { $0.mayEndItem || $0.isBlank }
    let name = rest.prefix { $0.isNameByte }
    if rest.isEmpty { return true }
    let behind = rest.dropFirst(name.count)
    guard !name.isEmpty, behind.first == UInt8(ascii: "=") else { return false }
    guard let first = behind.dropFirst().first else { return text[range.lowerBound] == UInt8(ascii: ";") }
    return first != UInt8(ascii: "=") && !first.isLineBreak
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    guard let first = text[range].firstIndex(where: { !$0.isBlank && !$0.isLineBreak }),
      let last = text[range].lastIndex(where: { !$0.isBlank && !$0.isLineBreak })
    else { return range.lowerBound..<range.lowerBound }
    return first..<last + 1
  }
}

extension ArraySlice<UInt8> {
  /// Whether the text is nothing but `name=value` with `&` between them, as only forms are.
  var areFormPairs: Bool {
    guard let first, first.isNameByte, contains(UInt8(ascii: "=")),
      allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D })
    else { return false }
    return split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).allSatisfy { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex else { return false }
      return pair[..<equals].allSatisfy(\.isNameByte)
    }
  }

  /// Whether the text may be a form that is not written as it should be: no JSON, and no page or script.
  var mayBeForm: Bool {
    var isName = true
    var hasValues = false
    for byte in self {
      if byte == UInt8(ascii: "&") || byte.mayEndItem {
        isName = true
      } else if byte == UInt8(ascii: "=") {
        (isName, hasValues) = (false, true)
      } else if byte < 0x20 && byte != 0x09 || byte == 0x7F || isName && "<>{}()\"".utf8.contains(byte) {
        return false
      }
    }
    return hasValues
  }
}

extension UInt8 {
  /// What names of form fields are made of.
  fileprivate var isNameByte: Bool {
    if isLetter || isDigit { return true }
    // Most texts that are no form begin with one of these.
    if self == UInt8(ascii: "{") || self == UInt8(ascii: "<") { return false }
    return "%+-._~*$:[]".utf8.contains(self)
  }

  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }

  fileprivate var mayEndItem: Bool { self == UInt8(ascii: ";") || isLineBreak }
}
