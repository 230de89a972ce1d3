import CPlatform
import Synchronization

/// Where connections bring answers that have to be written at their moments, and what is known about their punctuality.
///
/// One thread writes them all (`PacingLoop`), those of several servers too, in the real-time class where that is granted:
/// a deadline is met best by spinning on the clock just before it, and more than one spinning or real-time thread would
/// starve the others.
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
    /// Stays open until `done` was called.
    var descriptor: Int32
    /// Called on the pacing thread, and returns at once.
    var done: @Sendable (Outcome) -> Void
  }

  enum Letter: Sendable {
    case client(Client)
    /// Nobody will bring another answer.
    case over
  }

  let mailbox: Mailbox<Letter>
  /// How many servers bring answers.
  private let servers = Mutex(0)
  private let log = Mutex(PacingLog())

  /// Starts the thread, which ends when every server that joined has left.
  /// - Parameter patience: How long a client may take nothing of what is due.
  /// - Throws: `ServerError.outOfResources` when there is no descriptor or thread left.
  package init(patience: Duration = LaunchServer.Limits.standard.idle) throws(ServerError) {
    mailbox = try Mailbox()
    let watch = launch_watch_open()
    var code = watch < 0 ? watch : launch_watch_input(watch, mailbox.alarm, PacingLoop.alarmID)
    let body: @Sendable () -> Void = { [self] in
      var loop = PacingLoop(self, watch: watch, patience: patience)
      loop.run()
      launch_close(watch)
    }
    if code == 0, startThread(isRealTime: true, body) == 0 {
      log.withLock { $0.schedulingClass = .realTime }
    } else if code == 0 {
      code = startThread(body)
    }
    guard code == 0 else {
      if watch >= 0 { launch_close(watch) }
      throw .outOfResources(reason: systemSentence(code))
    }
  }

  package var report: PacingReport { log.withLock { $0.report } }

  /// Has the answer written to its end. `done` is called on the pacing thread.
  func write(_ job: Job, to descriptor: Int32, done: @escaping @Sendable (Outcome) -> Void) {
    mailbox.post(.client(Client(job: job, descriptor: descriptor, done: done)), dueAt: job.deadline)
  }

  /// Counts one more server.
  package func join() { servers.withLock { $0 += 1 } }

  /// Counts one server less, which has no connection left. With the last one the thread ends.
  package func leave() {
    let isLast = servers.withLock { servers in
      servers -= 1
      return servers == 0
    }
    if isLast { mailbox.post(.over) }
  }
}

/// The side of the thread.
extension Pacing {
  func note(_ sample: PacingReport.Sample) { log.withLock { $0.add(sample) } }

  func noteSlowClient() { log.withLock { $0.slowClients += 1 } }
}
