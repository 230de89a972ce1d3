import LaunchContract
import Testing

/// Rule 17, `A uses F from B` and `F of A equals G of B`.
struct TransferTests {
  private static let uses = "a uses body.x from b"
  private static let equals = "body.x of a equals response.body.y of b"
  private static let status = "status of a equals status of b (answered)"

  static let rows: [Row] = [
    Row(uses, "", .idle), Row(uses, "…", Row.keeps), Row(uses, "b 1-2 200{\"x\":1}", .idle),
    Row(uses, "b 1-2 200{\"x\":1} | a{\"x\":1} 3-4 200", .holds),
    Row(uses, "b 1-2 200{\"x\":1} | a{\"x\":1} 3-4 200 | …", Row.keeps),
    Row(uses, "b 1-2 200{\"x\":1} | a{\"x\":2} 3-4 200", .broken),
    Row(uses, "b 1-2 200{\"x\":1} | a{\"x\":2} 3-4 200 | …", .broken),
    // A number equals its text form.
    Row(uses, "b 1-2 200{\"x\":\"1\"} | a{\"x\":1.0} 3-4 200", .holds),
    // The last B that was ok and over before it; a failed or later one supplies nothing.
    Row(uses, "b 1-2 200{\"x\":1} | b 3-4 200{\"x\":2} | a{\"x\":1} 5-6 200", .broken),
    Row(uses, "b 1-2 200{\"x\":1} | b{\"q\":1} 3-4 500{\"x\":2} | a{\"x\":1} 5-6 200", .holds),
    Row(uses, "b 1-2 200{\"x\":1} | b 3-9 200{\"x\":2} | a{\"x\":1} 5-6 200", .holds),
    Row(uses, "b 1-4 200{\"x\":1} | b 2-3 200{\"x\":2} | a{\"x\":1} 5-6 200", .holds),
    Row(uses, "b 1-4 409{\"x\":1} | a{\"x\":1} 5-6 200", .holds),
    Row(uses, "a{\"x\":1} 1-2 200 | b 3-4 200{\"x\":1}", .broken),
    Row(uses, "a{\"x\":1} 1-2 200 | …", .broken), Row(uses, "b 1-2 500{\"x\":1} | a{\"x\":1} 5-6 200", .broken),
    // Without the field on either side.
    Row(uses, "b 1-2 200{\"x\":1} | a 3-4 200", .broken), Row(uses, "b 1-2 200 | a{\"x\":1} 3-4 200", .broken),
    Row(uses, "b 1-2 200{\"x\":1} | a 3- | …", .broken), Row(uses, "b 1-2 200{\"x\":1} | a 3-", .broken),
    Row(equals, "b 1-2 200{\"y\":1} | a{\"x\":1} 3-4 200", .holds),
    Row(equals, "b 1-2 200{\"x\":1} | a{\"x\":1} 3-4 200", .broken),
    Row("mark.x of m equals response.body.x of b", "b 1-2 200{\"x\":\"k\"} | m{\"x\":\"k\"} 3", .holds),
    Row("mark.x of m equals response.body.x of b", "b 1-2 200{\"x\":\"k\"} | m{\"x\":\"j\"} 3 | …", .broken),
    Row("body.x of a equals mark.x of m", "m{\"x\":1} 1 | a{\"x\":1} 2- | …", Row.keeps),
    Row("body.x of a equals mark.x of m", "m{\"x\":1} 1 | a{\"x\":1} 2-", .holds),
    // A retry may carry another value, until the call is over for good.
    Row("header.X-Try of a equals mark.x of m", "m{\"x\":\"k\"} 1 | a(j) 2-3 500 | …", Row.breaks),
    Row("header.X-Try of a equals mark.x of m", "m{\"x\":\"k\"} 1 | a(j) 2-3 500 | a(k) 4-5 200", .holds),
    Row("header.X-Try of a equals mark.x of m", "m{\"x\":\"k\"} 1 | a(k) 2-3 500 | a(j) 4-5 200", .broken),
    // A source that is retried is not over, so the one before it counts.
    Row(status, "b 1-2 200 | b{\"q\":1} 3-4 500 | a 5-6 200", .broken),
    Row(status, "b 1-2 200 | b{\"q\":1} 3-4 500 | a 5-6 200 | …", Row.breaks),
    Row(status, "b 1-2 200 | b{\"q\":1} 3-4 500 | a 5-6 200 | b{\"q\":1} 7-8 200", .holds),
    Row(status, "b 1-2 200 | b{\"q\":1} 3-4 500 | a 5-6 404 | b{\"q\":1} 7- | …", .broken),
  ]

  @Test(arguments: rows)
  func `values come from the last source before`(row: Row) throws { try row.check() }

  @Test func `both values are shown, and who supplied the right one`() throws {
    let story = try Row(
      Self.uses,
      "b 1-2 200{\"x\":\"0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9\"} | a{\"x\":\"7\"} 3-4 200", .broken
    ).story()
    #expect(
      story == """
        sketch.contract:6: BROKEN  a uses body.x from b
              0.002 s  b  POST /b answered 200  has response.body.x = "0a1b2c3d-4e…4b5c6d7e8f9"
              0.003 s  a  POST /a starts        <- has body.x = "7"
           body.x is "7", expected "0a1b2c3d-4e…4b5c6d7e8f9"
           nothing else matters: 2 of 7 events
        """)
  }

  @Test func `without a source the next one is named`() throws {
    let report = try Row(Self.uses, "b 1-2 404 | a{\"x\":1} 3-4 200 | b 5-6 200{\"x\":1}", .broken).report()
    #expect(report.note == "there is no b (ok) before it")
    #expect(report.distance == "3 ms too late")
    #expect(report.nearMiss == "b came, answered 404 at 0.002 s")
  }
}
