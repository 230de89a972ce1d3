import Synchronization

/// What a body came to: nil while it runs. Shared, because a body that left its simulation ends on another thread.
final class Outcome<Value: Sendable>: Sendable {
  private let storage = Mutex<Result<Value, any Error>?>(nil)

  var result: Result<Value, any Error>? {
    get { storage.withLock { $0 } }
    set { storage.withLock { $0 = newValue } }
  }
}
