#if canImport(Darwin)
  import CSimulation
  import Synchronization

  /// Where the runtime's executors cannot be replaced: the interface of a simulation, in real time. Not verified.
  ///
  /// The body and its child tasks run on the calling thread, one job at a time. What escapes: unstructured and detached
  /// tasks, actors, and the main actor, whose thread must be free, so do not call `run` from it. Sleeps take real
  /// time, whatever the pace; runs need not repeat; a hang ends only at the horizon.
  public final class Simulation {
    private let inbox = Inbox()
    private let start = launch_real_nanoseconds()
    private var jobCount = 0

    /// Runs `body` to its end and returns what it returned.
    /// - Parameters:
    ///   - pace: Has no effect here.
    ///   - horizon: How much real time the body may take.
    /// - Throws: What `body` throws; `SimulationError` when it does not finish in time.
    public static func run<Value: Sendable>(
      pace: Pace = .virtual, horizon: Duration = .seconds(86_400),
      _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
      guard current == nil else { throw SimulationError.nested }
      let simulation = Simulation()
      unsafe launch_enter_simulation(Unmanaged.passUnretained(simulation).toOpaque())
      defer { launch_leave_simulation() }
      let outcome = Outcome<Value>()
      Task(executorPreference: simulation.inbox) {
        do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
      }
      while true {
        simulation.runReadyJobs()
        if let result = outcome.result { return try result.get() }
        guard simulation.now < horizon else { throw SimulationError.horizonReached(simulation.progress) }
        launch_wait_until(launch_real_nanoseconds() + 100_000)
      }
    }

    /// The simulation that is running on this thread; nil outside of one.
    public static var current: Simulation? {
      unsafe launch_simulation().map { unsafe Unmanaged<Simulation>.fromOpaque($0).takeUnretainedValue() }
    }

    /// False: nothing is cancelled at the end.
    package var isOver: Bool { false }

    /// Real time since the run began.
    public var now: Duration { .nanoseconds(launch_real_nanoseconds() - start) }

    /// Nil: there is no virtual time to be behind of.
    public var lateness: Duration? { nil }

    /// How far the run has come.
    public var progress: SimulationError.Progress { .init(now: now, jobCount: jobCount, lastWakes: [], taskCount: 0) }

    private func runReadyJobs() {
      for job in inbox.take() {
        jobCount += 1
        unsafe job.runSynchronously(on: inbox.asUnownedTaskExecutor())
      }
    }
  }

  /// Collects jobs that any thread made ready.
  private final class Inbox: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    func take() -> [UnownedJob] {
      jobs.withLock { jobs in
        defer { jobs.removeAll() }
        return jobs
      }
    }
  }
#endif
