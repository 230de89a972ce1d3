import CPlatform

/// One open connection: does what its conversation says as far as that is possible without waiting. Closed by letting it
/// go.
final class Connection {
  /// Why a turn is over.
  enum Pause {
    /// There is nothing to do before there is a sign, a deadline or word of the pacing thread.
    case waiting
    /// It is the others' turn.
    case unfinished
    /// The pacing thread is to write this.
    case pacing(Job)
    /// The client has to take what was sent before the reset.
    case resetting
    case over
  }

  /// After how many bytes sent it is the others' turn, and how many a step counts for besides.
  private static let bytesPerTurn = 128 * 1024
  private static let bytesOfStep = 32 * 1024

  let descriptor: Int32
  var conversation: Conversation
  /// Whether there may be something to receive. Signs come once, so this is known until receiving shows otherwise.
  private var hasInput = false
  private var hasRoom = true
  /// Whether the client sends no more than what is already there.
  private var isEnded = false
  private var isBroken = false

  /// - Parameter descriptor: Is closed with this connection.
  init(_ descriptor: Int32, _ conversation: consuming Conversation) {
    self.descriptor = descriptor
    self.conversation = conversation
  }

  deinit { launch_close(descriptor) }

  func take(_ sign: launch_sign) {
    if sign.isBroken != 0 { isBroken = true }
    if sign.isEnded != 0 { isEnded = true }
    if sign.hasInput != 0 || isEnded || isBroken { hasInput = true }
    if sign.hasRoom != 0 || isBroken { hasRoom = true }
  }

  /// - Parameter buffer: Has room for what is received; of no meaning before and afterwards.
  func turn(at now: Moment, _ buffer: inout [UInt8]) -> Pause {
    var work = 0
    while work < Self.bytesPerTurn {
      work += Self.bytesOfStep
      switch conversation.next(at: now) {
      case .receive:
        guard hasInput else { return .waiting }
        receive(&buffer)
      case .send:
        guard hasRoom else { return .waiting }
        work += send(at: now)
      case .pace(let job): return .pacing(job)
      case .wait: return .waiting
      case .finish: launch_shut_down(descriptor, 0)
      case .reset:
        launch_reset_on_close(descriptor)
        return isBroken || launch_unsent(descriptor) == 0 ? .over : .resetting
      case .close: return .over
      }
    }
    return .unfinished
  }

  private func receive(_ buffer: inout [UInt8]) {
    let capacity = buffer.count
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe launch_receive(descriptor, $0, capacity) } ?? 0
    }
    if count > 0 {
      // Less than there was room for is all there was.
      hasInput = count == capacity || isEnded
      conversation.received(buffer[..<count], at: .now)
    } else if launch_is_unready(count) != 0 {
      hasInput = false
    } else {
      conversation.ended(at: .now)
    }
  }

  /// Returns how many bytes were sent.
  private func send(at now: Moment) -> Int {
    let next = conversation.outbox.next
    switch transmit(next.first, next.second, to: descriptor, isFollowed: next.isFollowed) {
    case .sent(let count):
      conversation.sent(count, at: now)
      return count
    case .full: hasRoom = false
    case .broken: conversation.broke(at: now)
    }
    return 0
  }
}
