import LaunchHTTP

/// The digest of bodies that stand in files of their own.
func measureDigest() -> [Measurement] {
  let megabytes = 32
  let bytes = (0..<megabytes * 1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  let time = best(of: 3) { _ = MD5.digest(of: bytes) }
  return [Measurement("MD5", Double(megabytes) / time.seconds, "MB/s", goal: .atLeast(300))]
}
