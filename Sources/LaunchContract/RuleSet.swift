/// Some rules of a contract, by their places in it.
struct RuleSet: Sendable {
  /// A bit for each rule.
  private var words: [UInt64]
  /// No word before it has a bit.
  private var firstWord = 0

  /// None of `count` rules.
  init(of count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  mutating func insert(_ rule: Int) { words[rule / 64] |= 1 << UInt64(rule % 64) }

  mutating func formUnion(_ other: RuleSet) {
    for index in words.indices { words[index] |= other.words[index] }
    firstWord = 0
  }

  /// Takes out the first one; nil when there is none.
  mutating func popFirst() -> Int? {
    while firstWord < words.count {
      let word = words[firstWord]
      if word != 0 {
        words[firstWord] = word & (word &- 1)
        return firstWord * 64 + word.trailingZeroBitCount
      }
      firstWord += 1
    }
    firstWord = 0
    return nil
  }
}
