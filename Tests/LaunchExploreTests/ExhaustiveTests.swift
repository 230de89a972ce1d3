import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchExplore

@Suite struct ExhaustiveTests {
  @Test(arguments: 0..<20)
  func `the schedules of a random graph are its linear extensions`(seed: Int) throws {
    let toy = Toy(order: randomOrder(count: 3 + seed % 5, seed: UInt64(seed)))
    let contract = try Contract.toy("m0 only after c0")
    var exploration = Exploration(toy.cassette, contracts: [contract], orders: .exhaustive, launch: toy.launch)
    let expected = permutations(of: toy.order.count).count { toy.order.allows($0) }
    #expect(exploration.prediction == .exactly(expected))
    let tally = exploration.tally()
    #expect(tally.schedules == expected)
    #expect(tally.differing.count == 0)
    #expect(tally.rules[0].holds == expected)
  }

  @Test func `each schedule is another order, and the first one is as recorded`() throws {
    let toy = Toy(order: PartialOrder(count: 4))
    let explorer = Explorer(toy.cassette.trace, varies: Variations(), launch: toy.launch)
    var judge = Judge(explorer, [])
    var tree = ScheduleTree(below: [])
    var orders: [[Step]] = []
    var schedules: [Schedule] = []
    while let schedule = tree.next {
      let run = judge.run(ScheduleChooser(schedule))
      tree.advance(after: run)
      orders.append(run.steps)
      schedules.append(schedule)
    }
    #expect(orders[0] == (0..<4).map { .arrival($0, outcome: 0) })
    #expect(Set(orders).count == 24 && orders.count == 24)
    #expect(schedules == schedules.sorted())
    // The recorded instants, as long as nothing comes early or late.
    let recorded = judge.run(ScheduleChooser(.recorded))
    let marks = recorded.events.filter { if case .mark = $0.kind { true } else { false } }
    #expect(marks.map(\.at) == (1...4).map { Instant.zero + .milliseconds(10) * $0 })
  }
}
