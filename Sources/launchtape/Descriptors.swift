#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file descriptors that a server with its connections needs.
enum Descriptors {
  /// Below this, libdispatch and the servers get in each other's way, and the process may die of it.
  private static let least: rlim_t = 64
  private static let plenty: rlim_t = 4096

  /// Raises the limit as far as the system allows.
  /// - Throws: `Failure` when that is not enough.
  static func require() throws(Failure) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    if limit.rlim_cur < plenty {
      limit.rlim_cur = min(limit.rlim_max, plenty)
      _ = unsafe setrlimit(resource, &limit)
    }
    guard limit.rlim_cur >= least else {
      throw Failure(
        message: "only \(limit.rlim_cur) file descriptors are allowed, and at least \(least) are needed",
        next: "allow more with: ulimit -n 256")
    }
  }
}
