/// The unstructured tasks somebody has started, so that they can be waited for and cancelled together.
@MainActor
final class TaskBag {
  /// In the order in which they were started: that of a dictionary would be another in every run.
  private var running: [(id: Int, cancel: () -> Void, finish: () async -> Void)] = []
  private var count = 0

  /// Starts `work` on the main actor, after what runs there now; tasks start in the order of the calls.
  @discardableResult
  func start<Value: Sendable>(_ work: @escaping @MainActor () async throws -> Value) -> Task<Value, any Error> {
    count += 1
    let id = count
    let task = Task {
      defer { running.removeAll { $0.id == id } }
      return try await work()
    }
    running.append((id, task.cancel, { _ = await task.result }))
    return task
  }

  /// Returns when no task is left, those included that are started meanwhile.
  func drain() async {
    while let task = running.first { await task.finish() }
  }

  /// The same, but not later than `deadline`; what then still runs goes on.
  func drain(until deadline: ContinuousClock.Instant) async {
    let end = Signal()
    let drained = Task {
      await drain()
      end.fire()
    }
    let timer = Task {
      try await Task.sleep(until: deadline, tolerance: .zero, clock: .continuous)
      end.fire()
    }
    try? await end.wait()
    timer.cancel()
    drained.cancel()
  }

  func cancelAll() {
    for task in running { task.cancel() }
  }
}
