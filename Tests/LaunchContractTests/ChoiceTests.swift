import LaunchContract
import Testing

/// Rule 21, `A or B happens` and `exactly one of A, B happens`.
struct ChoiceTests {
  private static let any = "a or m or b happens"
  private static let one = "exactly one of a, m, b happens"

  static let rows: [Row] = [
    Row(any, "", .broken), Row(any, "…", Row.breaks), Row(any, "a 1-2 200", .holds), Row(any, "m 1 | …", .holds),
    Row(any, "a 1- | …", Row.breaks), Row(any, "a 1-2 404 | b 1-2 500", .broken), Row(any, "m 1 | b 1-2 200", .holds),
    Row("a (answered) or b happens", "a 1-2 500 | …", Row.keeps),
    Row(one, "", .broken), Row(one, "…", Row.breaks), Row(one, "m 1 | m 2", .holds), Row(one, "m 1 | …", Row.keeps),
    Row(one, "m 1 | b 2-3 409", .broken), Row(one, "m 1 | b 2-3 409 | …", .broken), Row(one, "m 1 | b 2-3 404", .holds),
    Row(one, "m 1 | b 2- | …", Row.keeps),
    Row("exactly one of a (answered), m happens", "a 1-2 500 | m 3 | …", Row.breaks),
  ]

  @Test(arguments: rows)
  func `one of the names happens`(row: Row) throws { try row.check() }

  @Test func `nothing found, or one of each`() throws {
    #expect(
      try Row(Self.any, "a 1-2 404", .broken).story() == """
        sketch.contract:6: BROKEN  a or m or b happens
           none of them: a was never ok, m never came, b was never ok
           near miss: a came, answered 404 at 0.002 s
        """)
    #expect(
      try Row(Self.one, "a 1-2 200 | m 3", .broken).story() == """
        sketch.contract:6: BROKEN  exactly one of a, m, b happens
              0.001 s  a  POST /a starts  happens
              0.003 s  m                  <- happens, too
           nothing else matters: 2 of 5 events
           2 of them, and only one may happen
        """)
  }
}
