#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file or folder; closed when the value goes away.
struct OpenFile: ~Copyable {
  /// A file's identity while it exists, whatever it is called.
  struct Identity: Hashable {
    var device: UInt64
    var node: UInt64
  }

  /// What errors call it; a renamed file's owner changes it.
  var path: String
  let descriptor: Int32
  private let calls: SystemCalls

  /// - Throws: `FileError` with the operation `open`.
  init(_ path: String, _ flags: Int32, mode: UInt32 = 0, calls: SystemCalls = SystemCalls()) throws(FileError) {
    try requireUsable(path, for: .open)
    let descriptor = retryingInterrupted { calls.openFile(path, flags | O_CLOEXEC, mode) }
    if descriptor < 0 { throw FileError(.open, path, code: errno) }
    self.path = path
    self.descriptor = descriptor
    self.calls = calls
  }

  deinit { _ = close(descriptor) }

  /// The status of the open file, or nil with `errno` set.
  private var status: stat? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  var identity: Identity? {
    status.map { Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), node: UInt64($0.st_ino)) }
  }

  /// The size in bytes; 0 for what has none (pipes, devices).
  var size: Int { status.map { Int($0.st_size) } ?? 0 }

  /// How much a device that is no terminal gives at most: nothing, or without an end.
  private static let deviceLimit = 1 << 20

  /// Whether this is a device such as `/dev/zero`.
  private var isDevice: Bool { status.map { $0.st_mode & S_IFMT == S_IFCHR } == true && isatty(descriptor) == 0 }

  /// Refuses more than `count` bytes read from a device.
  func requireEnd(after count: Int) throws(FileError) {
    if count > Self.deviceLimit, isDevice {
      throw FileError(.read, path, "it is a device, and gives bytes without an end")
    }
  }

  /// Reads to the end, in as few calls as a file of a known size needs.
  /// - Throws: `FileError` as well when there is more than `limit`: a device may have no end.
  func readToEnd(limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the file has, so that its end is met without another block.
    var room = min(max(size, 0), limit) + 1
    while true {
      let count = try append(to: &bytes, upTo: room)
      if count == 0 { return bytes }
      try requireEnd(after: bytes.count)
      if bytes.count > limit { throw FileError(.read, path, "it has more than \(limit >> 20) MiB") }
      room = room > count ? room - count : 1 << 16
    }
  }

  /// Reads once, at most so many bytes; none at the end.
  func read(upTo count: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try append(to: &bytes, upTo: count)
    return bytes
  }

  private func append(to bytes: inout [UInt8], upTo room: Int) throws(FileError) -> Int {
    var count = 0
    bytes.append(addingCapacity: room) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, taken in
        count = retryingInterrupted { unsafe readBytes(descriptor, buffer.baseAddress, buffer.count) }
        taken = max(count, 0)
      }
    }
    if count < 0 { throw FileError(.read, path, code: errno) }
    return count
  }

  /// Writes all of `bytes` with one call of `write`, and goes on after an interruption or a short write.
  func writeAll(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = retryingInterrupted { calls.writeBytes(descriptor, rest) }
      if count < 0 { throw FileError(.write, path, code: errno) }
      if count == 0 { throw FileError(.write, path, "the system took no bytes") }
      rest = rest.dropFirst(count)
    }
  }

  /// Says who may read and write it.
  func setPermissions(_ mode: mode_t) throws(FileError) {
    if fchmod(descriptor, mode) != 0 { throw FileError(.write, path, code: errno) }
  }

  /// Makes what was written survive a power failure.
  func flush() throws(FileError) {
    if retryingInterrupted({ calls.flushFile(descriptor) }) != 0 { throw FileError(.flush, path, code: errno) }
  }

  /// Takes the exclusive lock of the file, which the system gives back when the process dies; false when another
  /// open file has it.
  func tryLock() throws(FileError) -> Bool {
    if retryingInterrupted({ calls.lockFile(descriptor) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw FileError(.lock, path, code: errno)
  }
}

/// Runs a system call again for as long as a signal interrupts it.
func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Refuses what the system's C strings would silently read as another path.
func requireUsable(_ path: String, for operation: FileError.Operation) throws(FileError) {
  if path.isEmpty { throw FileError(operation, path, "the path is empty") }
  if path.utf8.contains(0) { throw FileError(operation, path, "the path contains a NUL byte") }
}

/// The system's `read`, which a method of the same name hides.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}
