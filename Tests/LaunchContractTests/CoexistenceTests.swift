import LaunchContract
import Testing

/// Rule 20, `if A happens then B happens` and `if A happens then no B`.
struct CoexistenceTests {
  private static let needs = "if a happens then b happens"
  private static let forbids = "if a happens then no b"

  static let rows: [Row] = [
    Row(needs, "", .idle), Row(needs, "…", Row.keeps), Row(needs, "b 1-2 200", .idle),
    Row(needs, "b 1-2 200 | …", Row.keeps),
    Row(needs, "a 1-2 404", .broken), Row(needs, "a 1-2 404 | …", Row.breaks),
    Row(needs, "a 1-2 200 | b 3-4 200", .holds),
    Row(needs, "b 1-2 200 | a 3- | …", .holds), Row(needs, "a 1-2 200 | b 3-4 409", .holds),
    Row(needs, "a 1-2 200 | b 3-4 404", .broken), Row(needs, "a 1-2 200 | b 3- | …", Row.breaks),
    Row(needs, "a 1-2 200 | b 3-4 500 | …", Row.breaks),
    Row(forbids, "", .idle), Row(forbids, "b 1-2 200", .idle), Row(forbids, "a 1-2 200", .holds),
    Row(forbids, "a 1-2 200 | …", Row.keeps), Row(forbids, "a 1-2 200 | b 3- | …", .broken),
    Row(forbids, "b 1-2 500 | a 3-4 200", .broken), Row("if a happens then no b (ok)", "a 1-2 200 | b 3-4 404", .holds),
    Row("if a happens then no b (ok)", "a 1-2 200 | b 3- | …", Row.keeps),
    Row("if a happens then no b (answered)", "a 1-2 200 | b 3-4 500 | …", Row.breaks),
    Row("if m happens then n happens", "n 1 | m 1", .holds),
    Row("if a happens then b (any outcome) happens", "a 1-2 200 | b 3- | …", .holds),
  ]

  @Test(arguments: rows)
  func `two names go together, or do not`(row: Row) throws { try row.check() }

  @Test func `the failed partner is the near miss`() throws {
    #expect(
      try Row(Self.needs, "b 1-2 404 | a 3-4 200", .broken).story() == """
        sketch.contract:6: BROKEN  if a happens then b happens
              0.003 s  a  POST /a starts  <- needs b (ok)
           b was never ok
           nothing else matters: 1 of 7 events
           near miss: b came, answered 404 at 0.002 s
        """)
    #expect(
      try Row(Self.forbids, "b 1-2 404 | a 3-4 200", .broken).report().witness.map(\.remark) == [
        "happens too", "<- forbids b",
      ])
  }
}
