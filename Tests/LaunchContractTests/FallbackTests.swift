import LaunchContract
import Testing

/// Rule 22, `B within D of A or else C`.
struct FallbackTests {
  private static let marks = "n within 5 ms of m or else p"
  private static let wide = marks + " ± 2 ms"
  private static let calls = "a within 5 ms of m or else b ± 2 ms"

  static let rows: [Row] = [
    Row(marks, "", .idle), Row(marks, "…", Row.keeps), Row(marks, "n 1 | p 2", .idle),
    Row(marks, "m 1 | n 4", .holds), Row(marks, "m 1 | n 6", .holds), Row(marks, "m 1 | n 7", .broken),
    Row(marks, "m 1 | n 4 | …", Row.keeps),
    Row(marks, "m 1 | p 6", .holds), Row(marks, "m 1 | p 5", .broken), Row(marks, "m 1 | p 7", .broken),
    Row(marks, "m 1", .broken), Row(marks, "m 1 | …", Row.breaks), Row(marks, "m 1 | end 6 | …", Row.breaks),
    Row(marks, "m 1 | end 7 | …", .broken), Row(marks, "m 1 | p 3 | …", Row.breaks),
    // Both came: what was first decides, unless it was a fallback too early.
    Row(marks, "m 1 | n 3 | p 6", .holds), Row(marks, "m 1 | p 3 | n 4", .broken),
    Row(marks, "m 1 | p 3 | n 4 | …", .broken),
    Row(marks, "m 1 | p 6 | n 7", .holds), Row(marks, "m 1 | p 6 | n 6", .holds), Row(marks, "m 1 | n 6 | p 6", .holds),
    Row(marks, "m 1 | p 3 | p 6", .holds), Row(marks, "m 1 | p 3 | n 5 | p 6", .broken),
    Row(marks, "n 1 | m 1", .broken), Row(marks, "p 1 | m 1 | n 2", .holds),
    // The tolerance widens the window behind the bound only.
    Row(wide, "m 1 | n 8", .holds), Row(wide, "m 1 | n 9", .broken), Row(wide, "m 1 | p 8", .holds),
    Row(wide, "m 1 | p 9", .broken), Row(wide, "m 1 | p 5", .broken), Row(wide, "m 1 | end 8 | …", Row.breaks),
    Row(wide, "m 1 | end 9 | …", .broken), Row(wide, "m 1 | p 7 | n 8", .holds), Row(wide, "m 1 | n 7 | p 8", .holds),
    // Each trigger for itself.
    Row(marks, "m 1 | m 2 | n 3", .holds), Row(marks, "m 1 | m 2 | p 6 | p 7", .holds),
    Row(marks, "m 1 | m 2 | p 6", .broken),
    Row(marks, "m 1 | m 2 | p 6 | n 7", .broken), Row(marks, "m 1 | n 2 | m 3 | p 8", .holds),
    Row(marks, "m 1 | p 6 | m 7 | n 8 | m 20 | …", Row.breaks),
    // Calls: B counts once it is over and ok, C from its start if it turns out ok.
    Row(calls, "m 1 | a 2-6 200", .holds), Row(calls, "m 1 | a 2-9 200", .broken),
    Row(calls, "m 1 | a 2-6 404", .broken),
    Row(calls, "m 1 | b 6-20 200", .holds), Row(calls, "m 1 | b 6-20 404", .broken),
    Row(calls, "m 1 | b 6- | …", Row.breaks),
    Row(calls, "m 1 | b 6- | end 99 | …", Row.breaks), Row(calls, "m 1 | b 6-7 404 | end 99 | …", .broken),
    Row(calls, "m 1 | b 6-7 500 | end 99 | …", Row.breaks), Row(calls, "m 1 | b 6-7 500 | b 99-100 200", .holds),
    Row(calls, "m 1 | b 2-7 404 | a 3-6 200", .holds), Row(calls, "m 1 | b 2-7 200 | a 3-6 200", .broken),
    Row(calls, "m 1 | b 2- | a 3-6 200 | …", Row.keeps), Row(calls, "m 1 | a 2-8 200 | b 6-9 200", .holds),
    Row(calls, "m 1 | a 2-5 500 | a 6-7 200", .holds), Row(calls, "m 1 | b 4- | a 5- | end 99 | …", .broken),
    Row("m within 5 ms of a or else n", "a 1- | m 3", .holds),
    Row("m within 5 ms of a or else n", "a 1-9 200 | m 7", .broken),
    Row("m within 5 ms of a (ok) or else n", "a 1-9 404 | m 7", .idle),
    Row("m within 5 ms of a (ok) or else n", "a 1- | m 7 | …", Row.keeps),
    Row("m within 5 ms of a (ok) or else n", "a 1-9 200 | m 7", .broken),
    Row("m within 5 ms of a (ok) or else n", "a 1-9 200 | m 4", .holds),
    Row("m within 5 ms of a (ok) or else n", "a 1-9 500 | m 4 | a 10-11 200", .holds),
  ]

  @Test(arguments: rows)
  func `what comes first decides`(row: Row) throws { try row.check() }

  @Test func `nothing came`() throws {
    #expect(
      try Row(Self.marks, "m 1 | end 20", .broken).story() == """
        sketch.contract:6: BROKEN  n within 5 ms of m or else p
              0.001 s  m    <- needs n within 5 ms, or else p then
           neither n nor p came until 0.020 s, and the time is up at 0.006 s
           nothing else matters: 1 of 2 events
        """)
  }

  @Test func `a fallback too early, then the requirement`() throws {
    #expect(
      try Row(Self.marks, "m 1 | p 3 | n 4", .broken).story() == """
        sketch.contract:6: BROKEN  n within 5 ms of m or else p
              0.001 s  m    <- needs n within 5 ms, or else p then
              0.003 s  p    comes 3 ms too early
              0.004 s  n    comes after p
           the time is up at 0.006 s
           nothing else matters: 3 of 4 events
           near miss: n came in time, but p had come before it
        """)
  }

  @Test func `a late requirement that was still shown`() throws {
    let report = try Row(Self.marks, "m 1 | a 8-9 200 | p 11 | n 14", .broken).report()
    #expect(
      report.witness.map(\.remark) == [
        "<- needs n within 5 ms, or else p then", "comes 5 ms too late", "comes 8 ms too late",
      ])
  }

  @Test func `the distance counts from the edge of the tolerance`() throws {
    let rule = Self.marks + " ± 2 ms"
    let late = try Row(rule, "m 1 | p 11 | n 14", .broken).report()
    #expect(
      late.witness.map(\.remark) == [
        "<- needs n within 5 ms ± 2 ms, or else p then", "comes 3 ms too late", "comes 6 ms too late",
      ])
    #expect(late.distance == "3 ms too late" || late.distance == "6 ms too late")
  }
}
