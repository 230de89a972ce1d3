import LaunchContract
import LaunchTrace
import Testing

/// Rule 15, `retries of A back off …`.
struct BackoffTests {
  private static let plain = "retries of a back off from 100 ms"
  private static let doubling = "retries of a back off from 100 ms, factor 2, jitter 10 %"
  private static let capped = "retries of a back off from 100 ms, factor 3, cap 250 ms"
  private static let full = "retries of a back off from 100 ms, factor 2, full jitter, at most 3 tries"

  static let rows: [Row] = [
    Row(plain, "", .idle), Row(plain, "…", Row.keeps), Row(plain, "a 0-10 200", .idle), Row(plain, "a 0-10 503", .idle),
    Row(plain, "a 0-10 503 | …", Row.keeps),
    Row(plain, "a 0-10 503 | a 110-120 200", .holds), Row(plain, "a 0-10 503 | a 110-120 200 | …", Row.keeps),
    Row(plain, "a 0-10 503 | a 109-120 200", .broken), Row(plain, "a 0-10 503 | a 109-120 200 | …", .broken),
    Row(plain, "a 0-10 503 | a 111-120 200", .broken), Row(plain, "a 0-10 503 | a 110-", .holds),
    Row(plain, "a 0-10 reset | a 110-120 429 | a 220-230 200", .holds),
    // What follows a success, a final failure or a cancellation is another call, and so is what has another body.
    Row(plain, "a 0-10 200 | a 12-13 200", .idle), Row(plain, "a 0-10 404 | a 12-13 200", .idle),
    Row(plain, "a 0-10 cancelled | a 12-13 200", .idle), Row(plain, "a 0-10 503 | a{\"x\":1} 12-13 200", .idle),
    Row(doubling, "a 0-10 503 | a 100-110 503 | a 330-340 503 | a 780-790 200", .holds),
    Row(doubling, "a 0-10 503 | a 100-110 503 | a 331-340 200", .broken),
    Row(doubling, "a 0-10 503 | a 99-110 503", .broken), Row(doubling, "a 0-10 503 | a 121-125 503", .broken),
    Row(doubling + " ± 5 ms", "a 0-10 503 | a 95-110 503 | a 335-340 200", .holds),
    Row(capped, "a 0-10 503 | a 110-120 503 | a 370-380 503 | a 630-640 200", .holds),
    Row(capped, "a 0-10 503 | a 110-120 503 | a 420-430 200", .broken),
    Row(full, "a 0-10 503 | a 10-20 503 | a 220-230 200", .holds), Row(full, "a 0-10 503 | a 111-120 200", .broken),
    Row(full, "a 0-10 503 | a 20-30 503 | a 40-50 503 | a 60-70 200", .broken),
    // The answer's own wish is the least, and jitter goes on top of it.
    Row(plain, "a 0-10 503+1 | a 110-120 200", .broken), Row(plain, "a 0-10 503+1 | a 1010-1020 200", .holds),
    Row(doubling, "a 0-10 503+1 | a 1110-1120 200", .holds), Row(doubling, "a 0-10 503+1 | a 1111-1120 200", .broken),
    Row(doubling, "a 0-10 503+1 | a 1009-1120 200", .broken), Row(doubling, "a 0-10 503+0 | a 100-120 200", .holds),
    Row(full, "a 0-10 503+1 | a 1110-1120 200", .holds), Row(full, "a 0-10 503+1 | a 1111-1120 200", .broken),
    // Each call has waits of its own.
    Row(plain, "a{\"x\":1} 0-10 503 | a{\"x\":2} 50-60 503 | a{\"x\":1} 110-120 200 | a{\"x\":2} 160-170 200", .holds),
    Row(plain, "a{\"x\":1} 0-10 503 | a{\"x\":2} 50-60 503 | a{\"x\":1} 110-120 200 | a{\"x\":2} 161-170 200", .broken),
    Row("retries of c back off from 100 ms", "c{\"id\":1,\"n\":1} 0-10 503 | c{\"id\":1,\"n\":2} 110-120 200", .holds),
  ]

  @Test(arguments: rows)
  func `waits lie in their ranges`(row: Row) throws { try row.check() }

