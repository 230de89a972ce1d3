import LaunchContract
import Testing

/// Rule 18, `F is the same in A` and `F differs in A`.
struct SamenessTests {
  private static let same = "body.x is the same in a"
  private static let differs = "body.x differs in a"
  private static let long = String(repeating: "x", count: 200)

  static let rows: [Row] = [
    Row(same, "", .idle), Row(same, "…", Row.keeps), Row(same, "a{\"x\":1} 1-2 200", .idle),
    Row(same, "a{\"x\":1} 1-2 200 | …", Row.keeps),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":\"1\"} 3-4 404", .holds),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":1} 3-", .holds),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":1} 3- | …", Row.keeps),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200", .broken),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200 | …", .broken),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3- | …", .broken),
    Row("body.x is the same in c", "c{\"id\":1,\"x\":1} 1-2 200 | c{\"id\":2,\"x\":2} 3- | …", Row.breaks),
    Row(same, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-", .broken),
    Row(same, "a 1-2 200", .broken), Row(same, "a 1-2 200 | …", .broken), Row(same, "a 1- | …", .broken),
    Row(differs, "", .idle), Row(differs, "a{\"x\":1} 1-2 200", .idle),
    Row(differs, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200 | a{\"x\":3} 3-4 200", .holds),
    Row(differs, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200 | a{\"x\":1} 5-6 200", .broken),
    Row(differs, "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200 | …", Row.keeps),
    Row(differs, "a{\"x\":\"\(long)1\"} 1-2 200 | a{\"x\":\"\(long)2\"} 3-4 200", .holds),
    Row(differs, "a{\"x\":\"\(long)1\"} 1-2 200 | a{\"x\":\"\(long)1\"} 3-4 200", .broken),
    // A retry is the same call, and its attempts may differ.
    Row(differs, "a{\"x\":1} 1-2 500 | a{\"x\":1} 3-4 200", .idle),
    Row("header.X-Try differs in attempts of a", "a(1) 1-2 500 | a(2) 3-4 200", .holds),
    Row("header.X-Try differs in attempts of a", "a(1) 1-2 500 | a(1) 3-4 200", .broken),
    Row("header.X-Try is the same in attempts of a", "a(1) 1-2 500 | a(2) 3-4 200", .broken),
    Row("header.X-Try is the same in a", "a(1) 1-2 200 | a(2) 3-4 500 | …", Row.breaks),
    Row("header.X-Try is the same in a", "a(1) 1-2 200 | a(2) 3-4 500 | a(1) 5-6 200", .holds),
    Row("mark.x is the same in m", "m{\"x\":1} 1 | m{\"x\":1} 2", .holds),
    Row("mark.x differs in m", "m{\"x\":1} 1 | m{\"x\":1} 2 | …", .broken),
  ]

  @Test(arguments: rows)
  func `values are compared by meaning`(row: Row) throws { try row.check() }

  @Test func `the two calls and their values are shown`() throws {
    let launch = "a{\"x\":1} 1-2 200 | a{\"x\":2} 3-4 200 | a{\"x\":1} 5-6 200"
    #expect(
      try Row(Self.differs, launch, .broken).story() == """
        sketch.contract:6: BROKEN  body.x differs in a
              0.001 s  a  POST /a starts  has body.x = 1
              0.005 s  a  POST /a starts  <- has body.x = 1
           body.x is the same in both
           nothing else matters: 2 of 10 events
        """)
    #expect(
      try Row(Self.same, launch, .broken).story() == """
        sketch.contract:6: BROKEN  body.x is the same in a
              0.001 s  a  POST /a starts  has body.x = 1
              0.003 s  a  POST /a starts  <- has body.x = 2
           body.x is not the same in both
           nothing else matters: 2 of 10 events
        """)
  }
}
