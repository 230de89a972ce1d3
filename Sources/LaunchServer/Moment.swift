import CPlatform

/// A moment of the monotonic clock.
///
/// One number, not the 128 bits of `ContinuousClock.Instant`: the pacing thread compares moments in the microseconds
/// before a deadline.
package struct Moment: Hashable, Sendable {
  var nanoseconds: Int64

  /// Later than any other.
  package static let never = Moment(nanoseconds: .max)

  package static var now: Moment { Moment(nanoseconds: launch_now()) }

  /// A moment too far off to be counted is the last one.
  package static func + (moment: Moment, duration: Duration) -> Moment {
    duration == .zero ? moment : moment.advanced(by: duration.wholeNanoseconds)
  }

  func advanced(by nanoseconds: Int64) -> Moment {
    let (sum, isTooFar) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return isTooFar ? (nanoseconds > 0 ? .never : Moment(nanoseconds: .min)) : Moment(nanoseconds: sum)
  }

  /// How long `left` comes after `right`.
  package static func - (left: Moment, right: Moment) -> Duration {
    let (rest, isTooFar) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return .nanoseconds(isTooFar ? (left > right ? .max : .min) : rest)
  }

  /// How long to wait from `now` on, at least 0 and at most a day; longer waits are taken up again.
  func wait(from now: Moment) -> Int64 {
    let (rest, isTooFar) = nanoseconds.subtractingReportingOverflow(now.nanoseconds)
    return isTooFar ? (self > now ? Self.day : 0) : min(max(rest, 0), Self.day)
  }

  private static let day: Int64 = 86_400_000_000_000
}

extension Moment: Comparable {
  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
  /// Rounded towards zero; the largest or smallest number when it does not fit.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isStillTooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooFar || isStillTooFar ? (seconds < 0 ? .min : .max) : sum
  }
}
