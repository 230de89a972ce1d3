import LaunchHTTP

/// A word with `*` for any number of letters, digits, `_` and `-`: `sk_live_*`.
struct WordPattern: Hashable, Sendable {
  /// Between the stars; at least one is not empty.
  private let literals: [[UInt8]]
  /// What a word is made of, by byte.
  private let isWordByte: [Bool]

  init(_ text: String) {
    literals = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    let own = Set(literals.joined())
    isWordByte = (UInt8.min...UInt8.max).map {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || own.contains($0)
    }
  }

  /// The words of `text` that fit.
  func words(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    text.split { !isWordByte[Int($0)] }.filter(fits)
  }

  func fits(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = literals.first, let last = literals.last, literals.count > 1 else {
      return word.elementsEqual(literals.first ?? [])
    }
    guard word.starts(with: first) else { return false }
    var rest = word.dropFirst(first.count)
    for literal in literals.dropFirst().dropLast() {
      guard let place = rest.firstPlace(of: literal) else { return false }
      rest = rest[(place + literal.count)...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
