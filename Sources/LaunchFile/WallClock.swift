#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The time of day by the machine's clock, in microseconds since the start of 1970, UTC. It may jump: for a date in a
/// file's header, never for measuring.
package func microsecondsSince1970() -> Int64 {
  var time = timespec()
  guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
