import CPlatform
import Synchronization

/// Where connections bring answers that have to be written at their moments, and what is known about their punctuality.
///
/// One thread writes them all (`PacingLoop`), those of several listeners too, in the real-time class where that is granted: a deadline is met best by
/// spinning on the clock just before it, and more than one spinning or real-time thread would starve the others.
package final class Pacing: Sendable {
  /// What became of an answer.
  enum Outcome: Hashable {
    /// It is written to its end.
    case written
    /// The client went away then, or had taken nothing for too long.
    case gone(Moment)
  }

  /// An answer and whom it is for.
  struct Client: Sendable {
    var job: Job
    /// The connection's own thread stays the owner of it, and waits at the latch until the answer is written.
    var descriptor: Int32
    var latch: Latch
  }

  private struct Inbox {
    var clients: [Client] = []
    /// How many listeners bring answers.
    var listeners = 0
    /// Set while the thread sleeps: only what is due before this moment has to wake it.
    var sleepsUntil: Moment?
    var isOver = false

    /// Whether the thread sleeps past `deadline`, so that it has to be woken. Said to one asker only.
    mutating func wakes(before deadline: Moment) -> Bool {
      guard let sleepsUntil, deadline < sleepsUntil else { return false }
      self.sleepsUntil = nil
      return true
    }
  }

  private let inbox = Mutex(Inbox())
  /// Whether the inbox has to be looked at: cheap enough to ask while spinning.
  private let hasNews = Atomic(false)
  private let log = Mutex(PacingLog())
  private let waker: Int32

  /// Starts the thread, which ends when every listener that joined has left.
  /// - Parameter patience: How long a client may take nothing of what is due.
  /// - Throws: `ServerError.outOfResources` when there is no descriptor or thread left.
  package init(patience: Duration = LaunchServer.Limits.standard.idle) throws(ServerError) {
    var (alarm, waker): (Int32, Int32) = (-1, -1)
    var code = unsafe launch_pipe(&alarm, &waker)
    let watch = code == 0 ? launch_watch_open() : code
    if code == 0 { code = watch < 0 ? watch : launch_watch_input(watch, alarm, PacingLoop.alarmID) }
    self.waker = waker
    let body: @Sendable () -> Void = { [self, alarm, waker] in
      var loop = PacingLoop(self, watch: watch, alarm: alarm, patience: patience)
      loop.run()
      for descriptor in [watch, alarm, waker] { launch_close(descriptor) }
    }
    if code == 0, startThread(isRealTime: true, body) == 0 {
      log.withLock { $0.schedulingClass = .realTime }
    } else if code == 0 {
      code = startThread(body)
    }
    guard code == 0 else {
      for descriptor in [watch, alarm, waker] where descriptor >= 0 { launch_close(descriptor) }
      throw .outOfResources(reason: systemSentence(code))
    }
  }

  package var report: PacingReport { log.withLock { $0.report } }

  /// Writes the answer to its end, and waits for that.
  func write(_ job: Job, to descriptor: Int32, _ latch: Latch) -> Outcome {
    let isAsleep = inbox.withLock { inbox in
      inbox.clients.append(Client(job: job, descriptor: descriptor, latch: latch))
      hasNews.store(true, ordering: .releasing)
      return inbox.wakes(before: job.deadline)
    }
    if isAsleep { launch_pipe_fill(waker) }
    return latch.wait()
  }

  /// Counts one more listener.
  package func join() { inbox.withLock { $0.listeners += 1 } }

  /// Counts one listener less, which has no connection left. With the last one the thread ends.
  package func leave() {
    inbox.withLock { inbox in
      inbox.listeners -= 1
      if inbox.listeners > 0 { return }
      inbox.isOver = true
      inbox.sleepsUntil = nil
      hasNews.store(true, ordering: .releasing)
      launch_pipe_fill(waker)
    }
  }
}

/// The side of the thread.
extension Pacing {
  var hasClients: Bool { hasNews.load(ordering: .acquiring) }

  /// What has arrived; nil when the thread is to end.
  func takeClients() -> [Client]? {
    inbox.withLock { inbox in
      defer { inbox.clients = [] }
      hasNews.store(false, ordering: .relaxed)
      return inbox.isOver ? nil : inbox.clients
    }
  }

  /// Says that the thread will sleep until `moment`; false when something has arrived meanwhile.
  func willSleep(until moment: Moment) -> Bool {
    inbox.withLock { inbox in
      guard inbox.clients.isEmpty, !inbox.isOver else { return false }
      inbox.sleepsUntil = moment
      return true
    }
  }

  func didWake() { inbox.withLock { $0.sleepsUntil = nil } }

  func note(_ sample: PacingReport.Sample) { log.withLock { $0.add(sample) } }

  func noteSlowClient() { log.withLock { $0.slowClients += 1 } }
}
