/// Waits for OneSignal's user id, but not for ever (launch-flow.md section 2, A1 to A4).
///
/// As published: the observer is registered long before the wait begins and prints on its own, and an id that is
/// already there when the wait begins does not count as resolved; so "fetched" may be printed early, and twice (Q1).
/// The moment at which the published wait can be missed for ever (Q2) needs a second thread between two of its
/// statements; here all of them run on the main actor.
///
/// In the strict edition the wait prints once, and only while it lasts.
@MainActor
final class UserWait {
  private let id: @MainActor () -> String?
  private let log: WaitingTimeLog
  private let tasks: TaskBag
  private let edition: LaunchEdition
  /// Before the strict wait begins there is nothing to resolve.
  private var isResolved: Bool
  private var released = Signal()

  /// - Parameter id: Reads the user's id; nil while there is none.
  init(
    edition: LaunchEdition, id: @escaping @MainActor () -> String?, log: WaitingTimeLog, tasks: TaskBag
  ) {
    self.edition = edition
    isResolved = edition == .strict
    self.id = id
    self.log = log
    self.tasks = tasks
  }

  /// The user observer's callback.
  func userChanged() { resolve(.userFetched) }

  /// Three sources race: the observer, a poll, and a timer. A missing id is no error.
  /// - Throws: `CancellationError` when the task is cancelled.
  func wait() async throws {
    log.mark(.waitingForUser)
    guard id() == nil else { return log.mark(.userFetched) }
    isResolved = false
    released = Signal()
    let poll = tasks.start { try await self.poll() }
    let timer = tasks.start {
      try await Task.sleep(for: LaunchNumbers.userWait)
      self.resolve(self.id() == nil ? .userTimeout : .userFetched)
    }
    try await released.wait()
    poll.cancel()
    timer.cancel()
  }

  private func poll() async throws {
    for _ in 0..<LaunchNumbers.userPolls {
      try await Task.sleep(for: LaunchNumbers.userPollInterval)
      if id() != nil { return resolve(.userFetched) }
    }
  }

  private func resolve(_ entry: WaitingTimeEntry) {
    guard !isResolved else { return }
    isResolved = true
    log.mark(entry)
    released.fire()
  }
}
