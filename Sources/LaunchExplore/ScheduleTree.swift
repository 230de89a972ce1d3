/// The schedules that begin in one way, in order, found while they are run: how many choices there are is known only then.
struct ScheduleTree {
  private let depth: Int
  /// What is to be run next; nil when all were.
  private(set) var next: Schedule?

  init(below prefix: [Int]) {
    depth = prefix.count
    next = Schedule(prefix)
  }

  /// How many choices of the next schedule are forced: all others are as recorded.
  var forced: Int { max(depth, next?.choices.count ?? 0) }

  /// Goes on behind the schedule that was run.
  /// - Parameter end: The choice from which on there is nothing new.
  mutating func advance(after run: Explorer.Run, before end: Int = .max) {
    for place in run.choices.indices.prefix(end).reversed()
    where place >= depth && run.choices[place] + 1 < run.counts[place] {
      next = Schedule(Array(run.choices[..<place]) + [run.choices[place] + 1])
      return
    }
    next = nil
  }
}
