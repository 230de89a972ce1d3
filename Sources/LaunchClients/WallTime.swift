import LaunchTrace

/// A moment of civil time in UTC, as far as vendors' dates need it: whole milliseconds since 1970.
///
/// ```swift
/// WallTime(milliseconds: 1_767_323_045_678).iso  // "2026-01-02T03:04:05.678"
/// ```
public struct WallTime: Hashable, Sendable {
  /// Since 1970-01-01 00:00 UTC, leap seconds left out.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// So much later, in whole milliseconds.
  public func advanced(by duration: Duration) -> WallTime {
    WallTime(milliseconds: milliseconds &+ duration.wholeMilliseconds)
  }

  /// `2026-01-02T03:04:05.678`, without a zone.
  public var iso: String {
    let (days, ofDay) = milliseconds.dividedDown(by: 86_400_000)
    let (year, month, day) = civilDate(daysSince1970: days)
    let date = [padded(year, to: 4), padded(month, to: 2), padded(day, to: 2)].joined(separator: "-")
    let clock = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60].map { padded($0, to: 2) }
    return "\(date)T\(clock.joined(separator: ":")).\(padded(ofDay % 1000, to: 3))"
  }
}

/// The date of a day in the proleptic Gregorian calendar: counted in eras of 400 years that begin on 1 March, so that
/// the leap day is the last of its year and months need no table.
private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
}

private func padded(_ number: Int64, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Duration {
  /// Truncated towards zero.
  var wholeMilliseconds: Int64 { wholeMicroseconds / 1000 }
}

extension Int64 {
  /// Quotient and remainder, the remainder never negative.
  fileprivate func dividedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
