#if !canImport(Darwin)
  import CSimulation
  import _Concurrency

  /// Runs async code on the calling thread, one job at a time, in virtual time.
  ///
  /// ```swift
  /// let log = try Simulation.run {
  ///   let splash = await Splash()
  ///   Task { @MainActor in
  ///     try await Task.sleep(for: .seconds(20))
  ///     splash.giveUp()
  ///   }
  ///   await splash.run()
  ///   return await splash.log
  /// }
  /// ```
  ///
  /// The code needs no change. Everything it starts from this thread belongs to the simulation: the main actor's jobs,
  /// unstructured and detached tasks, actors, groups, and sleeps on any of the standard clocks. Ready jobs run in the order in
  /// which they became ready; only when none is left does time move to the next sleeper, so runs repeat exactly.
  /// `ContinuousClock`, `SuspendingClock`, `Date` and `DispatchTime` read virtual time.
  ///
  /// Other threads keep real time and the platform's executors, so simulations run beside each other and beside ordinary
  /// code. Each has a main actor of its own: state on the main actor that two of them share is not protected.
  /// Outside a simulation's reach are Dispatch queues, threads, sockets, executors of the code's own, and random numbers.
  /// A task that one of those resumes leaves the simulation and goes on in real time.
  ///
  /// On Darwin a stand-in takes its place: see `SimulationStandIn.swift`.
  @safe public final class Simulation {
    private struct Sleeper {
      /// Wakes it.
      let job: Job
      let sleep: TaskTable.Sleep
    }

    private static let jobLimit = 1_000_000
    private static let leftOverJobLimit = 1_000

    /// What changes with every job.
    private struct State {
      var ready = Queue<Job>()
      var timers = Timers<Sleeper>()
      var tasks = TaskTable()
      var virtualNow: Int64 = 0
      var jobCount = 0
      var jobCountAtLastMove = 0
      /// The latest are at the end; older ones are dropped in bulk.
      var wakes: [Int64] = []
      var watch: BlockWatch
      var isFinished = false
      /// Whether the run has ended, and what is left of it is being cancelled.
      var isOver = false
      /// Whether `end` was called.
      var isEnded = false
      /// Whether new tasks are cancelled as they come.
      var isCancelling = false
      var isOnMain = false
    }

    private let mainQueue = unsafe Executors.main.asUnownedSerialExecutor()
    private let pool = unsafe Executors.pool.asUnownedTaskExecutor()
    private let pacer: Pacer?
    private let horizon: Int64
    private let driver: (any SimulationDriver)?
    private let members = Members()
    private let outcome: AnyObject
    /// Used through `state` only.
    @exclusivity(unchecked) private var storage: State
    /// Belongs to the simulation's thread, and no access runs foreign code: checking that at each would cost a run a tenth
    /// of its time.
    private var state: State {
      _read { yield unsafe storage }
      _modify { yield unsafe &storage }
    }
    /// How many tasks could not be ended, once the run is over: they wait for something that nobody can give them any
    /// more, or sleep in a loop although they were cancelled. Their memory, and all they refer to, is never freed.
    /// One that is done counts as well when somebody outside still refers to it.
    package private(set) var leftOver = 0

    private init(
      pace: Pace, horizon: Duration, clock: RealClock, driver: (any SimulationDriver)?, outcome: AnyObject
    ) {
      self.driver = driver
      unsafe storage = State(watch: BlockWatch(clock))
      pacer = Pacer(pace, clock)
      self.horizon = horizon.nanoseconds
      self.outcome = outcome
    }

    /// Runs `body` to its end and returns what it returned.
    ///
    /// Call it from any synchronous code; it blocks the calling thread. `body` inherits the caller's task-local values.
    /// When the body has finished, the other jobs that are ready at that instant still run. Then left-over tasks go on:
    /// virtual time moves, without waiting in a paced run, for at most 1,000 jobs, so that most of them end. What is left
    /// then, or when the run ends in an error, is cancelled and runs to its end, for at most 1,000 jobs.
    /// What it does is after the end of the run: let the body return what you want to look at. A task that waits for
    /// something that never comes, and does not heed cancellation, is dropped there, and its memory is not freed.
    ///
    /// - Parameters:
    ///   - pace: Whether to wait for the real clock.
    ///   - horizon: How much virtual time the body may take; a bound for timers that repeat forever.
    /// - Throws: What `body` throws; `SimulationError` when it cannot finish.
    public static func run<Value: Sendable>(
      pace: Pace = .virtual, horizon: Duration = .seconds(86_400),
      _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
      try run(pace: pace, horizon: horizon, clock: .machine, driver: nil, body)
    }

    /// The same, where a paced run keeps to `clock`, and `driver` decides what is open.
    package static func run<Value: Sendable>(
      pace: Pace = .virtual, horizon: Duration = .seconds(86_400), clock: RealClock = .machine,
      driver: (any SimulationDriver)?,
      _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
      guard current == nil else { throw SimulationError.nested }
      Executors.install()
      let outcome = Outcome<Value>()
      let simulation = Simulation(pace: pace, horizon: horizon, clock: clock, driver: driver, outcome: outcome)
      unsafe launch_enter_simulation(Unmanaged.passUnretained(simulation).toOpaque())
      simulation.members.enter()
      defer {
        simulation.members.leave()
        launch_leave_simulation()
        driver?.didEnd(simulation)
      }
      Task {
        do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
        current?.finish(outcome)
      }
      do {
        try simulation.runUntilFinished()
        if driver == nil { simulation.runLeftOvers() }
        simulation.cancelLeftOvers()
      } catch {
        simulation.cancelLeftOvers()
        throw error
      }
      guard let result = outcome.result else { preconditionFailure("a finished body has a result") }
      return try result.get()
    }

    /// The simulation that is running on this thread; nil outside of one.
    public static var current: Simulation? {
      unsafe launch_simulation().map { unsafe Unmanaged<Simulation>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the run has ended, and what is left of it is being cancelled.
    package var isOver: Bool { state.isOver }

    /// Whether the running job is the main actor's.
    var isOnMain: Bool { state.isOnMain }

    /// Virtual time since the run began.
    public var now: Duration { .nanoseconds(state.virtualNow) }

    /// How far a paced run is behind: the real time past the moment at which the current instant was due. Nil in a virtual run.
    public var lateness: Duration? { pacer?.lateness(at: state.virtualNow) }

    /// How far the run has come.
    public var progress: SimulationError.Progress {
      .init(
        now: now, jobCount: state.jobCount, lastWakes: state.wakes.suffix(5).map { .nanoseconds($0) },
        taskCount: state.tasks.unfinishedCount)
    }

    /// Ends the run, which then throws `SimulationError.ended`, as if the process died. The running job, if any, is the
    /// last that runs undisturbed: all tasks are cancelled, and what they do then happens at this instant.
    package func end() { state.isEnded = true }

    /// When the next sleeper wakes, in virtual time since the run began; nil when nobody sleeps.
    ///
    /// Sleeps that were cancelled do not count. (One that was cancelled while its task prefers an executor of the code's
    /// own does, until its time has come.)
    package var nextDue: Duration? {
      endCancelledSleeps()
      return state.timers.first.map { .nanoseconds($0.due) }
    }

    /// Moves time to `instant`, which is neither before `now` nor after `nextDue`. Wakes nobody: the sleepers of that
    /// instant wake when nothing is ready.
    package func advance(to instant: Duration) {
      let instant = instant.nanoseconds
      precondition(instant >= state.virtualNow, "time cannot go back to \(instant) ns from \(state.virtualNow) ns")
      endCancelledSleeps()
      if let first = state.timers.first { precondition(instant <= first.due, "a sleeper wakes before \(instant) ns") }
      move(to: instant)
    }

    /// Takes the job into the simulation that runs on this thread.
    /// - Returns: False when there is none, or when the job's task belongs elsewhere.
    static func enqueue(_ job: Job) -> Bool {
      guard let simulation = unsafe launch_simulation() else { return false }
      return unsafe Unmanaged<Simulation>.fromOpaque(simulation)._withUnsafeGuaranteedRef { $0.enqueue(job) }
    }

    private func enqueue(_ job: Job) -> Bool {
      if let task = job.task {
        switch state.tasks.admit(task) {
        case .known: break
        case .outsider: return false
        case .new:
          if Members.giveBack(job, from: members) { return true }
          members.insert(task.number)
          if state.isCancelling { task.cancel() }
        }
      }
      state.ready.append(job)
      return true
    }

    func enqueue(_ job: Job, after delay: Duration) {
      state.timers.insert(Sleeper(job: job, sleep: state.tasks.sleep()), due: state.virtualNow + delay.nanoseconds)
    }

    /// Ends the run. Called by its own body, unless that left and now ends on a thread that runs another simulation.
    private func finish(_ outcome: AnyObject) {
      if outcome === self.outcome { state.isFinished = true }
    }

    private func runUntilFinished() throws(SimulationError) {
      while true {
        while let job = nextReady() {
          run(job)
          try checkJob()
          if state.isFinished && state.jobCount - state.jobCountAtLastMove >= Self.jobLimit { return }
        }
        if state.isFinished { return try checkOutside() }
        if try letDriverAct() { continue }
        try wakeNextSleeper()
      }
    }

    private func checkJob() throws(SimulationError) {
      if state.isEnded { throw .ended(progress) }
      if state.jobCount - state.jobCountAtLastMove >= Self.jobLimit, !state.isFinished { throw .spinning(progress) }
      if state.jobCount & 15 == 0 { try checkOutside() }
      if state.tasks.isSweepDue { releaseDone() }
    }

    /// Looks for what other threads did, and for time that passed in them.
    private func checkOutside() throws(SimulationError) {
      let returned = members.takeReturned()
      if !returned.isEmpty {
        for job in returned { state.ready.append(job) }
        throw .escaped(progress)
      }
      if let blocked = state.watch.look() { throw .blocked(progress, blocked) }
    }

    /// Whether there is something to run then.
    private func letDriverAct() throws(SimulationError) -> Bool {
      guard let driver else { return false }
      let before = state.virtualNow
      driver.simulationIsIdle(self)
      if state.isEnded { throw .ended(progress) }
      return !state.ready.isEmpty || state.virtualNow != before
    }

    /// The one place that decides which ready job runs first.
    private func nextReady() -> Job? {
      guard let driver, state.ready.count > 1 else { return state.ready.popFirst() }
      return state.ready.remove(at: driver.nextJob(of: state.ready.count))
    }

    private func run(_ job: Job) {
      state.jobCount += 1
      state.isOnMain = job.onMain
      if job.onMain {
        unsafe job.job.runSynchronously(on: mainQueue)
      } else {
        unsafe job.job.runSynchronously(on: pool)
      }
    }

    /// Moves time to the next sleeper and makes its task ready.
    ///
    /// A timer's job only resumes the sleeper, so it can run before time moves; it resumes nobody when the sleep
    /// was cancelled, and then time need not move at all.
    private func wakeNextSleeper() throws(SimulationError) {
      try checkOutside()
      while let timer = state.timers.popFirst() {
        run(timer.payload.job)
        guard !state.ready.isEmpty else {
          // Perhaps the driver has counted on it.
          if driver != nil { return }
          continue
        }
        guard timer.due <= horizon else { throw .horizonReached(progress) }
        move(to: timer.due)
        if state.wakes.count == 50 { state.wakes.removeFirst(45) }
        state.wakes.append(timer.due)
        return
      }
      throw .hang(progress)
    }

    private func move(to due: Int64) {
      if due > state.virtualNow {
        if let pacer {
          pacer.wait(until: due)
          _ = state.watch.look()
        }
        setTime(due)
        state.jobCountAtLastMove = state.jobCount
      }
    }

    /// Runs what is left of the cancelled sleeps that would have ended next. It wakes nobody.
    private func endCancelledSleeps() {
      let onMain = state.isOnMain
      while let timer = state.timers.first, state.tasks.isOver(timer.payload.sleep) {
        _ = state.timers.popFirst()
        run(timer.payload.job)
      }
      state.isOnMain = onMain
    }

    private func setTime(_ nanoseconds: Int64) {
      state.virtualNow = nanoseconds
      launch_set_virtual_nanoseconds(nanoseconds)
    }

    /// Lets left-over tasks go on for a while, so that most of them end as they would have.
    private func runLeftOvers() {
      let limit = state.jobCount + Self.leftOverJobLimit
      while state.jobCount < limit {
        if let job = nextReady() {
          run(job)
        } else if let timer = state.timers.popFirst(), timer.due <= horizon {
          setTime(max(timer.due, state.virtualNow))
          run(timer.payload.job)
        } else {
          return
        }
      }
    }

    /// Ends what is left, so that it neither leaks nor runs later on another thread.
    private func cancelLeftOvers() {
      state.isOver = true
      releaseDone()
      if state.tasks.keptCount > 0 {
        Self.learnCancellation
        launch_begin_patience()
        state.isCancelling = true
        for task in state.tasks.kept { task.cancel() }
      }
      let limit = state.jobCount + Self.leftOverJobLimit
      while true {
        for job in members.takeReturned() { state.ready.append(job) }
        if state.jobCount < limit, let job = state.ready.popFirst() {
          launch_begin_job()
          run(job)
          launch_end_job()
        } else if let timer = state.timers.popFirst() {
          end(timer)
        } else if !releaseDone() {
          break
        }
      }
      if state.isCancelling { launch_end_patience() }
      leftOver = state.tasks.keptCount
      for task in state.tasks.takeAll() { task.release() }
    }

    /// Runs what is left of a sleep when that can be of use.
    ///
    /// A cancelled task does not sleep, so one that does was cancelled in vain. The runtime's own timers have no task:
    /// they belong to a sleep that cannot be cancelled.
    private func end(_ timer: Timers<Sleeper>.Timer) {
      guard state.tasks.isOver(timer.payload.sleep) || timer.payload.job.task == nil else { return }
      setTime(max(timer.due, state.virtualNow))
      run(timer.payload.job)
    }

    /// - Returns: Whether there were any.
    @discardableResult private func releaseDone() -> Bool {
      let done = state.tasks.takeDone()
      for task in done { task.release() }
      return !done.isEmpty
    }

    private static let learnCancellation: Void = TaskPointer(Task {}).learnCancellation()
  }

  extension Duration {
    /// Whole nanoseconds, rounded up so that no sleep is short, and held within 0 and 146 years, so that two can be added.
    fileprivate var nanoseconds: Int64 {
      let limit = Int64.max / 2
      guard self > .zero else { return 0 }
      guard self < .nanoseconds(limit) else { return limit }
      let (seconds, attoseconds) = components
      return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
    }
  }
#endif
