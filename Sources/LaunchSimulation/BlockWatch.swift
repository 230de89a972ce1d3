/// Finds jobs that keep the thread: looked at often, it sees how much real time passed in between.
struct BlockWatch {
  private static let limit: Int64 = 5_000_000_000

  private let clock: RealClock
  private var last: Int64

  init(_ clock: RealClock) {
    self.clock = clock
    last = clock.now()
  }

  /// - Returns: The time since the last look, when that is over the limit.
  mutating func look() -> Duration? {
    let now = clock.now()
    defer { last = now }
    return now - last > Self.limit ? .nanoseconds(now - last) : nil
  }
}
