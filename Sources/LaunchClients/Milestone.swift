/// Something that happens once, for any number of tasks to wait for; they go on in the order in which they came.
@MainActor
final class Milestone<Value: Sendable> {
  private var outcome: Result<Value, any Error>?
  private var waiting: [(id: Int, continuation: CheckedContinuation<Value, any Error>)] = []
  private var count = 0

  /// Only the first call counts.
  func finish(_ outcome: Result<Value, any Error>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    for waiter in waiting { waiter.continuation.resume(with: outcome) }
    waiting = []
  }

  /// Returns when it has happened, at once if it has already.
  /// - Throws: what it failed with; `CancellationError` when the task is cancelled first.
  func wait() async throws -> Value {
    if let outcome { return try outcome.get() }
    count += 1
    let id = count
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.append((id, $0)) }
    } onCancel: {
      Task { @MainActor in self.giveUp(id) }
    }
  }

  private func giveUp(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}
