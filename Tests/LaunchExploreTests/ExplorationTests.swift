import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Synchronization
import Testing

@testable import LaunchExplore

@Suite struct ExplorationTests {
  private let contract: Contract

  init() throws { contract = try Contract.toy("m0 only after c0\nm1 only after m0") }

  @Test(arguments: [1, 3, 40])
  func `parts add up to the whole, however many there are`(count: Int) throws {
    let toy = Toy(order: randomOrder(count: 5, seed: 7))
    var whole = Exploration(toy.cassette, contracts: [contract], orders: .exhaustive, launch: toy.launch)
    let expected = whole.tally()
    var sum: Tally?
    for number in 1...count {
      var part = Exploration(toy.cassette, contracts: [contract], orders: .exhaustive, isPart: true, launch: toy.launch)
      let shard = try #require(Exploration.Shard("\(number)/\(count)"))
      let tally = part.tally(shard: shard)
      // As it comes back from a file.
      let read = try #require(Tally(tally.json))
      #expect(read == tally)
      if sum == nil { sum = read } else { sum?.add(read) }
    }
    #expect(sum == expected)
  }

  @Test func `a time-out of the app is one of the orders`() throws {
    let cassette = Cassette.answering([Toy.request(0)])
    var exploration = Exploration(
      cassette, contracts: [try Contract.toy("m0 only after c0")], orders: .exhaustive
    ) { launch in
      let timer = Task {
        try await Task.sleep(for: .seconds(5))
        launch.mark("answered 0")
      }
      _ = try await launch.transport.response(to: Toy.request(0))
      timer.cancel()
    }
    let result = exploration.run()
    let example = try #require(result.counterexamples.first)
    #expect(example.explanation.hasPrefix("breaks when the answer to c0 comes"))
    #expect(result.tally.schedules == 2)
  }

  @Test func `the client's own time-out ends a call that is held`() throws {
    let cassette = Cassette.answering([Toy.request(0)])
    var exploration = Exploration(cassette, contracts: [try Contract.toy("exactly 1 c0 (ok)")], orders: .exhaustive) {
      launch in
      _ = try? await launch.transport.response(to: Toy.request(0, timeout: .seconds(3)))
    }
    let result = exploration.run()
    #expect(result.tally.schedules == 2)
    #expect(result.counterexamples.first?.trace.exchanges.first?.error?.reason == .timeout)
  }

