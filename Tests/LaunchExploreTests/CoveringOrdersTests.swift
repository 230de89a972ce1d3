import Testing

@testable import LaunchExplore

@Suite struct CoveringOrdersTests {
  @Test(arguments: [2, 3, 4], 3...9)
  func `every order of any few numbers occurs that is allowed`(strength: Int, count: Int) {
    let order = randomOrder(count: count, seed: UInt64(count))
    let all = Sequences(order, strength: strength)
    let covering = CoveringOrders(order, all)
    let wanted = Set(sequences(of: min(strength, count), below: count).filter(order.allows))
    var found: Set<[Int]> = []
    for candidate in covering.orders {
      #expect(order.allows(candidate) && candidate.sorted() == Array(0..<count))
      for sequence in wanted where isSubsequence(sequence, of: candidate) { found.insert(sequence) }
    }
    #expect(found == wanted)
    #expect(all.count == wanted.count)
  }

  /// NIST's table for events in any order has 10 tests for 6 events and 3 at a time, of 720.
  @Test(arguments: [(5, 2, 3), (5, 3, 10), (5, 4, 31), (6, 3, 12), (7, 2, 3), (7, 3, 14), (10, 2, 3), (10, 3, 18)])
  func `the orders are few`(count: Int, strength: Int, most: Int) {
    let order = PartialOrder(count: count)
    #expect(CoveringOrders(order, Sequences(order, strength: strength)).orders.count <= most)
  }

  @Test func `the same seed gives the same orders`() {
    let order = randomOrder(count: 8, seed: 3)
    let all = Sequences(order, strength: 3)
    #expect(CoveringOrders(order, all, seed: 5).orders == CoveringOrders(order, all, seed: 5).orders)
  }

  @Test func `one number has one order`() {
    let order = PartialOrder(count: 1)
    #expect(CoveringOrders(order, Sequences(order, strength: 3)).orders == [[0]])
  }

  private func sequences(of strength: Int, below count: Int) -> [[Int]] {
    guard strength > 0 else { return [[]] }
    return sequences(of: strength - 1, below: count).flatMap { start in
      (0..<count).filter { !start.contains($0) }.map { start + [$0] }
    }
  }

  private func isSubsequence(_ sequence: [Int], of order: [Int]) -> Bool {
    var rest = order[...]
    for number in sequence {
      guard let place = rest.firstIndex(of: number) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }
}
