import CSimulation

/// How virtual time relates to real time.
public enum Pace: Hashable, Sendable {
  /// As fast as the machine can: no waiting.
  case virtual
  /// Every instant waits until the real clock gets there; `speed` 2 runs twice as fast. The order of what happens, and
  /// the time the code reads, are those of `virtual`. `speed` is finite and above zero.
  case real(speed: Double)
}

/// The clock that a paced run keeps to: the machine's, unless a test has another.
package struct RealClock: Sendable {
  /// In nanoseconds since any moment.
  package var now: @Sendable () -> Int64
  /// Blocks until that moment of `now`, or returns at once when it is over.
  package var wait: @Sendable (_ deadline: Int64) -> Void

  package init(now: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (_ deadline: Int64) -> Void) {
    self.now = now
    self.wait = wait
  }

  package static let machine = RealClock(now: { launch_real_nanoseconds() }, wait: { launch_wait_until($0) })
}

/// The real side of a paced run. Deadlines count from the start, so a late instant does not delay the next ones.
struct Pacer {
  private let clock: RealClock
  private let start: Int64
  private let speed: Double

  /// Returns nil for a virtual pace.
  init?(_ pace: Pace, _ clock: RealClock) {
    guard case .real(let speed) = pace else { return nil }
    precondition(speed.isFinite && speed > 0, "the speed of a paced simulation is finite and above zero, not \(speed)")
    self.speed = speed
    self.clock = clock
    start = clock.now()
  }

  func wait(until now: Int64) {
    clock.wait(deadline(of: now))
  }

  /// How far the real clock is past the instant at which virtual `now` was due.
  func lateness(at now: Int64) -> Duration {
    .nanoseconds(max(0, clock.now() - deadline(of: now)))
  }

  private func deadline(of now: Int64) -> Int64 {
    let offset = Int64(exactly: (Double(now) / speed).rounded()) ?? .max
    let (deadline, overflow) = start.addingReportingOverflow(offset)
    return overflow ? .max : deadline
  }
}
