import Synchronization

/// What the body of a simulation came to. Shared, because a body that left its simulation finishes on another thread.
final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func finish(with result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
  }

  /// Nil while the body runs.
  var current: Result<Value, any Error>? {
    result.withLock { $0 }
  }
}
