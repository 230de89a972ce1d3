import Testing

/// Rule 10, the stretches of a launch, and rule 24, `when`.
struct ScopeTests {
  static let rows = [
    // before: to the end when it never comes.
    FormRow("no m before n", "p n m .", "HOLDS"),
    FormRow("no m before n", "!m .", "BROKEN", "is not allowed"),
    FormRow("at least 1 m before n", "p", "OPEN, leaning broken"),
    FormRow("at least 1 m before n", "p !n m .", "BROKEN", "ends the stretch"),
    FormRow("at least 1 m before n", "n .", "IDLE", "n comes first"),
    // after
    FormRow("no m after a", "m a( m a)200 .", "HOLDS"),
    FormRow("no m after a", "a( a)200 !m .", "BROKEN", "begins the stretch"),
    FormRow("no m after a", "m .", "IDLE", "a never came"),
    FormRow("no m after a", "a( a)500 m", "OPEN, leaning broken"),
    FormRow("no m after a", "a( a)500 m a( a)200 .", "HOLDS"),
    FormRow("n within 5 ms of m after a", "a( a)200 m +9 !p .", "BROKEN"),
    // after … until, as often as it opens
    FormRow("no m after n until p", "m .", "IDLE", "n never came"),
    FormRow("no m after n until p", "m n p m .", "HOLDS"),
    FormRow("no m after n until p", "m n p m", "OPEN, leaning kept"),
    FormRow("no m after n until p", "n !m .", "BROKEN", "begins the stretch"),
    FormRow("no m after n until p", "n p m n !m p .", "BROKEN", "ends the stretch"),
    FormRow("exactly 1 m after n until p", "n m p n m p .", "HOLDS"),
    FormRow("exactly 1 m after n until p", "n m p n !p .", "BROKEN"),
    FormRow("exactly 1 m after n until p", "n m p n", "OPEN, leaning broken"),
    FormRow("exactly 1 m after n until p", "n m n p .", "HOLDS"),
    FormRow("no m after a until p", "a( a)500 m", "OPEN, leaning broken"),
    FormRow("no m after a until p", "a( a)500 m p a( a)200 p .", "HOLDS"),
    FormRow("no m after a until p", "a( a)500 p a( a)200 !m .", "BROKEN"),
    FormRow("no m after a until p", "a( a)500 a1( a1)200 m", "OPEN, leaning broken"),
    FormRow("no m after a until p", "a( a)500 a1( a1)200 m !a( .", "BROKEN"),
    FormRow("every a is followed by b after n until p", "n a( a)200 b( p b)200 .", "HOLDS"),
    FormRow("every a is followed by b after n until p", "n a( b( !p a)200 b)200 .", "BROKEN"),
    // between: an open stretch does not count.
    FormRow("no m between n and p", "n m .", "IDLE", "p never came after n"),
    FormRow("no m between n and p", "n m", "OPEN, leaning kept"),
    FormRow("no m between n and p", "n m !p .", "BROKEN", "ends the stretch"),
    FormRow("no m between n and p", "m n p m .", "HOLDS"),
    FormRow("at least 1 m between n and p", "n m p n .", "HOLDS"),
    // while open: the pauses between attempts belong to it.
    FormRow("no m while a is open", "m .", "IDLE", "a was never open"),
    FormRow("no m while a is open", "m a( a)200 m .", "HOLDS"),
    FormRow("no m while a is open", "a( !m a)200 .", "BROKEN", "begins the stretch"),
    FormRow("no m while a is open", "a( a)500 m", "OPEN, leaning kept"),
    FormRow("no m while a is open", "a( a)500 m !a( a)200 .", "BROKEN"),
    FormRow("no m while a is open", "a( a)500 m .", "HOLDS"),
    FormRow("at least 1 m while a is open", "a( m a)200 a1( a1)500 m a1( a1)200 .", "HOLDS"),
    FormRow("at least 1 m while a is open", "a( m a)200 a1( a1)500", "OPEN, leaning broken"),
    FormRow("at least 1 m while a is open", "a( m a)200 a1( !a1)200 .", "BROKEN"),
    // when: anywhere in the launch.
    FormRow("when m v = 3:\n  no n", "n .", "IDLE", "was never true"),
    FormRow("when m v = 3:\n  no n", "n", "OPEN, leaning kept"),
    FormRow("when m v = 3:\n  no n", "n m{2} .", "IDLE"),
    FormRow("when m v = 3:\n  no n", "n !m{3} .", "BROKEN", "makes the rule apply"),
    FormRow("when m v = 3:\n  no n", "m{3} .", "HOLDS"),
    FormRow("when m v = 3:\n  no n", "m{3} !n .", "BROKEN"),
    FormRow("when m v = 3:\n  n within 5 ms of p", "p +9 !m{3} .", "BROKEN"),
  ]

  @Test(arguments: rows) func `a stretch is judged by what starts in it`(row: FormRow) throws { try row.check() }
}
