import Testing

/// Rule 12, `B right after A among {…}`.
struct SuccessionTests {
  private static let rule = "b right after a among {a, b, c}"
  static let rows = [
    FormRow(rule, ".", "IDLE", "a never came"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "c( b( .", "IDLE"),
    FormRow(rule, "a( b( c( .", "HOLDS"),
    FormRow(rule, "a( m b( .", "HOLDS"),
    FormRow(rule, "a( b(", "OPEN, leaning kept"),
    FormRow(rule, "a( m", "OPEN, leaning broken", "nothing came after it in the 1 ms until the trace stops"),
    FormRow(rule, "a( !.", "BROKEN"),
    FormRow(rule, "a( !c( b( .", "BROKEN", "not right after it"),
    FormRow(rule, "a( !a1( b( .", "BROKEN", "comes instead"),
    FormRow(rule, "a( a)500 a( b( .", "HOLDS"),
    FormRow("b (ok) right after a among {a, b, c}", "a( b( !b)404 .", "BROKEN", "answered 404"),
    FormRow("b (ok) right after a among {a, b, c}", "a( b( b)500", "OPEN, leaning broken"),
    FormRow("b (ok) right after a among {a, b, c}", "a( b( b)500 b( b)200 .", "HOLDS"),
    FormRow("b right after a (ok) among {a, b, c}", "a( c( a)404 .", "IDLE"),
    FormRow("b right after a (ok) among {a, b, c}", "a( c( !a)200 .", "BROKEN"),
  ]

  @Test(arguments: rows) func `nothing else comes next`(row: FormRow) throws { try row.check() }
}
