import Testing

@testable import LaunchExplore

@Suite struct PartialOrderTests {
  @Test func `what follows from what is known is known`() {
    var order = PartialOrder(count: 5)
    let isTaken = [(1, 2), (3, 4), (2, 3), (4, 1), (2, 2)].map { order.insert($0, before: $1) }
    #expect(isTaken == [true, true, true, false, false])
    #expect(order.isBefore(1, 4))
    #expect(!order.isBefore(0, 4))
  }

  @Test(arguments: 0..<20)
  func `the linear extensions of a random graph are as many as brute force finds`(seed: Int) {
    let order = randomOrder(count: 3 + seed % 6, seed: UInt64(seed))
    #expect(order.linearExtensionCount() == permutations(of: order.count).count { order.allows($0) })
  }

  @Test(arguments: 0..<20)
  func `the width of a random graph is that of its largest antichain`(seed: Int) {
    let order = randomOrder(count: 4 + seed % 6, seed: UInt64(100 + seed))
    let chains = order.chains()
    #expect(chains.joined().sorted() == Array(0..<order.count))
    for chain in chains {
      #expect(zip(chain, chain.dropFirst()).allSatisfy { order.isBefore($0, $1) })
    }
    let antichains = (0..<(1 << order.count)).filter { mask in
      let members = (0..<order.count).filter { mask >> $0 & 1 == 1 }
      return members.allSatisfy { first in members.allSatisfy { !order.isBefore(first, $0) } }
    }
    #expect(order.width == antichains.map(\.nonzeroBitCount).max())
  }

  @Test func `a launch of twenty exchanges is counted, a wide one is not`() {
    var layered = PartialOrder(count: 20)
    for number in 5..<20 { layered.insert(number - 5, before: number) }
    // Five chains of four: 20! / (4!)⁵.
    #expect(layered.linearExtensionCount() == 305_540_235_000)
    #expect(PartialOrder(count: 64).linearExtensionCount() == nil)
  }
}

func randomOrder(count: Int, seed: UInt64) -> PartialOrder {
  var generator = ExploreGenerator(seed: seed)
  var order = PartialOrder(count: count)
  let names = Array(0..<count).shuffled(using: &generator)
  for second in 0..<count {
    for first in 0..<second where Int.random(in: 0..<100, using: &generator) < 25 {
      order.insert(names[first], before: names[second])
    }
  }
  return order
}

func permutations(of count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(of: count - 1).flatMap { shorter in
    (0...shorter.count).map { place in
      var longer = shorter
      longer.insert(count - 1, at: place)
      return longer
    }
  }
}

extension PartialOrder {
  func allows(_ order: [Int]) -> Bool {
    order.indices.allSatisfy { place in order[(place + 1)...].allSatisfy { !isBefore($0, order[place]) } }
  }
}
