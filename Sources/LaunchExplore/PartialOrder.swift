/// What has to happen before what, among the numbers `0..<count`.
///
/// ```swift
/// var order = PartialOrder(count: 3)
/// order.insert(0, before: 2)
/// order.linearExtensionCount()  // 3: 1 may come anywhere
/// ```
package struct PartialOrder: Hashable, Sendable {
  /// By number: everything that has to happen before it, directly or not.
  private(set) var predecessors: [BitSet]

  /// Numbers that may come in any order.
  package init(count: Int) { predecessors = Array(repeating: BitSet(below: count), count: count) }

  package var count: Int { predecessors.count }

  package func isBefore(_ first: Int, _ second: Int) -> Bool { predecessors[second][first] }

  /// Demands that `first` happens before `second`, and with it what follows from that.
  /// - Returns: false when the contrary is demanded already; then nothing changes.
  /// - Complexity: O(n²/64)
  @discardableResult
  package mutating func insert(_ first: Int, before second: Int) -> Bool {
    guard first != second, !isBefore(second, first) else { return false }
    guard !isBefore(first, second) else { return true }
    var added = predecessors[first]
    added[first] = true
    for number in predecessors.indices where number == second || isBefore(second, number) {
      predecessors[number].formUnion(added)
    }
    return true
  }

  /// The order among `numbers` alone, which are then called by their places in it.
  package func restricted(to numbers: [Int]) -> PartialOrder {
    var order = PartialOrder(count: numbers.count)
    for (place, number) in numbers.enumerated() {
      for (other, first) in numbers.enumerated() where isBefore(first, number) {
        order.predecessors[place][other] = true
      }
    }
    return order
  }

  /// How many orders of all the numbers it allows; nil when there are too many to count.
  ///
  /// Counts by the sets that can have happened so far, of which a wide order has very many.
  /// - Parameter limit: How many such sets of one size to look at.
  package func linearExtensionCount(limit: Int = 200_000) -> Int? {
    var counts = [BitSet(below: count): 1]
    for _ in 0..<count {
      var next: [BitSet: Int] = [:]
      for (done, ways) in counts {
        for number in 0..<count where !done[number] && predecessors[number].isSubset(of: done) {
          var grown = done
          grown[number] = true
          let (sum, overflow) = next[grown, default: 0].addingReportingOverflow(ways)
          if overflow { return nil }
          next[grown] = sum
        }
        if next.count > limit { return nil }
      }
      counts = next
    }
    return counts.values.first ?? 1
  }

  /// As few chains as possible, which together hold every number once; each in ascending order of what happens first.
  ///
  /// Their number is the width: how many can be pending at once (Dilworth).
  package func chains() -> [[Int]] {
    // A matching of each number with at most one later one, by augmenting paths.
    var follower = [Int?](repeating: nil, count: count)
    var leader = [Int?](repeating: nil, count: count)
    func match(_ number: Int, _ tried: inout Set<Int>) -> Bool {
      for later in 0..<count where isBefore(number, later) && tried.insert(later).inserted {
        if let holder = leader[later], !match(holder, &tried) { continue }
        follower[number] = later
        leader[later] = number
        return true
      }
      return false
    }
    for number in 0..<count {
      var tried: Set<Int> = []
      _ = match(number, &tried)
    }
    return (0..<count).filter { leader[$0] == nil }.map { first in
      var chain = [first]
      while let next = chain.last.flatMap({ follower[$0] }) { chain.append(next) }
      return chain
    }
  }

  package var width: Int { chains().count }

  /// One order that it allows, each next number taken by `choose` from those that can come, which are ascending.
  package func linearExtension(_ choose: (_ available: [Int], _ soFar: [Int]) -> Int) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(count)
    var missing = predecessors.map(\.count)
    var available = missing.indices.filter { missing[$0] == 0 }
    while !available.isEmpty {
      let number = choose(available, order)
      available.removeAll { $0 == number }
      order.append(number)
      for later in missing.indices where isBefore(number, later) {
        missing[later] -= 1
        if missing[later] == 0 {
          available.insert(later, at: available.firstIndex { $0 > later } ?? available.endIndex)
        }
      }
    }
    return order
  }
}
