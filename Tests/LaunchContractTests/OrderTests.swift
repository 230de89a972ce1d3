import Testing

/// Rule 14, `A in order of F`.
struct OrderTests {
  private static let rule = "q in order of body.seq"
  static let rows = [
    FormRow(rule, ".", "IDLE", "q never came"),
    FormRow(rule, "q::1( .", "IDLE"),
    FormRow(rule, "", "OPEN, leaning kept"),
    FormRow(rule, "q::1( q::2( q::9( q::10( .", "HOLDS"),
    FormRow(rule, "q::1( q::2(", "OPEN, leaning kept"),
    FormRow(rule, "q::2( !q::1( .", "BROKEN", "body.seq = 1 comes after 2"),
    FormRow(rule, #"q::"9"( q::10( ."#, "HOLDS"),
    FormRow(rule, #"q::"b"( !q::"a"( ."#, "BROKEN"),
    FormRow(rule, "q::1.5( !q::1.25( .", "BROKEN"),
    FormRow(rule, "q::1( q::1)200 !q::1( .", "BROKEN", "body.seq = 1 again"),
    FormRow(rule, "q::1( q::1)500 q::1( q::2( .", "HOLDS"),
    FormRow(rule, "m !q( q)200 .", "BROKEN", "has no body.seq"),
    FormRow(rule, "q::1( !q( m", "BROKEN"),
    FormRow("q in order of order", "q::2( !q::1( .", "BROKEN"),
    FormRow("q (ok) in order of body.seq", "q::2( q::1( q::1)404 q::2)200 q::3( q::3)200 .", "HOLDS"),
    FormRow("q (ok) in order of body.seq", "q::2( q::1( q::1)200 !q::2)200 .", "BROKEN"),
    FormRow(rule + " and gapless", "q::1( q::2( q::3( .", "HOLDS"),
    FormRow(rule + " and gapless", "q::1( !q::3( q::2( .", "BROKEN", "does not follow on 1"),
    FormRow(rule + " and gapless", #"q::1( !q::"x"( ."#, "BROKEN", "no whole number"),
    FormRow(rule + " per key", "q:u:5( q:v:1( q:u:6( q:v:2( .", "HOLDS"),
    FormRow(rule + " per key", "q:u:5( q:v:1( !q:u:4( .", "BROKEN", "where key is u"),
    FormRow("q one at a time in order of body.seq", "q::1( q::1)200 q::2( .", "HOLDS"),
    FormRow("q one at a time in order of body.seq", "q::1( !q::2( q::1)200 .", "BROKEN", "open together for 1 ms"),
    FormRow("q one at a time in order of body.seq", "q::1( q::1)500 q::2( q::2)200 !q::1( .", "BROKEN"),
    FormRow("q one at a time in order of body.seq", "q::1( q::1)500 q::1( q::1)200 q::2( .", "HOLDS"),
  ]

  @Test(arguments: rows) func `starts follow the values`(row: FormRow) throws { try row.check() }
}
