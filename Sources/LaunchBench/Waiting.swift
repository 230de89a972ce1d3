import Dispatch
import Synchronization

/// What `work` gives. The main function waits instead of being asynchronous itself, so that the other groups can be run
/// under valgrind.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let outcome = Outcome<Value>()
  Task.detached {
    do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
  }
  return try outcome.wait()
}

private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ value: Result<Value, any Error>) {
    result.withLock { $0 = value }
    isThere.signal()
  }

  func wait() throws -> Value {
    while true {
      isThere.wait()
      if let value = result.withLock({ $0 }) { return try value.get() }
    }
  }
}
