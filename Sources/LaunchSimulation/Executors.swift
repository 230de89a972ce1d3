#if !canImport(Darwin)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// Called when the program is loaded, before there is another thread: the runtime reads its executors without a lock.
  @c func launch_install_executors() { Executors.install() }

  /// The process's executors: the platform's, except on a thread that runs a simulation.
  enum Executors {
    static let main = MainQueue()
    static let pool = Pool()

    /// Makes the runtime use them; later calls do nothing.
    static func install() { installed }
    private static let installed: Void = _createExecutors(factory: Factory.self)

    private enum Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { Executors.main }
      static var defaultExecutor: any TaskExecutor { Executors.pool }
    }

    fileprivate static func schedulable(_ executor: any Executor) -> any SchedulingExecutor {
      guard let executor = executor as? any SchedulingExecutor else {
        preconditionFailure("the platform's executor \(executor) cannot run a job at a given time")
      }
      return executor
    }
  }

  /// Runs the main actor's jobs.
  final class MainQueue: MainExecutor, SchedulingExecutor {
    private static let platform = PlatformExecutorFactory.mainExecutor
    private static let timers = Executors.schedulable(platform)

    func run() throws { try Self.platform.run() }
    func runUntil(_ condition: () -> Bool) throws { try Self.platform.runUntil(condition) }
    func stop() { Self.platform.stop() }

    func checkIsolated() {
      guard let simulation = Simulation.current else { return Self.platform.checkIsolated() }
      precondition(simulation.isOnMain, "expected to be on the main actor, which this simulated job is not")
    }

    func isIsolatingCurrentContext() -> Bool? {
      Simulation.current.map(\.isOnMain) ?? Self.platform.isIsolatingCurrentContext()
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = Job(job, onMain: true)
      if Simulation.enqueue(job) || Members.giveBack(job) { return }
      Self.platform.enqueue(ExecutorJob(job.job))
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
      if let simulation = Simulation.current, let delay = delay as? Duration {
        simulation.enqueue(Job(job, onMain: true), after: delay)
      } else {
        Self.timers.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      }
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
      if let simulation = Simulation.current, let delay = clock.now.duration(to: instant) as? Duration {
        simulation.enqueue(Job(job, onMain: true), after: delay)
      } else {
        Self.timers.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      }
    }
  }

  /// Runs every other job that has no executor of its own.
  final class Pool: TaskExecutor, SchedulingExecutor {
    private static let platform = PlatformExecutorFactory.defaultExecutor
    private static let timers = Executors.schedulable(platform)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = Job(job, onMain: false)
      if Simulation.enqueue(job) || Members.giveBack(job) { return }
      Self.platform.enqueue(ExecutorJob(job.job))
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
      if let simulation = Simulation.current, let delay = delay as? Duration {
        simulation.enqueue(Job(job, onMain: false), after: delay)
      } else {
        Self.timers.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      }
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
      if let simulation = Simulation.current, let delay = clock.now.duration(to: instant) as? Duration {
        simulation.enqueue(Job(job, onMain: false), after: delay)
      } else {
        Self.timers.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      }
    }
  }
#endif
