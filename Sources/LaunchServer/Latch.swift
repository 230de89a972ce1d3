import CPlatform

/// Where a connection's thread waits until the pacing thread has done its part.
///
/// Not a pipe: with hundreds of connections those would use up the process's descriptors.
@safe final class Latch: Sendable {
  // Made here, freed in deinit, and locked by itself in between.
  nonisolated(unsafe) private let pointer = unsafe launch_latch_make()

  deinit { unsafe launch_latch_free(pointer) }

  /// Lets the waiting thread go on, once for each wait.
  func release(isWritten: Bool) { unsafe launch_latch_release(pointer, isWritten ? 1 : 2) }

  func wait() -> Bool { unsafe launch_latch_wait(pointer) == 1 }
}