  @Test func `a request that nothing answers makes no claim`() throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0), Toy.request(1)]), contracts: [contract], orders: .exhaustive
    ) { launch in
      async let one = launch.transport.response(to: Toy.request(0))
      _ = try? await launch.transport.response(to: Toy.request(1))
      // Only when the other comes first.
      if Task.isCancelled { return }
      _ = try? await launch.transport.response(to: Toy.request(7))
      _ = try? await one
    }
    let result = exploration.run()
    #expect(result.claim.isEmpty)
    #expect(result.tally.unanswered.count == result.tally.schedules)
    #expect(result.withdrawals.first?.contains("UNANSWERED") == true)
    #expect(result.withdrawals.first?.contains("GET toy.example/7") == true)
    #expect(result.exitCode() == 3)
  }

  @Test func `what the fallback answers is counted beside the claim`() throws {
    let cassette = Cassette.answering([Toy.request(0), Toy.request(1)])
    var exploration = Exploration(
      cassette, contracts: [contract], orders: .exhaustive,
      fallback: { Fallback { _ in Answer(head: ResponseHead(status: 200)) } }
    ) { launch in
      async let one = launch.transport.response(to: Toy.request(0))
      async let other = launch.transport.response(to: Toy.request(1))
      _ = try? await (one, other)
      _ = try? await launch.transport.response(to: Toy.request(7))
    }
    let tally = exploration.tally()
    #expect(tally.lent.count == tally.schedules)
    #expect(Tally(tally.json) == tally)
    #expect(
      exploration.conclude(tally).claim.contains {
        $0.hasPrefix("in 2 of 2 launches something else answered what the cassette has no answer for, first ")
          && $0.hasSuffix("GET toy.example/7 with --schedule 0")
      }, "\(exploration.conclude(tally).claim)")
  }

  @Test func `a launch that does not repeat withdraws the claim and shows where`() throws {
    let calls = Mutex(0)
    var exploration = Exploration(
      Cassette.answering([Toy.request(0)]), contracts: [contract], orders: .exhaustive
    ) { launch in
      _ = try? await launch.transport.response(to: Toy.request(0))
      launch.mark("run \(calls.withLock { $0 += 1; return $0 })")
    }
    let result = exploration.run()
    #expect(result.claim.isEmpty && result.exitCode() == 3)
    #expect(result.withdrawals.first?.contains("the first run had the mark \"run") == true)
  }

  @Test func `a fault leaves the recorded answer for the retry`() throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0)]), contracts: [contract], orders: .exhaustive, varies: Variations(faults: 2)
    ) { launch in
      for _ in 0..<5 {
        if let response = try? await launch.transport.response(to: Toy.request(0)), response.status == 200 { return }
      }
    }
    let result = exploration.run()
    #expect(result.tally.unanswered.count == 0)
    // One call; one of five faults; two of them.
    #expect(result.tally.schedules == 1 + 5 + 25)
  }

  @Test func `a process that dies starts again with what it keeps`() throws {
    let cassette = Cassette.answering([Toy.request(0), Toy.request(1)])
    var exploration = Exploration(
      cassette, contracts: [try Contract.toy("at most 1 m0")], orders: .exhaustive, varies: Variations(deaths: 1)
    ) { launch in
      let store = launch.kept({ Store() }, copy: Store.init(copying:))
      guard !store.isDone else { return launch.mark("again") }
      _ = try? await launch.transport.response(to: Toy.request(0))
      launch.mark("answered 0")
      store.isDone = true
      _ = try? await launch.transport.response(to: Toy.request(1))
    }
    let tally = exploration.tally()
    // It lives, or dies before the first answer or the second.
    #expect(tally.schedules == 3)
    #expect(tally.differing.count == 0)
    #expect(tally.unanswered.count == 0)
    let launches = exploration.judge.run(ScheduleChooser("1")).events.count {
      if case .launch = $0.kind { true } else { false }
    }
    #expect(launches == 2)
    // What the dead process does while it is cancelled leaves no trace.
    let dead = exploration.judge.run(ScheduleChooser("1")).events
    #expect(dead.count { $0.kind == .mark(Mark("answered 0")) } == 1)
  }

  @Test func `what happens outside may come in any order and with another outcome`() throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0)]), contracts: [contract], orders: .exhaustive,
      varies: Variations(outcomes: true)
    ) { launch in
      async let answer = launch.transport.response(to: Toy.request(0))
      let outcome = try await launch.outcome(of: "the answer to the prompt", after: .seconds(1), among: 2)
      launch.mark("answered \(outcome)")
      _ = try await answer
    }
    // Two orders, two answers.
    #expect(exploration.tally().schedules == 4)
  }

  @Test func `what looks alike is skipped only on demand, and checked`() throws {
    let cassette = Cassette.answering((0..<5).map { Toy.request($0) }, every: .zero)
    let rule = try Contract(
      parsing: "contract \"other\" version 1\nmark done = \"done\"\nexactly 1 done\n", file: "other.contract")
    func exploration(_ assumes: Bool, remembers: Bool) -> Exploration {
      Exploration(
        cassette, contracts: [rule], orders: .exhaustive, assumesVisibleState: assumes
      ) { launch in
        let order = Order()
        await withTaskGroup(of: Void.self) { group in
          for number in 1...4 {
            group.addTask {
              _ = try? await launch.transport.response(to: Toy.request(number))
              await order.add(number)
            }
          }
        }
        if remembers { launch.mark("first was \(await order.first)") }
        launch.mark("done")
      }
    }
    // No rule names an answer and no mark tells of one: every order looks like every other one.
    var all = exploration(false, remembers: false)
    #expect(all.tally().schedules == 24)
    var some = exploration(true, remembers: false)
    let tally = some.tally()
    #expect(tally.schedules < 24 && tally.skipped > 0 && tally.misjudged.count == 0)
    // A launch that remembers what cannot be seen is found out.
    var hidden = exploration(true, remembers: true)
    let result = hidden.run()
    #expect(result.tally.misjudged.count > 0)
    #expect(result.claim.isEmpty && result.exitCode() == 3)
  }

  @Test func `what usually never comes does not come by itself`() throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0)]), contracts: [try Contract.toy("m0 only after c0")], orders: .exhaustive
    ) { launch in
      _ = try? await launch.transport.response(to: Toy.request(0))
      _ = try await launch.outcome(of: "the answer to the prompt", after: nil, among: 1)
      launch.mark("answered 0")
    }
    let recorded = exploration.judge.run(ScheduleChooser(.recorded))
    guard case .unfinished(let why) = recorded.ending else {
      Issue.record("it ended: \(recorded.ending)")
      return
    }
    #expect(why.hasPrefix("it waits for the answer to the prompt: the simulation hangs"), "\(why)")
    #expect(exploration.tally().unfinished.count == 1)
  }

  @Test func `nothing is held for longer than a minute, also beside a timer without an end`() throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0), Toy.request(1)]), contracts: [contract], orders: .covering(2)
    ) { launch in
      let timer = Task {
        while true {
          try await Task.sleep(for: .seconds(20))
          launch.mark("m2")
        }
      }
      async let one = launch.transport.response(to: Toy.request(0))
      _ = try? await launch.transport.response(to: Toy.request(1))
      _ = try? await one
      timer.cancel()
    }
    let result = exploration.run()
    #expect(result.tally.unfinished.count == 0)
    let last = try exploration.plan.dependencies.late.map { schedule in
      try #require(exploration.judge.run(ScheduleChooser(schedule)).events.last).at
    }
    #expect(last.allSatisfy { $0 <= .zero + .seconds(61) })
  }

  @Test(arguments: ["7", "0x5.1"])
  func `a schedule of another launch makes no claim`(schedule: String) throws {
    var exploration = Exploration(
      Cassette.answering([Toy.request(0), Toy.request(1)]), contracts: [contract],
      orders: .only(try #require(Schedule(schedule)))
    ) { launch in
      async let one = launch.transport.response(to: Toy.request(0))
      _ = try? await launch.transport.response(to: Toy.request(1))
      _ = try? await one
    }
    let result = exploration.run()
    #expect(result.claim.isEmpty && result.exitCode() == 3)
    #expect(result.withdrawals.first?.contains("schedule \(schedule) is not one of this launch") == true)
  }

  private actor Order {
    private(set) var first = 0
    func add(_ number: Int) { if first == 0 { first = number } }
  }

  private final class Store: Sendable {
    private let done: Mutex<Bool>
    init() { done = Mutex(false) }
    init(copying other: Store) { done = Mutex(other.isDone) }
    var isDone: Bool {
      get { done.withLock { $0 } }
      set { done.withLock { $0 = newValue } }
    }
  }
}
