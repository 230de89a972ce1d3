import Testing

/// Rule 16, `at most N A in any D`.
struct RateTests {
  private static let rule = "at most 2 a in any 5 ms"
  static let rows = [
    FormRow(rule, ".", "IDLE", "a never came"),
    FormRow(rule, "a( .", "IDLE", "the rule is about two"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "a( a1( .", "HOLDS"),
    FormRow(rule, "a( a1( m m m a2( .", "HOLDS"),
    FormRow(rule, "a( a1(", "OPEN, leaning kept"),
    FormRow(rule, "a( a1( m m !a2( .", "BROKEN", "the last is 1 ms too early"),
    FormRow(rule, "a( a)500 a( a)500 a( a)200 .", "IDLE"),
    FormRow("at most 2 attempt of a in any 9 ms", "a( a)500 a( a)500 !a( a)200 .", "BROKEN", "3 in 4 ms"),
    FormRow("at most 2 a (ok) in any 5 ms", "a( a1( a2( a)200 a1)404 a2)200 .", "HOLDS"),
    FormRow("at most 2 a (ok) in any 5 ms", "a( a1( a2( a2)200 a1)200 !a)200 .", "BROKEN"),
    FormRow("at most 1 q in any 5 ms per key", "q:u:1( q:v:2( m m m q:u:3( .", "HOLDS"),
    FormRow("at most 1 q in any 5 ms per key", "q:u:1( q:v:2( !q:u:3( .", "BROKEN"),
  ]

  @Test(arguments: rows) func `no window holds too many`(row: FormRow) throws { try row.check() }
}
