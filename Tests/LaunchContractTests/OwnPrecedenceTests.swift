import Testing

/// Rule 3, `each B after its own A`.
struct OwnPrecedenceTests {
  private static let rule = "each b after its own a"
  static let rows = [
    FormRow(rule, ".", "IDLE", "b never came"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "a( a)200 .", "IDLE"),
    FormRow(rule, "a( a)200 b( b)200 .", "HOLDS"),
    FormRow(rule, "a( a)200 b(", "OPEN, leaning kept"),
    FormRow(rule, "a( a)200 a1( a1)200 b( b1( .", "HOLDS"),
    FormRow(rule, "a( a)200 b( b)200 !b1( .", "BROKEN", "used it"),
    FormRow(rule, "a( a)200 b( !b1( a1( a1)200 .", "BROKEN", "2 ms too late"),
    FormRow(rule, "a( !b( a)200 b1( .", "BROKEN", "still open"),
    FormRow(rule, "a( a)404 !b( .", "BROKEN", "answered 404"),
    FormRow(rule, "a( a)500 a( a)200 b( b)200 .", "HOLDS"),
    FormRow(rule, "a( a)200 b( b)500 b( b)200 .", "HOLDS"),
    FormRow("each m after its own n", "n m n m .", "HOLDS"),
    FormRow("each m after its own n", "n m !m n .", "BROKEN", "1 ms too late"),
    FormRow("each b (ok) after its own a", "a( a)200 b( b)404 b1( b1)200 .", "HOLDS"),
    FormRow("each b (ok) after its own a", "b( b1( a( a)200 !b1)200 b)404 .", "BROKEN"),
    FormRow("each b (ok) after its own a", "a( a)200 b( b1( b1)200 !b)200 .", "BROKEN"),
    FormRow("each b after its own a (any outcome)", "a( a)500 b(", "OPEN, leaning kept"),
    FormRow("each b after its own a (any outcome)", "a( a)500 b( !a( .", "BROKEN"),
    FormRow("each b after its own a (sent)", "a( b( .", "HOLDS"),
  ]

  @Test(arguments: rows) func `each has one of its own`(row: FormRow) throws { try row.check() }
}
