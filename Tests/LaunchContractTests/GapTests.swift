import Testing

/// Rule 7, `B at least D after A`.
struct GapTests {
  private static let rule = "b at least 5 ms after a"
  static let rows = [
    FormRow(rule, ".", "IDLE", "b never came"),
    FormRow(rule, "b( b)200 .", "IDLE", "a never came"),
    FormRow(rule, "b( a( .", "IDLE", "no b came after a"),
    FormRow(rule, "a( b( a)200 .", "IDLE", "b came while a was still open, and the time counts from its end"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "a( a)200 +4 b(", "OPEN, leaning kept"),
    FormRow(rule, "a( a)200 +4 b( .", "HOLDS"),
    FormRow(rule, "a( a)200 +3 !b( .", "BROKEN", "1 ms too early"),
    FormRow(rule + " ± 1 ms", "a( a)200 +3 b( .", "HOLDS"),
    FormRow(rule, "a( a)200 +10 a1( a1)200 !b( .", "BROKEN", "4 ms too early"),
    FormRow(rule, "a( a)404 !b( .", "BROKEN"),
    // A call that may be retried may turn out not to lie before.
    FormRow(rule, "a( a)500 b(", "OPEN, leaning broken", "may yet be retried"),
    FormRow(rule, "a( a)500 b( !.", "BROKEN"),
    FormRow(rule, "a( a)500 b( a( a)200 .", "IDLE"),
    FormRow(rule, "a( a)500 b( a( a)200 +9 b1( .", "HOLDS"),
    FormRow(rule, "a( a)500 +9 b( .", "HOLDS"),
    FormRow(rule, "a( a)500 +9 b( b)200 a( a)200 !b1( .", "BROKEN"),
    FormRow("b (ok) at least 5 ms after a", "a( a)200 b( b)404 .", "IDLE"),
    FormRow("b (ok) at least 5 ms after a", "a( a)200 b( !b)200 .", "BROKEN"),
    FormRow("n at least 5 ms after m", "m !n .", "BROKEN", "4 ms too early"),
  ]

  @Test(arguments: rows) func `not too soon after the last one`(row: FormRow) throws { try row.check() }
}
