import CPlatform

/// One accepted connection; its owner closes it by letting it go.
struct Socket: ~Copyable {
  enum Received {
    case bytes([UInt8])
    /// The client closed its side or broke the connection.
    case closed
    case timedOut
  }

  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { launch_close(descriptor) }

  /// The next bytes, as many as have arrived.
  func receive(until deadline: ContinuousClock.Instant) -> Received {
    while launch_wait(descriptor, 1, -1, nanoseconds(until: deadline)) == 0 {
      if deadline <= .now { return .timedOut }
    }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = max(0, unsafe launch_receive(descriptor, start, buffer.count))
    }
    return bytes.isEmpty ? .closed : .bytes(bytes)
  }

  /// Writes all of `bytes`; false when the client is gone.
  func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
        let count = unsafe launch_send(descriptor, start, rest.count)
        guard count > 0 else { return false }
        unsafe rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Waits for `moment`; false when the connection broke before.
  func wait(until moment: ContinuousClock.Instant) -> Bool {
    while moment > .now {
      if launch_wait(descriptor, 0, -1, nanoseconds(until: moment)) != 0 { return false }
    }
    return true
  }

  /// Ends in order, and reads on for a moment: closing with unread bytes would reset the connection, and the client
  /// could lose the end of what was sent (RFC 9112 section 9.6).
  func finish() {
    launch_shut_down(descriptor, 0)
    let deadline = ContinuousClock.now + .seconds(1)
    while case .bytes = receive(until: deadline), deadline > .now {}
  }

  /// Makes closing reset the connection, once the client has what was sent: a reset throws away bytes still in the send
  /// queue.
  func prepareReset() {
    let deadline = ContinuousClock.now + .seconds(1)
    while launch_unsent(descriptor) > 0, deadline > .now, wait(until: .now + .milliseconds(1)) {}
    launch_reset_on_close(descriptor)
  }

  /// Reads on until the client has closed its side or someone shut the connection down.
  func waitForClose() {
    while true {
      if case .closed = receive(until: .now + .seconds(86_400)) { return }
    }
  }
}

/// How long to wait at most from now on, at least 0 and at most a day; longer waits are taken up again.
func nanoseconds(until deadline: ContinuousClock.Instant) -> Int64 {
  let rest = min(max(ContinuousClock.now.duration(to: deadline), .zero), .seconds(86_400)).components
  return rest.seconds * 1_000_000_000 + rest.attoseconds / 1_000_000_000
}
