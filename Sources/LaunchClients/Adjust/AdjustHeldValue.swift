/// A value that may come, and those who wait for it.
@MainActor
final class AdjustHeldValue<Value: Sendable> {
  private(set) var value: Value?
  private var waiting: [Int: CheckedContinuation<Value?, any Error>] = [:]
  private var count = 0

  /// The value is there, or another one is; whoever waits gets it.
  func set(_ value: Value) {
    self.value = value
    for id in waiting.keys.sorted() { finish(id, .success(value)) }
  }

  /// The value, as soon as there is one.
  /// - Parameter timeout: How long to wait; nil for ever.
  /// - Returns: Nil when the time has run out.
  /// - Throws: `CancellationError` when the task is cancelled, or nobody will set a value any more.
  func wait(timeout: Duration? = nil) async throws -> Value? {
    if let value { return value }
    count += 1
    let id = count
    let timer = timeout.map { timeout in
      Task {
        try await Task.sleep(for: timeout, tolerance: .zero)
        finish(id, .success(nil))
      }
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting[id] = $0 }
    } onCancel: {
      Task { @MainActor in self.finish(id, .failure(CancellationError())) }
    }
  }

  /// Nobody will set a value any more.
  func stop() { for id in waiting.keys.sorted() { finish(id, .failure(CancellationError())) } }

  private func finish(_ id: Int, _ outcome: Result<Value?, any Error>) {
    waiting.removeValue(forKey: id)?.resume(with: outcome)
  }
}
