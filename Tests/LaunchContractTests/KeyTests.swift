import LaunchContract
import LaunchTrace
import Testing

/// `per F`: every quantifier stays within one value.
struct KeyTests {
  static let rows = [
    FormRow("at most 1 q per key", ".", "IDLE", "q never came"),
    FormRow("at least 1 q per key", ".", "IDLE"),
    FormRow("q one at a time per key", "q:u( q:u)200 q:v( .", "IDLE", "for each key, there is one q"),
    FormRow("n within 5 ms of m per mark.v", ".", "IDLE", "none of these came: m, n"),
    FormRow("at most 1 q per key", "", "OPEN, leaning kept"),
    FormRow("at most 1 q per key", "q:u( q:v( .", "HOLDS"),
    FormRow("at most 1 q per key", "q:u( q:v(", "OPEN, leaning kept"),
    FormRow("at most 1 q per key\nat most 9 calls", "q:u( q:v( .", "HOLDS"),
    FormRow("at most 1 q per key", "q:u:1( q:v:1( !q:u:2( .", "BROKEN", "where key is u"),
    FormRow("exactly 2 q per key", "q:u:1( q:v:1( q:u:2( !.", "BROKEN", "where key is v"),
    FormRow("at most 1 q per key", "!q( m", "BROKEN", "no key"),
    FormRow("at most 1 q per key", "!q( q)200 .", "BROKEN", "no key"),
    // What is left out needs no key, and gives none.
    FormRow("no calls except q, a per header.X-User", "a( q:u( .", "IDLE"),
    FormRow("at most 1 calls except q per header.X-User", "q( q( q:u( !a( .", "BROKEN", "no key"),
    FormRow("n within 5 ms of m per mark.v", "m{1} m{2} n{2} n{1} .", "HOLDS"),
    FormRow("n within 5 ms of m per mark.v", "m{1} m{2} n{2} +9 !p .", "BROKEN", "where mark.v is 1"),
    FormRow("n within 5 ms of m per mark.v", "m{1} m{2} n{2}", "OPEN, leaning broken"),
    FormRow("m only after n per mark.v", "n{1} m{1} n{2} !m{3} .", "BROKEN", "where mark.v is 3"),
    FormRow("m only after n per mark.v", "!m .", "BROKEN", "no key"),
    FormRow("when p v = 1:\n  at most 1 q per key", "q:u:1( q:u:2( !p{1} .", "BROKEN"),
    FormRow("no m after n per mark.v", "n{1} m{2} n{2} !m{1} .", "BROKEN", "where mark.v is 1"),
  ]

  @Test(arguments: rows) func `each value is judged alone`(row: FormRow) throws { try row.check() }
}
