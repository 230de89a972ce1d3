/// Something that happens once, and can be waited for by one task.
@MainActor
final class Signal {
  private var outcome: Result<Void, any Error>?
  private var waiting: CheckedContinuation<Void, any Error>?

  var hasFired: Bool { outcome != nil }

  /// Only the first call counts.
  func fire() { finish(.success(())) }

  /// Returns when the signal fires, at once if it has.
  /// - Throws: `CancellationError` when the task is cancelled first.
  func wait() async throws {
    if let outcome { return try outcome.get() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting = $0 }
    } onCancel: {
      Task { @MainActor in self.finish(.failure(CancellationError())) }
    }
  }

  private func finish(_ outcome: Result<Void, any Error>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    waiting?.resume(with: outcome)
    waiting = nil
  }
}
