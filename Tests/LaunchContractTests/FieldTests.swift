import LaunchContract
import Testing

/// Rule 19, `A has F test`.
struct FieldTests {
  private static let three = "a has body.x = 3"

  static let rows: [Row] = [
    Row(three, "", .idle), Row(three, "…", Row.keeps), Row(three, "a{\"x\":3} 1-2 500", .holds),
    Row(three, "a{\"x\":3} 1-2 200 | …", Row.keeps), Row(three, "a{\"x\":4} 1-2 200", .broken),
    Row(three, "a{\"x\":3} 1-2 200 | a{\"x\":4} 1-2 200 | …", .broken),
    Row(three, "a{\"x\":4} 1-", .broken), Row(three, "a{\"x\":4} 1- | …", .broken), Row(three, "a 1-2 200", .broken),
    Row("c has body.x = 3", "c{\"id\":1} 1- | …", Row.breaks),
    Row("a has body.x exists", "a 1-2 200", .broken), Row("a has body.x exists", "a{\"x\":null} 1-2 200", .holds),
    Row("a has body.x not exists", "a 1-2 200", .holds),
    Row("a has body.x not exists", "a{\"x\":null} 1-2 200", .broken),
    Row("a has response.body.x not exists", "a 1-", .holds),
    Row("a has response.body.x not exists", "a 1- | …", Row.keeps),
    Row("a has body.x != 3", "a 1-2 200", .holds), Row("a has body.x != 3", "a{\"x\":\"3\"} 1-2 200", .broken),
    Row("a has response.body.x = 3", "a 1-2 200{\"x\":3}", .holds), Row("a has response.body.x = 3", "a 1-", .broken),
    Row("a has response.body.x = 3", "a 1- | …", Row.breaks),
    Row("a has response.body.x = 3", "a 1-2 500{\"x\":1} | …", Row.breaks),
    Row("a has response.body.x = 3", "a 1-2 500{\"x\":1} | a 3-4 200{\"x\":3}", .holds),
    Row("a has header.X-Try = 2", "a(1) 1-2 500 | …", Row.breaks),
    Row("a has header.X-Try = 2", "a(1) 1-2 500 | a(2) 3-4 200", .holds),
    Row("attempts of a has header.X-Try = 2", "a(1) 1-2 500 | …", .broken),
    Row("a (ok) has body.x = 3", "a{\"x\":4} 1-2 404", .idle),
    Row("a (ok) has body.x = 3", "a{\"x\":4} 1-2 200", .broken),
    Row("m has mark.x = 3", "m{\"x\":3} 1 | m{\"x\":2} 2 | …", .broken),
    Row("m has mark.x = 3", "m{\"x\":3} 1", .holds),
  ]

  @Test(arguments: rows)
  func `every one passes the test`(row: Row) throws { try row.check() }

  @Test func `expected and found are named`() throws {
    #expect(
      try Row(Self.three, "a{\"x\":3} 1-2 200 | a{\"x\":4} 3-4 200", .broken).story() == """
        sketch.contract:6: BROKEN  a has body.x = 3
              0.003 s  a  POST /a starts  <- needs body.x = 3
           found body.x = 4
           nothing else matters: 1 of 7 events
        """)
    #expect(try Row("a has body.x exists", "a 3-4 200", .broken).report().note == "a has no body.x")
    let open = try Row("a has response.body.x = 3", "a 1-", .broken).report()
    #expect(open.note == "a never ended, so it has no response.body.x")
  }
}
