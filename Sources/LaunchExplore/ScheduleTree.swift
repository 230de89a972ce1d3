/// The schedules that begin in one way, in order, found while they are run: how many choices there are is known only then.
struct ScheduleTree {
  private let depth: Int
  /// What is to be run next; nil when all were.
  private(set) var next: Schedule?

  init(below prefix: [Int]) {
    depth = prefix.count
    next = Schedule(prefix)
  }

  /// Goes on behind the schedule that was run.
  mutating func advance(after run: Explorer.Run) {
    for place in run.choices.indices.reversed() where place >= depth && run.choices[place] + 1 < run.counts[place] {
      next = Schedule(Array(run.choices[..<place]) + [run.choices[place] + 1])
      return
    }
    next = nil
  }
}
