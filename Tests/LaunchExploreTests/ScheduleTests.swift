import LaunchCassette
import TestSupport
import Testing

@testable import LaunchExplore

@Suite struct ScheduleTests {
  @Test(arguments: [
    ("0", []), ("3.0.2.1", [3, 0, 2, 1]), ("0x12.1", Array(repeating: 0, count: 12) + [1]),
    ("1.1.0.0.2", [1, 1, 0, 0, 2]),
    ("1x3", [1, 1, 1]), ("0x3", []), ("2.0.0", [2]), ("007", [7]),
  ])
  func `a schedule is read`(text: String, choices: [Int]) {
    #expect(Schedule(text)?.choices == choices)
  }

  @Test(arguments: [
    "", ".", "1.", ".1", "1..2", "x", "1x", "x3", "1x0", "1x2x3", "-1", "1.-2", "a", " 1", "1x99999999999",
    "99999999999999999999", "1x1000001",
  ])
  func `what is no schedule is refused`(text: String) {
    #expect(Schedule(text) == nil)
  }

  @Test func `what is written is read again`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let schedule = Schedule(
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          Int.random(in: 0...3, using: &generator) == 0 ? Int.random(in: 0...12, using: &generator) : 0
        })
      #expect(Schedule(schedule.description) == schedule)
    }
  }

  @Test func `schedules come in the order of an exhaustive exploration`() {
    let sorted = ["0", "0.0.1", "0.1", "1", "1.0.2", "1.1"]
    #expect(sorted.reversed().compactMap { Schedule($0) }.sorted().map(\.description) == sorted)
  }

  @Test func `a schedule that was changed anywhere runs, and what was run runs again`() {
    var generator = SeededGenerator(seed: 12)
    let toy = Toy(order: PartialOrder(count: 6))
    var explorer = Explorer(
      toy.cassette.trace, varies: Variations(faults: 1, jobs: true), fallback: { Fallback { _ in nil } },
      launch: toy.launch)
    var choices = explorer.run(ScheduleChooser(.recorded)).choices
    var seen: Set<Schedule> = []
    for _ in 0..<200 {
      choices[Int.random(in: choices.indices, using: &generator)] = Int.random(in: 0...7, using: &generator)
      let run = explorer.run(ScheduleChooser(Schedule(choices)))
      let again = explorer.run(ScheduleChooser(run.schedule))
      #expect(again.events == run.events && again.choices == run.choices)
      seen.insert(run.schedule)
      choices = run.choices
    }
    #expect(seen.count > 100)
  }
}