  @Test func `waits that outgrow 64 bits stay the longest there are`() throws {
    var launch = "a 0-0 503"
    for number in 1...70 { launch += " | a \(number)-\(number) 503" }
    let rule = "retries of a back off from 1000000 s, factor 1000, full jitter"
    #expect(try Row(rule, launch, .holds).report().verdict == .holds)
  }

  @Test func `a table of attempts says which wait is wrong`() throws {
    let rule = Self.doubling + ", at most 9 tries"
    let story = try Row(
      rule, "a 0-10 503 | a 110-120 503 | a 320-330 reset | a 730-740 503 | a 1540-1550 503+3 | a 3140-3150 200",
      .broken
    ).story()
    #expect(
      story == """
        sketch.contract:6: BROKEN  \(rule)
              0.110 s  a  POST /a starts  attempt 2, 100 ms later (must be 90 ms to 110 ms), answered 503 at 0.120 s
              0.320 s  a  POST /a starts  attempt 3, 200 ms later (must be 180 ms to 220 ms), failed: reset at 0.330 s
              0.730 s  a  POST /a starts  attempt 4, 400 ms later (must be 360 ms to 440 ms), answered 503 at 0.740 s
              1.540 s  a  POST /a starts  attempt 5, 800 ms later (must be 720 ms to 880 ms), answered 503 at 1.550 s
              3.140 s  a  POST /a starts  <- attempt 6, 1590 ms later (must be 3 s to 3300 ms as Retry-After is 3 s), 1410 ms \
        too early, answered 200 at 3.150 s
           1 attempt is not shown
           nothing else matters: 5 of 18 events
        """)
  }

  @Test func `every wait is shown, the wrong ones marked, as far as five go`() throws {
    let one = try Row(Self.plain, "a 0-10 503 | a 20-30 503 | a 130-140 503 | a 150-160 200", .broken).report()
    #expect(one.witness.map(\.remark.isMarked) == [false, true, false, true])
    #expect(one.note == "2 of 4 attempts break the rule")
    #expect(one.distance == "90 ms too early")
    // Three in time, one wrong, two in time, one wrong: what was in time gives way.
    let launch =
      "a 0-0 503 | a 100-100 503 | a 200-200 503 | a 250-250 503 | a 350-350 503 | a 450-450 503 | a 451-451 503"
    let many = try Row(Self.plain, launch, .broken).report()
    #expect(many.witness.map(\.at.microseconds) == [100_000, 200_000, 250_000, 350_000, 451_000])
    #expect(many.witness.map(\.remark.isMarked) == [false, false, true, false, true])
    #expect(many.note == "2 of 7 attempts break the rule; 2 attempts are not shown")
  }

  @Test(arguments: [
    (plain, "exactly 100 ms"), (plain + " ± 5 ms", "95 ms to 105 ms"), (doubling, "90 ms to 110 ms"),
    (full, "at most 100 ms"), (full + " ± 5 ms", "at most 105 ms"),
  ])
  func `what a wait must be is said so that it cannot be read as a limit`(rule: String, range: String) throws {
    let report = try Row(rule, "a 0-10 503 | a 1010-1020 200", .broken).report()
    #expect(report.witness.last?.remark.contains("1 s later (must be \(range))") == true)
  }

  @Test func `the distance counts from the edge of the tolerance`() throws {
    let early = try Row(Self.plain + " ± 10 ms", "a 0-10 503 | a 90-100 200", .broken).report()
    #expect(early.distance == "10 ms too early")
    #expect(early.note == "the ranges include the tolerance of 10 ms")
    #expect(
      try Row(Self.plain + " ± 10 ms", "a 0-10 503 | a 150-160 200", .broken).report().distance == "30 ms too late")
  }

  @Test func `one try too many is named`() throws {
    let rule = "retries of a back off from 100 ms, at most 2 tries"
    let report = try Row(rule, "a 0-10 503 | a 110-120 503 | a 220-230 200", .broken).report()
    #expect(report.distance == "3 tries, at most 2 allowed")
    #expect(report.witness.count == 3)
  }
}

extension String {
  fileprivate var isMarked: Bool { hasPrefix("<- ") }
}
