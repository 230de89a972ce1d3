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
    private var retainedCount = 0
    private var retainedCountToSweep = 64

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

    func knows(_ task: TaskPointer) -> Bool {
      places[place(of: task)].number == task.number
    }

    /// Lets go of the tasks that are done: nobody else refers to them. Others may keep one that is done.
    mutating func sweep() {
      for place in places.indices where places[place].isRetained {
        if let task = places[place].task, task.isLetGo { release(place) }
      }
      retainedCountToSweep = max(64, 2 * retainedCount)
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
      if !task.isChild, retainedCount == retainedCountToSweep { sweep() }
      places[place] = Place(task: task, number: number, isRetained: !task.isChild)
      if !task.isChild {
        task.retain()
        retainedCount += 1
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

    private mutating func release(_ place: Int) {
      places[place].isRetained = false
      retainedCount -= 1
      places[place].task?.release()
    }
  }
#endif
