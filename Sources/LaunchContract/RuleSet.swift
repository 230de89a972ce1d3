/// Some rules of a contract, by their places in it.
struct RuleSet: Sendable {
  /// A bit for each of the first 64 rules. Few contracts have more, so a set rarely needs memory of its own.
  private var first: UInt64 = 0
  /// The same for the rules behind them, 64 a word.
  private var others: [UInt64] = []

  var isEmpty: Bool { first == 0 && others.allSatisfy { $0 == 0 } }

  mutating func insert(_ rule: Int) {
    let bit: UInt64 = 1 << UInt64(rule % 64)
    if rule < 64 {
      first |= bit
    } else {
      while others.count < rule / 64 { others.append(0) }
      others[rule / 64 - 1] |= bit
    }
  }

  mutating func formUnion(_ other: RuleSet) {
    first |= other.first
    if other.others.isEmpty { return }
    for (index, word) in other.others.enumerated() {
      if index < others.count { others[index] |= word } else { others.append(word) }
    }
  }

  /// Takes out the first one; nil when there is none.
  mutating func popFirst() -> Int? {
    if first != 0 { return Self.popFirst(of: &first) }
    for index in others.indices where others[index] != 0 {
      return (index + 1) * 64 + Self.popFirst(of: &others[index])
    }
    return nil
  }

  private static func popFirst(of word: inout UInt64) -> Int {
    defer { word &= word &- 1 }
    return word.trailingZeroBitCount
  }
}
