/// A moment of a trace: whole microseconds since it began, on one monotonic clock.
///
/// ```swift
/// let answered = Instant(microseconds: 912_000)
/// answered + .milliseconds(48)  // Instant(microseconds: 960000)
/// answered - .zero              // 0.912 seconds
/// ```
public struct Instant: Hashable, Sendable, Comparable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The beginning of the trace.
  public static let zero = Instant(microseconds: 0)

  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

  /// How long `left` comes after `right`; negative when it comes before.
  /// - Precondition: The microseconds fit 64 bits. They always do when neither instant lies before `zero`.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds - right.microseconds)
  }

  /// The instant so long after `left`, or before it for a negative duration, which is truncated to whole microseconds.
  /// - Precondition: The sum fits 64 bits of microseconds.
  public static func + (left: Instant, right: Duration) -> Instant {
    Instant(microseconds: left.microseconds + right.wholeMicroseconds)
  }
}

extension Duration {
  /// This duration in microseconds, truncated towards zero; the largest representable value where it does not fit.
  package var wholeMicroseconds: Int64 {
    // A trillion is 2 to the 12th by 5 to the 12th. Without the first, a day less some hours fits 64 bits, which are
    // divided in much less time.
    if let rest = UInt64(exactly: attoseconds >> 12) { return Int64(rest / 244_140_625) }
    return Int64(clamping: attoseconds / 1_000_000_000_000)
  }
}
