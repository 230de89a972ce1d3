import CPlatform

/// The listening socket of a server, and whether someone waits there.
struct Callers {
  private enum Queue {
    case empty
    case waiting
    /// They wait for the end of another connection, or until one is idle.
    case crowded
    /// The system had no descriptor or memory for them.
    case paused(until: Moment)
  }

  /// Trying again at once would only burn time.
  private static let pause: Int64 = 10_000_000

  let listener: Int32
  private var queue = Queue.empty

  init(_ listener: Int32) { self.listener = listener }

  /// Takes note that there are more.
  mutating func come() { queue = .waiting }

  /// Whether there really is one: not every sign was followed by asking until there were no more.
  mutating func check() -> Bool {
    if launch_has_input(listener) != 0 { return true }
    queue = .empty
    return false
  }

  mutating func waitForRoom() { queue = .crowded }

  /// Whether one can be accepted as soon as there is room for another connection.
  func areWaiting(at now: Moment) -> Bool {
    switch queue {
    case .empty: false
    case .waiting, .crowded: true
    case .paused(let until): until <= now
    }
  }

  /// When to try again, whatever happens until then.
  var due: Moment {
    switch queue {
    case .empty, .crowded: .never
    case .waiting: Moment(nanoseconds: .min)
    case .paused(let until): until
    }
  }

  /// Accepts the next; nil when there is none, or it cannot be had for now.
  /// - Parameter isExhausted: Set when neither the process nor the system has a descriptor left.
  mutating func accept(at now: Moment, isExhausted: inout Bool) -> Int32? {
    let descriptor = launch_accept(listener)
    if descriptor >= 0 { return descriptor }
    isExhausted = launch_is_exhaustion(descriptor) != 0
    queue = launch_is_unready(Int(descriptor)) != 0 ? .empty : .paused(until: now.advanced(by: Self.pause))
    return nil
  }
}
