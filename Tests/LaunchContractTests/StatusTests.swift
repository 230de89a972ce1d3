import LaunchContract
import Testing

/// Rule 19, `A is answered STATUSES` and `… in the end`.
struct StatusTests {
  private static let each = "a is answered 2xx"
  private static let end = "a is answered 2xx, 404 in the end"

  static let rows: [Row] = [
    Row(each, "", .idle), Row(each, "…", Row.keeps), Row(each, "a 1-2 204", .holds),
    Row(each, "a 1-2 204 | …", Row.keeps),
    Row(each, "a 1-2 404", .broken), Row(each, "a 1-2 500 | …", .broken), Row(each, "a 1-2 500 | a 3-4 200", .broken),
    Row(each, "a 1-2 timeout", .broken), Row(each, "a 1-2 cancelled", .broken), Row(each, "a 1-", .broken),
    Row(each, "a 1- | …", Row.breaks),
    Row(end, "", .idle), Row(end, "a 1-2 404", .holds), Row(end, "a 1-2 500 | a 3-4 200", .holds),
    Row(end, "a 1-2 500", .broken), Row(end, "a 1-2 500 | …", Row.breaks), Row(end, "a 1-2 500 | a 3- | …", Row.breaks),
    Row(end, "a 1-2 401 | …", .broken), Row(end, "a 1-2 500 | a 3-4 400", .broken),
    Row("a is answered 5xx in the end", "a 1-2 500 | …", Row.keeps),
  ]

  @Test(arguments: rows)
  func `answers are the statuses named`(row: Row) throws { try row.check() }

  @Test func `the answer found is shown`() throws {
    #expect(
      try Row(Self.end, "a 1-2 500 | a 3-4 400", .broken).story() == """
        sketch.contract:6: BROKEN  a is answered 2xx, 404 in the end
              0.004 s  a  POST /a answered 400  <- must be answered 2xx, 404
           the last of 2 attempts
           nothing else matters: 1 of 7 events
        """)
    #expect(try Row(Self.each, "a 1- | m 9", .broken).report().note == "no answer in the 8 ms until the trace ends")
  }
}
