/// Waits that double from one try to the next, up to a limit, each spread by chance.
///
/// ```swift
/// let clicks = Backoff(first: .seconds(1), limit: .seconds(30), spread: 0.8...1.2)   // vendors.md 4.4
/// let wait = clicks.wait(beforeRetry: 3, using: &generator)                          // 3.2 to 4.8 s
/// ```
public struct Backoff: Hashable, Sendable {
  /// The wait before the first retry, before spreading.
  public var first: Duration
  /// The longest wait before spreading.
  public var limit: Duration
  /// The factors between which chance chooses.
  public var spread: ClosedRange<Double>
  /// No wait is shorter, whatever chance says.
  public var floor: Duration

  public init(first: Duration, limit: Duration, spread: ClosedRange<Double>, floor: Duration = .zero) {
    self.first = first
    self.limit = limit
    self.spread = spread
    self.floor = floor
  }

  /// The wait before retry number `number`, counted from 1; draws one number.
  public func wait(beforeRetry number: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    max(floor, wait(beforeRetry: number) * Double.random(in: spread, using: &generator))
  }

  /// The same before chance: `first` doubled `number - 1` times, at most `limit`.
  public func wait(beforeRetry number: Int) -> Duration {
    var wait = min(first, limit)
    var doublings = max(number, 1) - 1
    while doublings > 0, wait != limit, wait != .zero {
      wait = min(wait * 2, limit)
      doublings -= 1
    }
    return wait
  }
}
