#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls that a journal's safety hangs on, so that tests can make them fail. Each returns a negative number and sets
/// `errno` when it fails.
struct SystemCalls: Sendable {
  /// How many of the bytes were taken.
  var writeBytes: @Sendable (_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int = { descriptor, bytes in
    unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
  }
  var flushFile: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
  var lockFile: @Sendable (_ descriptor: Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) }
}
