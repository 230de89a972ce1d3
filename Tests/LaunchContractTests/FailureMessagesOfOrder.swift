extension FailureMessage {
  /// Rules 1 to 13: what comes before what, how many, and how many at once.
  static let aboutOrder = [
    FailureMessage(
      1, "track only after login",
      "login 10-60 200 | track 20-30 200 | end 90",
      """
      app.contract:7: BROKEN  track only after login
            0.010 s  login  POST /login starts        is still open then
            0.020 s  track  POST /track starts        <- needs login (ok) before it
            0.060 s  login  POST /login answered 200  comes 40 ms too late
         nothing else matters: 3 of 7 events
         near miss: login had started before and was still open (answered 200 at 0.060 s)
      """),
    FailureMessage(
      1, "track only after login",
      "login 10-60 500 | track 70-80 200",
      """
      app.contract:7: BROKEN  track only after login
            0.060 s  login  POST /login answered 500  is not ok, so it does not count
            0.070 s  track  POST /track starts        <- needs login (ok) before it
         nothing else matters: 2 of 7 events
         near miss: login came before, answered 500 at 0.060 s
      """),
    FailureMessage(
      2, "track starts only after sync starts",
      "track 10-40 200 | sync 25-60 200",
      """
      app.contract:7: BROKEN  track starts only after sync starts
            0.010 s  track  POST /track starts  <- needs the start of sync (ok) before it
            0.025 s  sync   POST /sync starts   comes 15 ms too late
         nothing else matters: 2 of 7 events
         near miss: track was still open when sync came (answered 200 at 0.040 s)
      """),
    FailureMessage(
      3, "each track after its own login",
      "login 10-60 200 | track 70-90 200 | track 100-200 200 | login 120-180 200",
      """
      app.contract:7: BROKEN  each track after its own login
            0.060 s  login  POST /login answered 200
            0.070 s  track  POST /track starts        used it
            0.100 s  track  POST /track starts        <- needs login (ok) of its own before it
            0.180 s  login  POST /login answered 200  comes 80 ms too late
         2 track, and 1 login (ok) before
         nothing else matters: 4 of 13 events
         near miss: track was still open when login came (answered 200 at 0.200 s)
      """),
    FailureMessage(
      4, "every splash is followed by track",
      "splash 10 | track 30-80 500 | end 1010",
      """
      app.contract:7: BROKEN  every splash is followed by track
            0.010 s  splash                            <- needs track (ok) after it
            0.080 s  track   POST /track answered 500  does not count
         nothing else matters: 2 of 5 events
         near miss: track came after it, answered 500 at 0.080 s
      """),
    FailureMessage(
      5, "splash then home",
      "home 10 | splash 25",
      """
      app.contract:7: BROKEN  splash then home
            0.010 s  home      <- needs splash before it
            0.025 s  splash    comes 15 ms too late
         nothing else matters: 2 of 3 events
      """),
    FailureMessage(
      6, "home within 2 s of splash",
      "splash 10 | home 2350",
      """
      app.contract:7: BROKEN  home within 2 s of splash
            0.010 s  splash    <- needs home after it within 2 s
            2.350 s  home      comes after 2340 ms, 340 ms too late
         nothing else matters: 2 of 3 events
      """),
    FailureMessage(
      6, "sync within 1 s of login ending ± 50 ms",
      "login 10-60 200 | sync 100-1200 200",
      """
      app.contract:7: BROKEN  sync within 1 s of login ending ± 50 ms
            0.060 s  login  POST /login answered 200  <- needs sync (ok) after it within 1 s ± 50 ms
            1.200 s  sync   POST /sync answered 200   comes after 1140 ms, 90 ms too late
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      7, "home at least 2 s after splash",
      "splash 100 | home 1350",
      """
      app.contract:7: BROKEN  home at least 2 s after splash
            0.100 s  splash
            1.350 s  home      <- comes after 1250 ms, 750 ms too early
         nothing else matters: 2 of 3 events
      """),
    FailureMessage(
      8, "exactly 1 track",
      "track 10-20 200 | track 30-40 503 | track 50-60 200",
      """
      app.contract:7: BROKEN  exactly 1 track
            0.010 s  track  POST /track starts
            0.030 s  track  POST /track starts  <- is one too many
         nothing else matters: 2 of 10 events
         2 track came, exactly 1 needed
      """),
    FailureMessage(
      8, "at least 2 sync (ok)",
      "sync 10-20 200 | sync 30-40 404",
      """
      app.contract:7: BROKEN  at least 2 sync (ok)
            0.010 s  sync  POST /sync starts
         nothing else matters: 1 of 7 events
         1 sync (ok) came, at least 2 needed
         near miss: sync came, answered 404 at 0.040 s
      """),
    FailureMessage(
      9, "no calls before att.answered except sync",
      "sync 10-20 200 | track 15-30 200 | att.answered 50",
      """
      app.contract:7: BROKEN  no calls before att.answered except sync
            0.015 s  calls         POST h.test/track starts  <- is not allowed
            0.050 s  att.answered                            ends the stretch
         nothing else matters: 2 of 8 events
         1 call came, none allowed
      """),
    FailureMessage(
      10, "no track after splash until home",
      "splash 10 | track 20-40 200 | home 50",
      """
      app.contract:7: BROKEN  no track after splash until home
            0.010 s  splash                      begins the stretch
            0.020 s  track   POST /track starts  <- is not allowed
            0.050 s  home                        ends the stretch
         nothing else matters: 3 of 6 events
         1 track came, none allowed
      """),
    FailureMessage(
      11, "login and sync take turns",
      "login 10-60 200 | sync 70-90 404 | login 100-120 200",
      """
      app.contract:7: BROKEN  login and sync take turns
            0.010 s  login  POST /login starts
            0.090 s  sync   POST /sync answered 404  does not count
            0.100 s  login  POST /login starts       <- comes again without sync (ok) in between
         nothing else matters: 3 of 10 events
         two login (ok) in a row, 90 ms apart
         near miss: sync came in between, answered 404 at 0.090 s
      """),
    FailureMessage(
      12, "sync right after login among {login, sync, home}",
      "login 10-60 200 | home 70 | sync 100-120 200",
      """
      app.contract:7: BROKEN  sync right after login among {login, sync, home}
            0.010 s  login  POST /login starts  <- needs sync right after it
            0.070 s  home                       comes instead
            0.100 s  sync   POST /sync starts   comes after that, 30 ms later
         nothing else matters: 3 of 8 events
         near miss: sync came, but not right after it
      """),
    FailureMessage(
      13, "change one at a time per key",
      #"""
      change{"user":"ann","seq":1} 10-45 200 | \#
      change{"user":"bob","seq":1} 20-50 200 | change{"user":"ann","seq":2} 30-60 200
      """#,
      """
      app.contract:7: BROKEN  change one at a time per key
            0.010 s  change  POST /change starts  is open until 0.045 s
            0.030 s  change  POST /change starts  <- starts while that is open
         where key is ann
         nothing else matters: 2 of 10 events
         open together for 15 ms
      """),
    FailureMessage(
      13, "at most 2 track open",
      "track 10-45 200 | track 20-50 200 | track 30-60 200",
      """
      app.contract:7: BROKEN  at most 2 track open
            0.010 s  track  POST /track starts  is open until 0.045 s
            0.020 s  track  POST /track starts  is open until 0.050 s
            0.030 s  track  POST /track starts  <- starts while 2 are open
         3 track open at once, and 2 allowed
         nothing else matters: 3 of 10 events
         open together for 15 ms
      """),
    FailureMessage(
      13, "sync never overlaps login",
      "sync 10-45 200 | login 20-50 200",
      """
      app.contract:7: BROKEN  sync never overlaps login
            0.010 s  sync   POST /sync starts   is open until 0.045 s
            0.020 s  login  POST /login starts  <- starts while sync is open
         nothing else matters: 2 of 7 events
         open together for 25 ms
      """),
  ]
}
