/// What a connection is doing, as far as others may end it.
enum Activity: Equatable {
  /// Waits for the first byte of a request.
  case idle(since: Moment)
  /// Waits for the rest of a request that began then. A stopping server lets it finish.
  case reading(since: Moment)
  /// Answers a request; a stopping server lets it finish.
  case busy
  /// Waits for the client to go away.
  case waiting

  /// How long the connection has been of no use; nil when it must not be ended to make room for another.
  var idleSince: Moment? {
    switch self {
    case .idle(let since), .reading(let since): since
    case .busy, .waiting: nil
    }
  }

  /// Whether a stopping server lets it come to its end.
  var isInRequest: Bool {
    switch self {
    case .reading, .busy: true
    case .idle, .waiting: false
    }
  }
}

/// One number stands for an activity, so that changing it takes no lock.
extension Activity {
  private static let busyNumber: Int64 = -1
  private static let waitingNumber: Int64 = -2

  init(number: Int64) {
    let since = Moment(nanoseconds: number >> 1)
    switch number {
    case Self.busyNumber: self = .busy
    case Self.waitingNumber: self = .waiting
    default: self = number & 1 == 0 ? .idle(since: since) : .reading(since: since)
    }
  }

  /// Moments of the clock are far from the ends of their range.
  var number: Int64 {
    switch self {
    case .idle(let since): max(0, since.nanoseconds) << 1
    case .reading(let since): max(0, since.nanoseconds) << 1 | 1
    case .busy: Self.busyNumber
    case .waiting: Self.waitingNumber
    }
  }
}
