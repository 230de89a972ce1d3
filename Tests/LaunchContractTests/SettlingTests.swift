import LaunchContract
import Testing

/// Rule 25, `launch settles within D quiet for Q`.
struct SettlingTests {
  private static let rule = "launch settles within 10 ms quiet for 5 ms"

  static let rows: [Row] = [
    Row(rule, "", .holds), Row(rule, "…", Row.keeps), Row(rule, "m 4 | …", Row.keeps), Row(rule, "m 5 | …", .holds),
    Row(rule, "a 1-10 200", .holds), Row(rule, "a 1-11 200", .broken), Row(rule, "a 1-", .broken),
    Row(rule, "a 1- | …", Row.breaks), Row(rule, "a 1- | m 10 | …", Row.breaks), Row(rule, "a 1- | m 11 | …", .broken),
    Row(rule, "a 1-4 200 | b 8-10 200 | c 15-16 200", .holds),
    Row(rule, "a 1-4 200 | b 8-10 200 | c 14-16 200", .broken),
    Row(rule, "a 1-4 200 | b 8-10 200 | m 14 | …", Row.keeps), Row(rule, "a 1-4 200 | b 8-10 200 | m 15 | …", .holds),
    Row(rule, "a 1-4 200 | b 8-10 200 | c 14- | …", .broken), Row(rule, "a 1-4 200 | b 8-11 200 | …", .broken),
    Row(rule, "a 1-3 200 | b 8-90 200", .holds), Row(rule, "a 5-90 200", .holds), Row(rule, "a 4-90 200", .broken),
    Row(rule, "launch 3 | a 4-13 200", .holds), Row(rule, "launch 3 | a 4-14 200", .broken),
    // A retry means that the call was open all the while.
    Row(rule, "a 1-2 500", .holds), Row(rule, "a 1-2 500 | m 20 | …", Row.keeps),
    Row(rule, "a 1-2 500 | a 9-10 200", .holds),
    Row(rule, "a 1-2 500 | a 9-11 200", .broken), Row(rule, "a 1-2 500 | a 30- | …", .broken),
    Row(rule, "a 1-2 404 | m 20 | …", .holds), Row(rule, "b 7-8 500 | m 20 | …", .holds),
  ]

  @Test(arguments: rows)
  func `calls come to rest in time`(row: Row) throws { try row.check() }

  @Test func `the calls still open are shown`() throws {
    #expect(
      try Row(Self.rule, "a 1-30 200 | b 2-", .broken).story() == """
        sketch.contract:6: BROKEN  \(Self.rule)
              0.001 s  calls  POST h.test/a starts  <- is open at 0.010 s
              0.002 s  calls  POST h.test/b starts  <- is open at 0.010 s
           2 calls had not ended when the time was up at 0.010 s
           nothing else matters: 2 of 5 events
        """)
  }

  @Test func `the call that came too soon is shown`() throws {
    let report = try Row(Self.rule, "a 1-9 200 | b 12-14 200", .broken).report()
    #expect(
      report.witness.map(\.remark) == ["is the last to end in time", "<- starts 3 ms later, needs 5 ms of quiet"])
  }
}
