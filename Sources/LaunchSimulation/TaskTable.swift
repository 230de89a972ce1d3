#if !canImport(Darwin)
  /// The tasks that one simulation has seen, by where they are in memory. A hash table, in which a task's place stays
  /// when it is done, and passes to the next task at that address.
  ///
  /// It retains the tasks that nobody else would end, unstructured and detached ones, until they are done. A task that
  /// began on an actor, never left it and never slept is not known: the runtime enqueues the actor in its place.
  struct TaskTable {
    /// A sleeper's sleep: over when the sleeper has become ready again.
    struct Sleep {
      fileprivate let task: TaskPointer?
      fileprivate let number: UInt64
      fileprivate let round: UInt32
    }

    enum Admission {
      case known, new
      /// It was there before the simulation.
      case outsider
    }

    private struct Place {
      /// Nil when no task was here.
      var task: TaskPointer?
      /// The number of the latest task at this address.
      var number: UInt64 = 0
      /// How often it became ready.
      var round: UInt32 = 0
      /// Whether the place retains the task.
      var isRetained = false
    }

    private var places = [Place](repeating: Place(), count: 128)
    private var count = 0
    private var firstTask: UInt64?
    /// How many tasks `kept` has.
    private(set) var keptCount = 0
    private var keptCountToSweep = 64

    /// Whether it is time for `takeDone`: amortised over the tasks that came since the last time.
    var isSweepDue: Bool { keptCount >= keptCountToSweep }

    /// Notes that the task is ready to run. The first one is the simulation's body.
    mutating func admit(_ task: TaskPointer) -> Admission {
      let number = task.number
      let place = place(of: task)
      if places[place].number == number {
        places[place].round &+= 1
        return .known
      }
      guard number >= firstTask ?? 0 else { return .outsider }
      if firstTask == nil { firstTask = number }
      insert(task, number, at: place)
      return .new
    }

    /// Notes that the task that runs goes to sleep.
    mutating func sleep() -> Sleep {
      guard let task = TaskPointer.current else { return Sleep(task: nil, number: 0, round: 0) }
      let number = task.number
      var place = place(of: task)
      if places[place].number != number { place = insert(task, number, at: place) }
      return Sleep(task: task, number: number, round: places[place].round)
    }

    /// Whether the sleeper was woken, so that the end of its sleep wakes nobody.
    func isOver(_ sleep: Sleep) -> Bool {
      guard let task = sleep.task else { return false }
      let place = places[place(of: task)]
      return place.number != sleep.number || place.round != sleep.round
    }

    /// The tasks that are kept. Some may be done: those that others refer to, and those that came last.
    var kept: [TaskPointer] { places.compactMap { $0.isRetained ? $0.task : nil } }

    /// How many of the kept tasks are not known to be done.
    var unfinishedCount: Int { places.count { $0.isRetained && $0.task?.isLetGo == false } }

    /// Stops keeping the tasks that are done and to which nobody else refers. The caller releases them, which may run code.
    mutating func takeDone() -> [TaskPointer] {
      defer { keptCountToSweep = max(64, 2 * keptCount) }
      return take { $0.isLetGo }
    }

    /// Stops keeping tasks. The caller releases them.
    mutating func takeAll() -> [TaskPointer] { take { _ in true } }

    private mutating func take(_ isTaken: (TaskPointer) -> Bool) -> [TaskPointer] {
      var taken: [TaskPointer] = []
      for place in places.indices where places[place].isRetained {
        guard let task = places[place].task, isTaken(task) else { continue }
        places[place].isRetained = false
        taken.append(task)
      }
      keptCount -= taken.count
      return taken
    }

    /// Where the task is or would be.
    private func place(of task: TaskPointer) -> Int {
      let mask = places.count - 1
      var place = task.scattered & mask
      while let other = places[place].task, other != task { place = (place + 1) & mask }
      return place
    }

    /// Returns where the task now is.
    @discardableResult private mutating func insert(_ task: TaskPointer, _ number: UInt64, at place: Int) -> Int {
      var place = place
      if places[place].task == nil {
        count += 1
        if 2 * count > places.count {
          grow()
          place = self.place(of: task)
        }
      }
      places[place] = Place(task: task, number: number, isRetained: !task.isChild)
      if !task.isChild {
        task.retain()
        keptCount += 1
      }
      return place
    }

    private mutating func grow() {
      let old = places
      places = [Place](repeating: Place(), count: 2 * old.count)
      for place in old {
        if let task = place.task { places[self.place(of: task)] = place }
      }
    }
  }
#endif
