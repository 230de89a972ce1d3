import CPlatform
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

/// Begins `work` on a thread of its own, where it may block.
/// - Parameter isRealTime: Whether that is of the real-time class where the system grants it.
func onThread<Value: Sendable>(
  isRealTime: Bool = false, _ work: @escaping @Sendable () throws -> Value
) -> Outcome<Value> {
  let outcome = Outcome<Value>()
  let body = ThreadBody { outcome.set(Result { try work() }) }
  let context = unsafe Unmanaged.passRetained(body).toOpaque()
  if unsafe isRealTime && launch_real_time_thread(1 << 20, threadMain, context) == 0 { return outcome }
  let code = unsafe launch_thread(1 << 20, threadMain, context)
  precondition(code == 0, "there is no thread left to measure with")
  return outcome
}

private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// What work that goes on elsewhere will give.
final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ value: Result<Value, any Error>) {
    result.withLock { $0 = value }
    isThere.signal()
  }

  /// May be asked for once.
  func wait() throws -> Value {
    while true {
      isThere.wait()
      if let value = result.withLock({ $0 }) { return try value.get() }
    }
  }
}
