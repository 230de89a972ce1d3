import CPlatform

/// Runs `body` on a thread of its own: it may block for as long as it likes, which no thread of a pool may.
///
/// The stack has room for the deepest JSON a stand-in may read; only pages that are used cost memory.
/// - Returns: 0, or the negative errno value that says why no thread could be made.
func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  let context = unsafe Unmanaged.passRetained(ThreadBody(run: body))
  let code = unsafe launch_thread(
    1 << 20,
    { context in
      // The default slack of 50 microseconds would make every paced write late by as much.
      launch_sharpen_timers()
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    },
    unsafe context.toOpaque())
  if code != 0 { unsafe context.release() }
  return code
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
