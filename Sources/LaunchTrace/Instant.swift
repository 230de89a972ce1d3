/// A moment of a trace: whole microseconds since it began, on one monotonic clock.
public struct Instant: Hashable, Sendable, Comparable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static let zero = Instant(microseconds: 0)

  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds - right.microseconds)
  }

  public static func + (left: Instant, right: Duration) -> Instant {
    Instant(microseconds: left.microseconds + right.wholeMicroseconds)
  }
}

extension Duration {
  /// This duration in microseconds, truncated towards zero; the largest representable value where it does not fit.
  package var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return overflowed ? (seconds < 0 ? .min : .max) : sum
  }
}
