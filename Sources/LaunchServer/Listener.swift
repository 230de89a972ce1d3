import CPlatform
import Synchronization

/// Accepts connections on a thread of its own, keeps account of them, and ends them when the server stops.
final class Listener: Sendable {
  private let account: Mutex<Account>
  private let stopping = Atomic(false)
  /// Whether a client waits for room.
  private let crowded = Atomic(false)
  private let limits: LaunchServer.Limits
  private let serve: @Sendable (_ descriptor: Int32, _ place: Place) -> Void
  private let finish: @Sendable () -> Void

  /// Takes over `listener` and starts accepting.
  /// - Parameters:
  ///   - serve: Serves one connection and closes its descriptor, on a thread of that connection.
  ///   - finish: Called when the last connection is closed.
  init(
    _ listener: Int32, limits: LaunchServer.Limits,
    serve: @escaping @Sendable (_ descriptor: Int32, _ place: Place) -> Void, finish: @escaping @Sendable () -> Void
  ) throws(ServerError) {
    var (alarm, waker): (Int32, Int32) = (-1, -1)
    let code = unsafe launch_pipe(&alarm, &waker)
    account = Mutex(Account(waker: waker))
    self.limits = limits
    self.serve = serve
    self.finish = finish
    let threadCode = code == 0 ? startThread { [self, alarm] in run(listener, alarm) } : code
    guard threadCode == 0 else {
      for descriptor in [listener, alarm, waker] where descriptor >= 0 { launch_close(descriptor) }
      throw .outOfResources(reason: systemSentence(threadCode))
    }
  }

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  func stop() {
    stopping.store(true, ordering: .sequentiallyConsistent)
    account.withLock { $0.wake() }
  }

  /// Tells the listener that a connection could be ended now, if that is what it waits for.
  func noteEndable() {
    if crowded.load(ordering: .sequentiallyConsistent) { account.withLock { $0.wake() } }
  }

  func leave(_ id: Int) { account.withLock { $0.leave(id) } }

  func finished() async {
    await withCheckedContinuation { continuation in
      let isOver = account.withLock { account in
        if account.waker != nil { account.waiting.append(continuation) }
        return account.waker == nil
      }
      if isOver { continuation.resume() }
    }
  }
}

extension Listener {
  private func run(_ listener: Int32, _ alarm: Int32) {
    while !isStopping {
      let ready = launch_wait(listener, 1, alarm, -1)
      launch_pipe_drain(alarm)
      if ready & 1 != 0, waitForRoom(alarm) { accept(from: listener, alarm) }
    }
    launch_close(listener)
    endConnections(alarm)
    launch_close(alarm)
    finish()
    let waiting = account.withLock { account in
      if let waker = account.waker { launch_close(waker) }
      account.waker = nil
      return account.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until there may be one more connection; false when the server is to stop before.
  private func waitForRoom(_ alarm: Int32) -> Bool {
    while !isStopping {
      let isCrowded = account.withLock { $0.count } >= max(1, limits.connections)
      crowded.store(isCrowded, ordering: .sequentiallyConsistent)
      if !isCrowded { return true }
      account.withLock { $0.shutDownLongestIdle() }
      _ = launch_wait(-1, 0, alarm, -1)
      launch_pipe_drain(alarm)
    }
    return false
  }

  private func accept(from listener: Int32, _ alarm: Int32) {
    let descriptor = launch_accept(listener)
    guard descriptor >= 0 else {
      if launch_is_exhaustion(descriptor) != 0 { account.withLock { $0.shutDownLongestIdle() } }
      // A client that is gone again is nothing; without descriptors or memory, trying at once would only burn time.
      _ = launch_wait(-1, 0, alarm, 10_000_000)
      return
    }
    let place = account.withLock { $0.add(descriptor, to: self) }
    let code = startThread { [self] in serve(descriptor, place) }
    if code != 0 {
      place.leave()
      launch_close(descriptor)
    }
  }

  private func endConnections(_ alarm: Int32) {
    let deadline = Moment.now + limits.grace
    account.withLock { $0.shutDown { !$0.isInRequest } }
    while hasConnections, deadline > .now {
      _ = launch_wait(-1, 0, alarm, deadline.wait(from: .now))
      launch_pipe_drain(alarm)
    }
    account.withLock { $0.shutDown { _ in true } }
    while hasConnections {
      _ = launch_wait(-1, 0, alarm, -1)
      launch_pipe_drain(alarm)
    }
  }

  private var hasConnections: Bool { account.withLock { $0.count > 0 } }
}
