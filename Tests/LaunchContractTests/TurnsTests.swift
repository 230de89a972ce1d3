import Testing

/// Rule 11, `A and B take turns`.
struct TurnsTests {
  private static let rule = "a and b take turns"
  static let rows = [
    FormRow(rule, ".", "IDLE", "b was never ok"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "a( a)200 .", "IDLE"),
    FormRow(rule, "a( a)200 b( b)200 .", "HOLDS"),
    FormRow(rule, "a( a)200 b( b)200 a1( a1)200", "OPEN, leaning kept"),
    FormRow(rule, "a( b( b)200 a)200 a1( a1)200 .", "HOLDS"),
    FormRow(rule, "b( !b)200 a( a)200 .", "BROKEN", "needs a (ok) before it"),
    FormRow(rule, "a( a)200 a1( !a1)200 b( b)200 .", "BROKEN", "comes again without b (ok) in between"),
    FormRow(rule, "a( a)200 b( b)404 a1( !a1)200 .", "BROKEN", "b came in between, answered 404"),
    // What is open in between may still be ok.
    FormRow(rule, "a( a)200 b( a1( a1)200", "OPEN, leaning broken"),
    FormRow(rule, "a( a)200 b( a1( a1)200 b)200 .", "HOLDS"),
    FormRow(rule, "a( a)200 b( a1( a1)200 !b)404 .", "BROKEN"),
    FormRow(rule, "a( a)200 b( b)500 a1( a1)200", "OPEN, leaning broken"),
    FormRow(rule, "a( a)200 b( b)500 a1( a1)200 b( b)200 .", "HOLDS"),
    FormRow(rule, "a( b( b)200 !a)404 .", "BROKEN"),
    FormRow("m and n take turns", "m n m n .", "HOLDS"),
    FormRow("m and n take turns", "m n !n m .", "BROKEN", "1 ms apart"),
    FormRow("m and n take turns", "m !m .", "BROKEN"),
  ]

  @Test(arguments: rows) func `they alternate`(row: FormRow) throws { try row.check() }
}
