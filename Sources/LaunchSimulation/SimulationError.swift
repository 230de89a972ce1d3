/// Why a simulation ended before its body did.
public enum SimulationError: Error, Hashable {
  /// Nothing is ready, nobody sleeps, and the body has not finished.
  case hang(Progress)
  /// The next sleeper wakes after the horizon.
  case horizonReached(Progress)
  /// A million jobs ran without time moving.
  case spinning(Progress)
  /// Another thread resumed a task of the simulation: what that runs on, such as a Dispatch queue or a socket, keeps
  /// real time, so no two runs need be the same.
  case escaped(Progress)
  /// One of the last jobs kept the thread for so long, in real time.
  case blocked(Progress, Duration)
  /// The run was ended from inside, as if the process died.
  case ended(Progress)
  /// A simulation was started inside another one, on the same thread.
  case nested

  /// How far a simulation came.
  public struct Progress: Hashable, Sendable {
    /// Virtual time since the run began.
    public var now: Duration
    /// How many jobs ran, wake-ups included. A job is what a task does from one suspension to the next.
    public var jobCount: Int
    /// When sleepers last woke, oldest first; at most five.
    public var lastWakes: [Duration]
    /// How many unstructured and detached tasks had not ended, the body among them.
    public var taskCount: Int
  }
}

extension SimulationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .hang(let progress):
      "the simulation hangs at \(progress): the body waits for something that nothing left can resume, such as a"
        + " continuation nobody holds, or work outside the simulation (a Dispatch queue, a thread, a socket, an executor"
        + " of its own)"
    case .horizonReached(let progress):
      "the simulation reached its horizon at \(progress): the body has not finished and the next sleeper wakes later"
    case .spinning(let progress):
      "the simulation spins at \(progress): the body waits in a loop for time that only moves when nothing is ready;"
        + " sleep in the loop"
    case .escaped(let progress):
      "a task left the simulation at \(progress): another thread resumed it, such as one of a Dispatch queue, a socket or"
        + " an executor of its own; give the code something simulated in its place"
    case .blocked(let progress, let duration):
      "a job blocked its thread for \(duration) of real time before \(progress): a simulation runs one job at a time, so"
        + " wait with await, not with a lock, a semaphore or a system call"
    case .ended(let progress):
      "the simulation was ended at \(progress)"
    case .nested:
      "a simulation is already running on this thread: simulations do not nest"
    }
  }
}

extension SimulationError.Progress: CustomStringConvertible {
  public var description: String {
    let wakes =
      lastWakes.isEmpty ? "nobody slept" : "last wakes at " + lastWakes.map { "\($0)" }.joined(separator: ", ")
    return "\(now) of virtual time (\(jobCount) jobs ran, \(wakes), \(taskCount) tasks had not ended)"
  }
}
