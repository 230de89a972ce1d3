import CPlatform

/// Runs `body` on a thread of its own: it may block for as long as it likes, which no thread of a pool may.
///
/// The stack has room for the deepest JSON a stand-in may read; only pages that are used cost memory.
/// - Parameter isRealTime: Whether the thread has to run before all ordinary ones.
/// - Returns: 0, or the negative errno value that says why no such thread could be made.
func startThread(isRealTime: Bool = false, _ body: @escaping @Sendable () -> Void) -> Int32 {
  let context = unsafe Unmanaged.passRetained(ThreadBody(run: body))
  let make = unsafe isRealTime ? launch_real_time_thread : launch_thread
  let code = unsafe make(1 << 20, threadMain, context.toOpaque())
  if code != 0 { unsafe context.release() }
  return code
}

private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  // The default slack of 50 microseconds would make every paced write late by as much.
  launch_sharpen_timers()
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
