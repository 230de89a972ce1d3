import CPlatform

/// One accepted connection, written through a buffer; its owner closes it by letting it go.
struct Socket: ~Copyable {
  enum Received {
    case bytes(ArraySlice<UInt8>)
    /// The client closed its side or broke the connection.
    case closed
    case timedOut
  }

  let descriptor: Int32
  private var input = [UInt8](repeating: 0, count: 16 * 1024)
  private var output: [UInt8] = []

  /// When so much is gathered it is sent, even if more answers are about to follow.
  private static let outputBytes = 64 * 1024

  /// - Parameter patience: How long the client may send nothing when it has to, and take nothing of what is sent.
  init(_ descriptor: Int32, patience: Duration) {
    self.descriptor = descriptor
    launch_set_patience(descriptor, patience.wholeNanoseconds)
  }

  deinit { launch_close(descriptor) }

  /// The next bytes, as many as have arrived; everything written is sent before.
  /// - Parameter deadline: When to give up; nil after the socket's patience from now on.
  mutating func receive(until deadline: Moment?) -> Received {
    guard flush() else { return .closed }
    if let deadline {
      while launch_wait(descriptor, 1, -1, deadline.wait(from: .now)) == 0 {
        if deadline <= .now { return .timedOut }
      }
    }
    let count = unsafe input.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe launch_receive(descriptor, $0, buffer.count) } ?? 0
    }
    if count > 0 { return .bytes(input[..<count]) }
    return launch_is_time_out(count) != 0 ? .timedOut : .closed
  }

  /// Writes all of `pieces`, at the latest when `flush` or `receive` is called; false when the client is gone.
  mutating func write(_ pieces: Pieces) -> Bool {
    for (index, piece) in pieces.enumerated() {
      if piece.count < Pieces.sharedBytes {
        output += piece
        if output.count >= Self.outputBytes, !flush() { return false }
      } else if !flush(isFollowed: true) || !sendAll(piece, isFollowed: index + 1 < pieces.count) {
        return false
      }
    }
    return true
  }

  /// Sends everything written; false when the client is gone, or took nothing for too long.
  mutating func flush(isFollowed: Bool = false) -> Bool {
    if output.isEmpty { return true }
    defer { output.removeAll(keepingCapacity: true) }
    return sendAll(output[...], isFollowed: isFollowed)
  }

  private func sendAll(_ bytes: ArraySlice<UInt8>, isFollowed: Bool) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard case .sent(let count) = send(rest, to: descriptor, isFollowed: isFollowed, isPatient: true) else {
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends in order, and reads on for a moment: closing with unread bytes would reset the connection, and the client
  /// could lose the end of what was sent (RFC 9112 section 9.6).
  mutating func finish() {
    guard flush() else { return }
    launch_shut_down(descriptor, 0)
    let deadline = Moment.now + .seconds(1)
    while case .bytes = receive(until: deadline), deadline > .now {}
  }

  /// Makes closing reset the connection, once the client has what was sent: a reset throws away bytes still in the send
  /// queue.
  mutating func prepareReset() {
    guard flush() else { return }
    let deadline = Moment.now + .seconds(1)
    while launch_unsent(descriptor) > 0, deadline > .now, launch_wait(descriptor, 0, -1, 100_000) == 0 {}
    launch_reset_on_close(descriptor)
  }

  /// Reads on until the client has closed its side or someone shut the connection down.
  mutating func waitForClose() {
    while true {
      if case .closed = receive(until: nil) { return }
    }
  }
}

/// What became of bytes to be sent.
enum Sent {
  case sent(Int)
  /// There is no room, for now or for as long as the socket's patience lasts.
  case full
  case broken
}

/// Sends the first of `bytes`, which are not empty.
/// - Parameters:
///   - isFollowed: Whether more bytes come at once, so that a small packet may wait for them.
///   - isPatient: Whether to wait for room.
func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, isFollowed: Bool, isPatient: Bool) -> Sent {
  let count = unsafe bytes.withUnsafeBytes { buffer in
    unsafe buffer.baseAddress.map {
      unsafe launch_send(descriptor, $0, buffer.count, isFollowed ? 1 : 0, isPatient ? 1 : 0)
    } ?? 0
  }
  return count > 0 ? .sent(count) : launch_is_time_out(count) != 0 ? .full : .broken
}
