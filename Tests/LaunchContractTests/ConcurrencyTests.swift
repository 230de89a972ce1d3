import Testing

/// Rule 13: `A one at a time`, `at most N A open`, `A never overlaps B`.
struct ConcurrencyTests {
  private static let one = "a one at a time"
  private static let two = "at most 2 a open"
  private static let apart = "a never overlaps b"
  static let rows = [
    FormRow(one, ".", "IDLE", "a never came"),
    FormRow(one, "a( a)200 .", "IDLE", "the rule is about two"),
    FormRow(one, "", "OPEN, leaning kept"),
    FormRow(one, "a( a)200 a1( .", "HOLDS"),
    FormRow(one, "a( a)200 a1(", "OPEN, leaning kept"),
    FormRow(one, "a( !a1( a)200 .", "BROKEN", "open together for 1 ms"),
    FormRow(one, "a( !a1( .", "BROKEN", "open together to the end"),
    // The pause before a retry belongs to the call.
    FormRow(one, "a( a)500 a1( a1)200 .", "HOLDS"),
    FormRow(one, "a( a)500 a1( a1)200 !a( a)200 .", "BROKEN"),
    FormRow(one, "a( a)500 a1( !a( a)200 .", "BROKEN"),
    FormRow("a (ok) one at a time", "a( a1( a)404 a1)200 a2( a2)200 .", "HOLDS"),
    FormRow("a (ok) one at a time", "a( a1( a)200 !a1)200 .", "BROKEN"),
    FormRow("a (ok) one at a time", "a( a)200 a1( a1)200 .", "HOLDS"),
    FormRow("q one at a time per key", "q:u:1( q:v:2( q:u:1)200 q:u:3( .", "HOLDS"),
    FormRow("q one at a time per key", "q:u:1( q:v:2( !q:u:3( .", "BROKEN", "where key is u"),
    FormRow(two, "a( a1( a)200 a2( .", "HOLDS"),
    FormRow(two, "a( a1( !a2( .", "BROKEN", "3 a open at once, and 2 allowed"),
    FormRow(two, "a( a)500 a1( a2( a1)200 a2)200 !a( .", "BROKEN"),
    FormRow(two, "a( a)500 a1( a1)200 a2( a2)200 a( .", "HOLDS"),
    FormRow(two, "a( a)500 a1( a1)500 a2( a2)200 a( !a1( .", "BROKEN"),
    FormRow(apart, ".", "IDLE", "a never came"),
    FormRow(apart, "a( .", "IDLE", "b never came"),
    FormRow(apart, "", "OPEN, leaning kept"),
    FormRow(apart, "a( a1( a)200 a1)200 b( b1( .", "HOLDS"),
    FormRow(apart, "a( !b( a)200 b)200 .", "BROKEN", "starts while a is open"),
    FormRow(apart, "b( !a( .", "BROKEN", "starts while b is open"),
    FormRow(apart, "a( a)500 b( b)200 !a( .", "BROKEN"),
    FormRow(apart, "a( a)500 b( b)200 .", "HOLDS"),
    FormRow("a (ok) never overlaps b", "a( b( a)404 b)200 .", "IDLE"),
    FormRow("a (ok) never overlaps b", "a( b( b)200 !a)200 .", "BROKEN"),
    FormRow("a never overlaps m", "a( !m a)200 .", "BROKEN"),
    FormRow("a never overlaps m", "m a( a)200 m .", "HOLDS"),
  ]

  @Test(arguments: rows) func `not too many at once`(row: FormRow) throws { try row.check() }
}
