#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs `body` on a thread of its own, where it may block for as long as it likes.
/// - Returns: 0, or the errno value that says why there is no such thread.
nonisolated func detachThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let context = unsafe Unmanaged.passRetained(ThreadBody(run: body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      #if canImport(Darwin)
        unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      #else
        if let context = unsafe context { unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
      #endif
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    unsafe context.release()
    return code
  }
  #if canImport(Darwin)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    pthread_detach(thread)
  #endif
  return 0
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
