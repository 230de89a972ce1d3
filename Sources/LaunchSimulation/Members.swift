#if !canImport(Darwin)
  import Synchronization
  import _Concurrency

  /// The tasks that ever belonged to one live simulation, for the other threads: what they resume comes back through here.
  final class Members: Sendable {
    fileprivate struct State {
      /// The numbers of the tasks, in order.
      var tasks: [UInt64] = []
      var returned: [Job] = []
    }

    private static let live = Mutex<[Members]>([])
    private static let liveCount = Atomic<Int>(0)

    private let state = Mutex(State())
    private let hasReturned = Atomic<Bool>(false)

    /// Gives a job back to the simulation that its task belongs to, unless that is `current`, or over.
    static func giveBack(_ job: Job, from current: Members? = nil) -> Bool {
      guard liveCount.load(ordering: .relaxed) > (current == nil ? 0 : 1) else { return false }
      guard let number = job.task?.number else { return false }
      return live.withLock { $0.contains { $0 !== current && $0.take(job, of: number) } }
    }

    func enter() {
      Self.live.withLock { $0.append(self) }
      Self.liveCount.add(1, ordering: .relaxed)
    }

    func leave() {
      Self.liveCount.subtract(1, ordering: .relaxed)
      Self.live.withLock { live in live.removeAll { $0 === self } }
    }

    func insert(_ number: UInt64) {
      state.withLock { state in
        var place = state.tasks.count
        // Nearly always the last: tasks are numbered as they are made.
        while place > 0, state.tasks[place - 1] > number { place -= 1 }
        state.tasks.insert(number, at: place)
      }
    }

    /// The jobs that other threads made ready since the last call.
    func takeReturned() -> [Job] {
      guard hasReturned.load(ordering: .acquiring) else { return [] }
      return state.withLock { state in
        defer { state.returned = [] }
        hasReturned.store(false, ordering: .relaxed)
        return state.returned
      }
    }

    private func take(_ job: Job, of number: UInt64) -> Bool {
      state.withLock { state in
        guard state.contains(number) else { return false }
        state.returned.append(job)
        hasReturned.store(true, ordering: .releasing)
        return true
      }
    }
  }

  extension Members.State {
    fileprivate func contains(_ number: UInt64) -> Bool {
      var range = tasks.indices
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        if tasks[middle] == number { return true }
        range = tasks[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return false
    }
  }
#endif
