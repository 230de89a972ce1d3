/// What a client does in the background, told apart by how it ends: by itself, after a success that may never come, or
/// not at all.
@MainActor
final class AdaptyWork {
  private enum Phase { case running, settling(isBounded: Bool) }

  private let tasks = TaskBag()
  private let rests = TaskBag()
  private var phase = Phase.running

  @discardableResult
  func start<Value: Sendable>(_ work: @escaping @MainActor () async throws -> Value) -> Task<Value, any Error> {
    tasks.start(work)
  }

  /// Waits before the next of tries that have no last.
  /// - Throws: `CancellationError` when the task is cancelled, or nobody waits for another try.
  func waitBeforeRetry(_ duration: Duration) async throws {
    if case .settling(isBounded: false) = phase { throw CancellationError() }
    try await sleep(duration)
  }

  /// Waits before the next time of something that is done again and again.
  /// - Throws: `CancellationError` when the task is cancelled, and as soon as the client settles.
  func waitBeforeRepeating(_ duration: Duration) async throws {
    if case .settling = phase { throw CancellationError() }
    let rest = rests.start { try await self.sleep(duration) }
    try await withTaskCancellationHandler {
      try await rest.value
    } onCancel: {
      rest.cancel()
    }
  }

  /// What `work` comes to; nil when `limit` passes first. The work is then cancelled, and not waited for.
  /// - Throws: what `work` throws; `CancellationError` when the task is cancelled, and the work with it.
  func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value? {
    let outcome = Milestone<Value?>()
    let worker = tasks.start {
      do { outcome.finish(.success(try await work())) } catch { outcome.finish(.failure(error)) }
    }
    let timer = tasks.start {
      try await self.sleep(limit)
      outcome.finish(.success(nil))
    }
    defer {
      worker.cancel()
      timer.cancel()
    }
    return try await outcome.wait()
  }

  /// Returns when nothing is left that ends by itself, at the latest at `deadline`.
  ///
  /// What repeats ends now. Without a deadline tries without a last end with the next failure, so that this returns.
  func settle(until deadline: ContinuousClock.Instant?) async {
    phase = .settling(isBounded: deadline != nil)
    rests.cancelAll()
    if let deadline { await tasks.drain(until: deadline) } else { await tasks.drain() }
    phase = .running
  }

  func stop() {
    tasks.cancelAll()
    rests.cancelAll()
  }

  private func sleep(_ duration: Duration) async throws {
    try await Task.sleep(until: .now + duration, tolerance: .zero, clock: .continuous)
  }
}
