import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchExplore

@Suite struct RandomTests {
  /// Three chains of two answers: of 6 steps, and 4 chains with that of time.
  private static let toy: Toy = {
    var order = PartialOrder(count: 6)
    for number in 0..<3 { order.insert(number, before: number + 3) }
    return Toy(order: order)
  }()

  struct Bug: Sendable {
    /// How many orders between two answers it takes.
    var depth: Int
    /// Shows in a launch in which the answers come so, whatever lies between them.
    var order: [Int]
  }

  @Test(arguments: [
    Bug(depth: 1, order: [5, 0]), Bug(depth: 2, order: [5, 0, 4]), Bug(depth: 2, order: [3, 2, 1]),
    Bug(depth: 2, order: [4, 5, 0]), Bug(depth: 3, order: [5, 0, 4, 3]), Bug(depth: 3, order: [3, 2, 5, 1]),
  ])
  func `a planted bug is met at least as often as PCT promises`(bug: Bug) throws {
    var exploration = Exploration(
      Self.toy.cassette, contracts: [try Contract.toy("m0 only after c0")], orders: .random(runs: 1, depth: bug.depth),
      launch: Self.toy.launch)
    let plan = exploration.plan
    let runs = 1_000
    var hits = 0
    for seed in 0..<runs {
      let chooser = RandomChooser(
        seed: UInt64(seed) &* 0x9e37_79b9, chains: plan.chains, stepCount: plan.stepCount, depth: bug.depth,
        varies: Variations())
      let turns = exploration.judge.run(chooser).steps.compactMap(\.turn)
      let places = bug.order.map { number in
        turns.firstIndex { exploration.judge.explorer.turns.name(of: $0) == "the answer to GET toy.example/\(number)" }
          ?? 0
      }
      if zip(places, places.dropFirst()).allSatisfy(<) { hits += 1 }
    }
    var odds = Double(plan.chains.count + 1)
    for _ in 1..<bug.depth { odds *= Double(plan.stepCount) }
    #expect(plan.chains.count == 3 && plan.stepCount == 6)
    #expect(Double(hits) / Double(runs) >= 1 / odds, "\(hits) of \(runs)")
  }

  @Test func `the same seed draws the same launches, another one others`() throws {
    func orders(_ seed: UInt64) throws -> Set<UInt64> {
      var exploration = Exploration(
        Self.toy.cassette, contracts: [try Contract.toy("m0 only after c0\nm1 only after c1\nm5 only after c5")],
        orders: .random(runs: 10, depth: 2), seed: seed, launch: Self.toy.launch)
      return exploration.tally().classes
    }
    #expect(try orders(1) == orders(1))
    #expect(try orders(1) != orders(2))
  }

  @Test func `the claim states the bound`() throws {
    var exploration = Exploration(
      Self.toy.cassette, contracts: [try Contract.toy("m0 only after c0")], orders: .random(runs: 100, depth: 2),
      launch: Self.toy.launch)
    let claim = exploration.run().claim
    #expect(
      claim.first
        == "100 random launches of toy, seed 1, depth 2, each run twice with equal events: what takes at most 2 orders between two turns would be missed with probability below (1 − 1/24)^100 = 1.42 %"
    )
  }
}
