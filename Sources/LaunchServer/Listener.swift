import CPlatform
import Synchronization

/// Accepts connections on a thread of its own, keeps account of them, and ends them when the server stops.
final class Listener: Sendable {
  private let account: Mutex<Account>
  private let limits: LaunchServer.Limits
  private let serve: @Sendable (_ descriptor: Int32, _ place: Place) -> Void

  /// Takes over `listener` and starts accepting.
  /// - Parameter serve: Serves one connection and closes its descriptor, on a thread of that connection.
  init(
    _ listener: Int32, limits: LaunchServer.Limits,
    serve: @escaping @Sendable (_ descriptor: Int32, _ place: Place) -> Void
  ) throws(ServerError) {
    var (alarm, waker): (Int32, Int32) = (-1, -1)
    let code = unsafe launch_pipe(&alarm, &waker)
    account = Mutex(Account(waker: waker))
    self.limits = limits
    self.serve = serve
    let threadCode = code == 0 ? startThread { [self, alarm] in run(listener, alarm) } : code
    guard threadCode == 0 else {
      for descriptor in [listener, alarm, waker] where descriptor >= 0 { launch_close(descriptor) }
      throw .outOfResources(reason: systemSentence(threadCode))
    }
  }

  func stop() { account.withLock { $0.stop() } }

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
    let waiting = account.withLock { account in
      if let waker = account.waker { launch_close(waker) }
      account.waker = nil
      return account.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private var isStopping: Bool { account.withLock { $0.isStopping } }

  /// Waits until there may be one more connection; false when the server is to stop before.
  private func waitForRoom(_ alarm: Int32) -> Bool {
    while !isStopping {
      if account.withLock({ $0.makeRoom(for: limits.connections) }) { return true }
      _ = launch_wait(-1, 0, alarm, -1)
      launch_pipe_drain(alarm)
    }
    return false
  }

  private func accept(from listener: Int32, _ alarm: Int32) {
    let descriptor = launch_accept(listener)
    guard descriptor >= 0 else {
      // A client that is gone again is nothing; without descriptors or memory, trying at once would only burn time.
      _ = launch_wait(-1, 0, alarm, 10_000_000)
      return
    }
    let id = account.withLock { $0.add(descriptor) }
    let code = startThread { [self] in
      serve(descriptor, Place(listener: self, id: id))
    }
    if code != 0 {
      account.withLock { $0.leave(id) }
      launch_close(descriptor)
    }
  }

  private func endConnections(_ alarm: Int32) {
    let deadline = ContinuousClock.now + limits.grace
    account.withLock { $0.shutDown { $0 != .busy } }
    while hasConnections, deadline > .now {
      _ = launch_wait(-1, 0, alarm, nanoseconds(until: deadline))
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

extension Listener {
  /// One connection's entry in the account.
  struct Place: Sendable {
    fileprivate let listener: Listener
    fileprivate let id: Int

    /// Notes what the connection does now; false when it should end because the server is stopping.
    func enter(_ activity: Account.Activity) -> Bool {
      listener.account.withLock { $0.enter(activity, id) }
    }

    /// To be called before the descriptor is closed.
    func leave() { listener.account.withLock { $0.leave(id) } }
  }
}
