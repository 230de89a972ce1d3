#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls that a file's safety hangs on, so that tests can make each of them fail. Each returns a negative number and
/// sets `errno` when it fails.
package struct SystemCalls: Sendable {
  /// The descriptor of the file, opened or made.
  package var openFile: @Sendable (_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 = { path, flags, mode in
    unsafe open(path, flags, mode_t(truncatingIfNeeded: mode))
  }
  /// How many of the bytes were taken.
  package var writeBytes: @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int = { descriptor, bytes in
    unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  }
  package var flushFile: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
  /// Tries for a fifth of a second: a process that is just being started still holds what its parent has let go of.
  package var lockFile: @Sendable (_ descriptor: Int32) -> Int32 = { descriptor in
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return 0 }
      guard errno == EWOULDBLOCK else { return -1 }
      usleep(10_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB)
  }
  /// Replaces what has the new name.
  package var renameFile: @Sendable (_ path: String, _ newPath: String) -> Int32 = { unsafe rename($0, $1) }
  /// Gives the file a second name, unless that is taken.
  package var linkFile: @Sendable (_ path: String, _ newPath: String) -> Int32 = { unsafe link($0, $1) }
  package var unlinkFile: @Sendable (_ path: String) -> Int32 = { unsafe unlink($0) }

  package init() {}
}
