import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchExplore

/// Small launches with one bug each. Every one holds as recorded.
@Suite struct PlantedBugTests {
  struct Bug: Sendable, CustomTestStringConvertible {
    var name: String
    var rule: String
    var requests = 2
    var varies = Variations()
    /// How the smallest counterexample is explained.
    var explanation: String
    var launch: @Sendable (Launch) async throws -> Void

    var testDescription: String { name }
  }

  static let bugs = [
    Bug(
      name: "double fetch", rule: "exactly 1 c1",
      explanation: "breaks when the answer to c3 comes before the answer to c1; nothing else need change"
    ) { launch in
      // Both callers look for what only the first of them has to fetch.
      let cache = Cache()
      async let first: Void = cache.use(after: 0, launch)
      async let second: Void = cache.useLater(after: 3, launch)
      _ = try await (first, second)
    },
    Bug(
      name: "lost wake-up", rule: "m0 only after c0",
      explanation: "breaks when the answer to c1 comes before the answer to c0; nothing else need change"
    ) { launch in
      // The waiter comes to wait after the other has signalled.
      let door = Door()
      async let signal: Void = door.signal(after: 1, launch)
      async let waiting: Void = door.wait(after: 0, launch)
      _ = try await (signal, waiting)
    },
    Bug(
      name: "check then act", rule: "at most 1 m5",
      explanation: "breaks when the answer to c3 comes before the answer to c1; nothing else need change"
    ) { launch in
      let shop = Shop()
      async let one: Void = shop.buy(0, 1, launch)
      async let other: Void = shop.buy(3, 2, launch)
      _ = try await (one, other)
    },
    Bug(
      name: "unordered unpause", rule: "m1 only after m0",
      explanation: "breaks when the answer to c1 comes before the answer to c0; nothing else need change"
    ) { launch in
      async let tags: Void = launch.get(0, mark: "answered 0")
      async let unpause: Void = launch.get(1, mark: "answered 1")
      _ = try await (tags, unpause)
    },
    Bug(
      name: "retry storm", rule: "at most 3 c0", requests: 1, varies: Variations(faults: 1),
      explanation: "breaks when c0 is answered 503; nothing else need change"
    ) { launch in
      // A refused answer is retried at once, five times side by side.
      let response = try await launch.transport.response(to: Toy.request(0))
      guard response.status == 503 else { return }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask { _ = try? await launch.transport.response(to: Toy.request(0)) } }
      }
    },
  ]

  @Test(arguments: bugs)
  func `a planted bug is found and reduced to what was planted`(bug: Bug) throws {
    let contract = try Contract.toy(bug.rule)
    let cassette = Cassette.answering((0..<4).map { Toy.request($0) })
    let ok: @Sendable (Request) -> Answer? = { _ in Answer(head: ResponseHead(status: 200)) }
    var exploration = Exploration(
      cassette, contracts: [contract], orders: .exhaustive, varies: bug.varies, fallback: { Fallback(answer: ok) },
      launch: bug.launch)
    let result = exploration.run()
    let example = try #require(result.counterexamples.first)
    #expect(example.explanation == bug.explanation)
    #expect(example.schedule != .recorded)
    #expect(result.exitCode() == 1)
    // The schedule alone shows it again, and the trace of it is broken like any other.
    var again = Exploration(
      cassette, contracts: [contract], orders: .only(example.schedule), varies: bug.varies,
      fallback: { Fallback(answer: ok) },
      launch: bug.launch)
    #expect(again.run().counterexamples.map(\.schedule) == [example.schedule])
    if case .broken = example.finding {
      #expect(contract.verification(of: example.trace).exitCode() == 1)
    }
  }
}

extension Launch {
  fileprivate func get(_ number: Int, mark name: String) async throws {
    _ = try await transport.response(to: Toy.request(number))
    mark(name)
  }
}

/// Fetches c1 once, it means to.
private actor Cache {
  private var isFetched = false
  private var isFilled = false

  func use(after number: Int, _ launch: Launch) async throws {
    _ = try await launch.transport.response(to: Toy.request(number))
    guard !isFilled else { return }
    _ = try await launch.transport.response(to: Toy.request(1))
    isFilled = true
  }

  func useLater(after number: Int, _ launch: Launch) async throws {
    _ = try await launch.transport.response(to: Toy.request(number))
    guard !isFilled else { return }
    _ = try? await launch.transport.response(to: Toy.request(1))
    isFilled = true
  }
}

/// A signal that nobody keeps.
private actor Door {
  private var waiting: CheckedContinuation<Void, Never>?

  func wait(after number: Int, _ launch: Launch) async throws {
    _ = try await launch.transport.response(to: Toy.request(number))
    launch.mark("answered 0")
    await withCheckedContinuation { waiting = $0 }
  }

  func signal(after number: Int, _ launch: Launch) async throws {
    _ = try await launch.transport.response(to: Toy.request(number))
    waiting?.resume()
    waiting = nil
  }
}

/// Sells one thing, it means to.
private actor Shop {
  private var isSold = false

  func buy(_ look: Int, _ pay: Int, _ launch: Launch) async throws {
    _ = try await launch.transport.response(to: Toy.request(look))
    guard !isSold else { return }
    _ = try await launch.transport.response(to: Toy.request(pay))
    isSold = true
    launch.mark("answered 5")
  }
}
