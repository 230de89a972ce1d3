import Synchronization

/// A clock that goes on when it is told to.
final class Clock: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  @Sendable func now() -> ContinuousClock.Instant { instant.withLock { $0 } }
  func advance(by duration: Duration) { instant.withLock { $0 += duration } }

  /// Reads a clock on which a second passes before each reading.
  static var ticking: @Sendable () -> ContinuousClock.Instant {
    let clock = Clock()
    return {
      clock.advance(by: .seconds(1))
      return clock.now()
    }
  }
}
