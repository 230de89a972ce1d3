import Testing

@testable import LaunchServer

struct MomentTests {
  static let sums: [(moment: Int64, duration: Duration, sum: Int64)] = [
    (5, .zero, 5), (5, .nanoseconds(3), 8), (5, .milliseconds(-1), -999_995), (5, .seconds(Int64.max), .max),
    (.max - 1, .nanoseconds(2), .max), (-5, .seconds(Int64.min), .min),
    (0, .seconds(9_223_372_036), 9_223_372_036_000_000_000),
  ]

  @Test(arguments: sums) func `a moment and a duration add up, and end at the ends of time`(
    row: (moment: Int64, duration: Duration, sum: Int64)
  ) {
    #expect((Moment(nanoseconds: row.moment) + row.duration).nanoseconds == row.sum)
  }

  static let waits: [(moment: Int64, now: Int64, wait: Int64)] = [
    (10, 3, 7), (3, 10, 0), (3, 3, 0), (.max, 0, 86_400_000_000_000), (.max, -5, 86_400_000_000_000), (.min, 5, 0),
  ]

  @Test(arguments: waits) func `a wait is never negative and at most a day`(
    row: (moment: Int64, now: Int64, wait: Int64)
  ) {
    #expect(Moment(nanoseconds: row.moment).wait(from: Moment(nanoseconds: row.now)) == row.wait)
  }
}
