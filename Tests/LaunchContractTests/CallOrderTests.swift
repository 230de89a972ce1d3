import LaunchContract
import Testing

/// Rule 23, `A is the first call`, `nothing after A` and `only these calls`.
struct CallOrderTests {
  private static let first = "a is the first call"
  private static let nothing = "nothing after a"
  private static let only = "only these calls: a, b"

  static let rows: [Row] = [
    Row(first, "", .idle), Row(first, "…", Row.keeps), Row(first, "m 1", .idle), Row(first, "a 1- | …", .holds),
    Row(first, "a 1-2 404 | b 1-2 200", .holds), Row(first, "b 1-2 200 | a 1-2 200", .broken),
    Row(first, "z 1-2 200", .broken), Row(first, "z 1-2 200 | …", .broken), Row(first, "m 1 | a 2-3 200", .holds),
    Row("a (ok) is the first call", "a 1- | …", Row.breaks), Row("a (ok) is the first call", "a 1-2 200 | …", .holds),
    Row("a (ok) is the first call", "a 1-2 500 | …", Row.breaks), Row("a (ok) is the first call", "a 1-2 404", .broken),
    Row(nothing, "", .idle), Row(nothing, "…", Row.keeps), Row(nothing, "b 1-2 200", .idle),
    Row(nothing, "a 1-", .idle),
    Row(nothing, "b 1-2 200 | a 3-4 200", .holds), Row(nothing, "a 3-4 200 | …", Row.keeps),
    Row(nothing, "a 1-4 200 | b 3-9 200 | m 10", .holds), Row(nothing, "a 1-2 200 | z 3- | …", .broken),
    Row(nothing, "a 1-2 200 | a{\"x\":1} 3-4 200", .broken), Row(nothing, "a 1-2 500 | z 3-4 200", .broken),
    Row(nothing, "a 1-2 500 | z 3-4 200 | …", Row.breaks), Row(nothing, "a 1-2 500 | z 3-4 200 | a 5-6 200", .holds),
    Row(nothing, "a 1-2 500 | a 3-4 200", .holds), Row(nothing, "a 1-2 500 | a 3-4 200 | b 5-6 200 | …", .broken),
    Row("nothing after m", "m 1", .idle), Row("nothing after m", "a 1-9 200 | m 2", .holds),
    Row("nothing after m", "m 1 | a 1-2 200 | …", .broken),
    Row("nothing after a (ok)", "a 1-2 404 | b 3-4 200", .idle),
    Row("nothing after a (ok)", "a 1- | a{\"x\":1} 2-3 200 | b 4-5 200 | …", Row.breaks),
    Row("nothing after a (ok)", "a 1-9 200 | a{\"x\":1} 2-3 200 | b 4-5 200", .holds),
    Row("nothing after a (ok)", "a 1-9 404 | a{\"x\":1} 2-3 200 | b 4-5 200 | …", .broken),
    Row(only, "", .holds), Row(only, "…", Row.keeps), Row(only, "m 1 | a 1-2 200 | b 1-", .holds),
    Row(only, "a 1- | …", Row.keeps), Row(only, "a 1- | z 2- | …", .broken), Row(only, "c 1-2 200", .broken),
  ]

  @Test(arguments: rows)
  func `calls keep their places`(row: Row) throws { try row.check() }

  @Test func `the call in the way is shown`() throws {
    #expect(
      try Row(Self.first, "z 1-2 200 | a 4-5 200", .broken).story() == """
        sketch.contract:6: BROKEN  a is the first call
              0.001 s  calls  POST h.test/z starts  <- comes first
              0.004 s  a      POST /a starts        comes 3 ms too late
           nothing else matters: 2 of 7 events
        """)
    #expect(
      try Row(Self.nothing, "a 1-2 200 | z 4-5 200", .broken).story() == """
        sketch.contract:6: BROKEN  nothing after a
              0.002 s  a      POST /a answered 200  nothing may start after it
              0.004 s  calls  POST h.test/z starts  <- starts 2 ms after it
           nothing else matters: 2 of 7 events
        """)
    #expect(
      try Row(Self.only, "z 4-5 200", .broken).story() == """
        sketch.contract:6: BROKEN  only these calls: a, b
              0.004 s  calls  POST h.test/z starts  <- is not listed
           nothing else matters: 1 of 4 events
        """)
  }
}
