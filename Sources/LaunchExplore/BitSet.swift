/// A set of the numbers below a fixed bound, as bits.
struct BitSet: Hashable, Sendable {
  private var words: [UInt64]

  /// An empty set for the numbers `0..<bound`.
  init(below bound: Int) { words = Array(repeating: 0, count: (bound + 63) / 64) }

  subscript(number: Int) -> Bool {
    get { words[number / 64] >> UInt64(number % 64) & 1 == 1 }
    set {
      if newValue {
        words[number / 64] |= 1 << UInt64(number % 64)
      } else {
        words[number / 64] &= ~(1 << UInt64(number % 64))
      }
    }
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// In ascending order.
  var numbers: [Int] {
    var numbers: [Int] = []
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        numbers.append(index * 64 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    return numbers
  }

  func isSubset(of other: BitSet) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }

  mutating func formUnion(_ other: BitSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }
}
