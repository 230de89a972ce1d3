import CPlatform
import Synchronization

/// The side of a server that other threads see: they stop it, wait for its end, and tell it of paced answers.
///
/// One thread accepts all connections, reads their requests and answers them (`ServingLoop`). Handing a request to
/// another thread would cost more than nearly every answer.
final class Serving: Sendable {
  enum Letter: Sendable {
    /// The pacing thread is done with an answer to this connection.
    case paced(id: UInt64, Pacing.Outcome)
    case stop
  }

  private struct End {
    var isReached = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let mailbox: Mailbox<Letter>
  private let end = Mutex(End())

  /// Takes over `listener` and starts accepting.
  /// - Parameters:
  ///   - pacing: Is left when the last connection is closed.
  ///   - converse: Begins the conversation of a new connection.
  /// - Throws: `ServerError.outOfResources` when there is no descriptor or thread left; then nothing was taken over.
  init(
    _ listener: Int32, limits: LaunchServer.Limits, pacing: Pacing,
    converse: @escaping @Sendable (Moment) -> Conversation
  ) throws(ServerError) {
    mailbox = try Mailbox()
    let watch = launch_watch_open()
    var code = watch < 0 ? watch : launch_watch_input(watch, mailbox.alarm, ServingLoop.alarmID)
    if code == 0 { code = launch_watch_input(watch, listener, ServingLoop.listenerID) }
    if code == 0 {
      code = startThread { [self] in
        var loop = ServingLoop(
          mailbox, listener: listener, watch: watch, limits: limits, pacing: pacing, converse: converse)
        loop.run()
        launch_close(watch)
        pacing.leave()
        reachEnd()
      }
    }
    guard code == 0 else {
      if watch >= 0 { launch_close(watch) }
      throw .outOfResources(reason: systemSentence(code))
    }
  }

  func stop() { mailbox.post(.stop) }

  func finished() async {
    await withCheckedContinuation { continuation in
      let isOver = end.withLock { end in
        if !end.isReached { end.waiting.append(continuation) }
        return end.isReached
      }
      if isOver { continuation.resume() }
    }
  }

  private func reachEnd() {
    let waiting = end.withLock { end in
      end.isReached = true
      return end.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
