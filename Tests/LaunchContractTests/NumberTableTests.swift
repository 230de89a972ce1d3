import TestSupport
import Testing

@testable import LaunchContract

/// What monitors look values and rules up by.
struct NumberTableTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a table says what a dictionary says, with few values and with many`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = NumberTable<Int>()
    var expected: [Int: Int] = [:]
    let numbers = seed.isMultiple(of: 2) ? 0..<6 : 0..<40
    for value in 0..<400 {
      let number = Int.random(in: numbers, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        table[number] = value
        expected[number] = value
      case 2: #expect(table.take(number) == expected.removeValue(forKey: number))
      default:
        table.change(number) { $0 += 1 }
        if let value = expected[number] { expected[number] = value + 1 }
      }
      #expect(table[number] == expected[number])
      #expect(table.contains(number) == (expected[number] != nil))
      #expect(table.count == expected.count)
      #expect(table.isEmpty == expected.isEmpty)
      #expect(table.values.sorted() == expected.values.sorted())
    }
    for number in numbers { table[number] = nil }
    #expect(table.isEmpty)
  }

  @Test func `a few values keep the order in which they came`() {
    var table: NumberTable<String> = [3: "c", 1: "a", 2: "b"]
    table.take(1)
    table[1] = "z"
    #expect(table.values == ["c", "b", "z"])
  }

  @Test(arguments: [[], [0], [63], [64], [5, 63, 64, 65, 200], [0, 1, 2], [130]])
  func `a set of rules gives its rules back once each, in order`(rules: [Int]) {
    var set = RuleSet()
    for rule in rules.reversed() { set.insert(rule) }
    #expect(set.isEmpty == rules.isEmpty)
    var other = RuleSet()
    other.insert(300)
    other.formUnion(set)
    var popped: [Int] = []
    while let rule = set.popFirst() { popped.append(rule) }
    #expect(popped == rules)
    #expect(set.isEmpty)
    var all: [Int] = []
    while let rule = other.popFirst() { all.append(rule) }
    #expect(all == rules + [300])
  }
}
