import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchExplore

/// Bugs that take more than one change, found among many changes that do not matter.
@Suite struct ShrinkingTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `two changes are left of a random order when it takes both`(seed: UInt64) throws {
    let example = try example("m7 only after m8", .random(runs: 200, depth: 3), seed: seed) { launch in
      let answers = Answers()
      await answers.ask(0..<6, launch)
      let order = await answers.order
      // Neither of the two alone does any harm.
      if order.comes(5, before: 0), order.comes(4, before: 1) { launch.mark("answered 7") }
    }
    let (first, second) = (
      "the answer to c0 comes after the answer to c5", "the answer to c1 comes after the answer to c4"
    )
    let either = ["\(first), and \(second)", "\(second), and \(first)"]
    #expect(either.contains { example.explanation == "breaks when \($0); nothing else need change" })
  }

  @Test func `an answer that does not come in time is one change`() throws {
    let example = try example("m7 only after m8", .random(runs: 100, depth: 3)) { launch in
      async let others: Void = Answers().ask(0..<5, launch)
      do {
        _ = try await launch.transport.response(to: Toy.request(5, timeout: .seconds(5)))
      } catch {
        launch.mark("answered 7")
      }
      await others
      // Else nothing would be late enough.
      try await Task.sleep(for: .seconds(20))
    }
    #expect(example.explanation == "breaks when the answer to c5 does not come in time; nothing else need change")
  }

  @Test func `an answer that comes early is said to come before what it has come past`() throws {
    let example = try example("m7 only after m8", .random(runs: 100, depth: 3)) { launch in
      async let answers: Void = Answers().ask(0..<2, launch)
      async let early: Void = {
        _ = try await launch.transport.response(to: Toy.request(5))
        launch.mark("answered 7")
      }()
      try await Task.sleep(for: .milliseconds(45))
      launch.mark("answered 8")
      try await Task.sleep(for: .milliseconds(100))
      _ = await answers
      try await early
    }
    #expect(
      example.explanation
        == "breaks when the answer to c5 comes before the mark \"answered 8\"; nothing else need change")
  }

  @Test func `an order of ready jobs is no order of the recording`() throws {
    let example = try example("m7 only after m8", .random(runs: 50, depth: 1), Variations(jobs: true)) { launch in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { launch.mark("answered 8") }
        group.addTask { launch.mark("answered 7") }
      }
    }
    #expect(
      example.explanation
        == "breaks when jobs that are ready together run in another order; nothing else need change")
    #expect(example.schedule != .recorded)
  }

  private func example(
    _ rule: String, _ orders: Orders, _ varies: Variations = Variations(), seed: UInt64 = 1,
    _ launch: @escaping @Sendable (Launch) async throws -> Void
  ) throws -> Counterexample {
    var exploration = Exploration(
      Cassette.answering((0..<6).map { Toy.request($0) }), contracts: [try Contract.toy(rule)], orders: orders,
      varies: varies, seed: seed, launch: launch)
    return try #require(exploration.run().counterexamples.first)
  }
}

/// Asks for much at once, and keeps in which order the answers came.
private actor Answers {
  private(set) var order: [Int] = []

  func ask(_ numbers: Range<Int>, _ launch: Launch) async {
    await withTaskGroup(of: Int.self) { group in
      for number in numbers {
        group.addTask {
          _ = try? await launch.transport.response(to: Toy.request(number))
          return number
        }
      }
      for await number in group { order.append(number) }
    }
  }
}

extension [Int] {
  fileprivate func comes(_ one: Int, before other: Int) -> Bool {
    firstIndex(of: one).flatMap { place in firstIndex(of: other).map { place < $0 } } ?? false
  }
}
