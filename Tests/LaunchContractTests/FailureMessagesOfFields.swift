extension FailureMessage {
  /// Rules 14 to 25: times, fields, alternatives, and calls as a whole.
  static let aboutFields = [
    FailureMessage(
      14, "change in order of order and gapless",
      #"change{"user":"ann","seq":1} 10-20 200 | change{"user":"ann","seq":3} 30-40 200"#,
      """
      app.contract:7: BROKEN  change in order of order and gapless
            0.010 s  change  POST /change starts  body.seq = 1
            0.030 s  change  POST /change starts  <- body.seq = 3 does not follow on 1
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      15, "retries of sync back off from 100 ms, factor 2, jitter 10 %",
      "sync 0-10 503 | sync 60-70 503 | sync 270-280 reset | sync 1000-1010 200",
      """
      app.contract:7: BROKEN  retries of sync back off from 100 ms, factor 2, jitter 10 %
            0.000 s  sync  POST /sync starts  attempt 1, answered 503 at 0.010 s
            0.060 s  sync  POST /sync starts  <- attempt 2, 50 ms later (must be 90 ms to 110 ms), 40 ms too early, \
      answered 503 at 0.070 s
            0.270 s  sync  POST /sync starts  attempt 3, 200 ms later (must be 180 ms to 220 ms), failed: reset at \
      0.280 s
            1.000 s  sync  POST /sync starts  <- attempt 4, 720 ms later (must be 360 ms to 440 ms), 280 ms too \
      late, answered 200 at 1.010 s
         2 of 4 attempts break the rule
         nothing else matters: 4 of 12 events
      """),
    FailureMessage(
      15, "retries of sync back off from 100 ms, at most 2 tries ± 5 ms",
      "sync 0-10 503+1 | sync 800-810 503 | sync 910-920 200",
      """
      app.contract:7: BROKEN  retries of sync back off from 100 ms, at most 2 tries ± 5 ms
            0.000 s  sync  POST /sync starts  attempt 1, answered 503 at 0.010 s
            0.800 s  sync  POST /sync starts  <- attempt 2, 790 ms later (must be 995 ms to 1005 ms as Retry-After \
      is 1 s), 205 ms too early, answered 503 at 0.810 s
            0.910 s  sync  POST /sync starts  <- attempt 3, 100 ms later (must be 95 ms to 105 ms), is one too many, \
      answered 200 at 0.920 s
         2 of 3 attempts break the rule; the ranges include the tolerance of 5 ms
         nothing else matters: 3 of 10 events
      """),
    FailureMessage(
      16, "at most 2 track in any 1 s",
      "track 10-20 200 | track 400-450 200 | track 900-950 200",
      """
      app.contract:7: BROKEN  at most 2 track in any 1 s
            0.010 s  track  POST /track starts
            0.400 s  track  POST /track starts
            0.900 s  track  POST /track starts  <- is number 3 in 890 ms
         nothing else matters: 3 of 10 events
         3 in 890 ms, and 2 allowed in any 1 s; the last is 110 ms too early
      """),
    FailureMessage(
      17, "track uses body.token from login",
      #"login 10-60 200{"token":"t1"} | track{"token":"t0"} 70-90 200"#,
      """
      app.contract:7: BROKEN  track uses body.token from login
            0.060 s  login  POST /login answered 200  has response.body.token = "t1"
            0.070 s  track  POST /track starts        <- has body.token = "t0"
         body.token is "t0", expected "t1"
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      18, "body.id differs in track",
      #"track{"id":"a1"} 10-20 200 | track{"id":"a1"} 30-40 200"#,
      """
      app.contract:7: BROKEN  body.id differs in track
            0.010 s  track  POST /track starts  has body.id = "a1"
            0.030 s  track  POST /track starts  <- has body.id = "a1"
         body.id is the same in both
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      19, "track has body.id not exists",
      #"track{"id":"a1"} 10-20 200"#,
      """
      app.contract:7: BROKEN  track has body.id not exists
            0.010 s  track  POST /track starts  <- needs no body.id
         found body.id = "a1"
         nothing else matters: 1 of 4 events
      """),
    FailureMessage(
      19, "sync is answered 2xx in the end",
      "sync 10-20 503 | sync 30-40 500",
      """
      app.contract:7: BROKEN  sync is answered 2xx in the end
            0.040 s  sync  POST /sync answered 500  <- must be answered 2xx
         the last of 2 attempts
         nothing else matters: 1 of 7 events
      """),
    FailureMessage(
      20, "if paywall.shown happens then no paywall.fallback",
      "paywall.fallback 10 | paywall.shown 20",
      """
      app.contract:7: BROKEN  if paywall.shown happens then no paywall.fallback
            0.010 s  paywall.fallback    happens too
            0.020 s  paywall.shown       <- forbids paywall.fallback
         nothing else matters: 2 of 3 events
      """),
    FailureMessage(
      21, "exactly one of paywall.shown, paywall.fallback happens",
      "paywall.fallback 10 | paywall.shown 20",
      """
      app.contract:7: BROKEN  exactly one of paywall.shown, paywall.fallback happens
            0.010 s  paywall.fallback    happens
            0.020 s  paywall.shown       <- happens, too
         nothing else matters: 2 of 3 events
         2 of them, and only one may happen
      """),
    FailureMessage(
      21, "paywall.shown or sync happens",
      "splash 10 | sync 20-30 404",
      """
      app.contract:7: BROKEN  paywall.shown or sync happens
         none of them: paywall.shown never came, sync was never ok
         near miss: sync came, answered 404 at 0.030 s
      """),
    FailureMessage(
      22, "paywall.shown within 5 s of splash or else paywall.fallback ± 20 ms",
      "splash 10 | paywall.fallback 4010 | paywall.shown 6010",
      """
      app.contract:7: BROKEN  paywall.shown within 5 s of splash or else paywall.fallback ± 20 ms
            0.010 s  splash              <- needs paywall.shown within 5 s ± 20 ms, or else paywall.fallback then
            4.010 s  paywall.fallback    comes 1 s too early
            6.010 s  paywall.shown       comes 980 ms too late
         the time is up at 5.010 s
         nothing else matters: 3 of 4 events
      """),
    FailureMessage(
      22, "paywall.shown within 5 s of splash or else paywall.fallback ± 20 ms",
      "splash 10 | paywall.fallback 5050",
      """
      app.contract:7: BROKEN  paywall.shown within 5 s of splash or else paywall.fallback ± 20 ms
            0.010 s  splash              <- needs paywall.shown within 5 s ± 20 ms, or else paywall.fallback then
            5.050 s  paywall.fallback    comes 20 ms too late
         the time is up at 5.010 s
         nothing else matters: 2 of 3 events
      """),
    FailureMessage(
      23, "login is the first call",
      "sync 10-20 200 | login 30-40 200",
      """
      app.contract:7: BROKEN  login is the first call
            0.010 s  calls  POST h.test/sync starts  <- comes first
            0.030 s  login  POST /login starts       comes 20 ms too late
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      23, "nothing after sync",
      "sync 10-20 200 | other 30-40 200",
      """
      app.contract:7: BROKEN  nothing after sync
            0.020 s  sync   POST /sync answered 200   nothing may start after it
            0.030 s  calls  POST h.test/other starts  <- starts 10 ms after it
         nothing else matters: 2 of 7 events
      """),
    FailureMessage(
      23, "only these calls: login, sync",
      "login 10-20 200 | ads/banner 30-40 200",
      """
      app.contract:7: BROKEN  only these calls: login, sync
            0.030 s  calls  POST h.test/ads/banner starts  <- is not listed
         nothing else matters: 1 of 7 events
      """),
    FailureMessage(
      24, "when att.answered status = 3:\n  track has body.idfa exists",
      #"att.answered{"status":3} 10 | track{"idfv":"x"} 20-40 200"#,
      """
      app.contract:8: BROKEN  track has body.idfa exists
            0.010 s  att.answered  {status: 3}         makes the rule apply
            0.020 s  track         POST /track starts  <- needs body.idfa
         track has no body.idfa
         nothing else matters: 2 of 5 events
      """),
    FailureMessage(
      25, "launch settles within 1 s",
      "sync 10-20 200 | ads 700-1900 200",
      """
      app.contract:7: BROKEN  launch settles within 1 s
            0.700 s  calls  POST h.test/ads starts  <- is open at 1.000 s
         1 call had not ended when the time was up at 1.000 s
         nothing else matters: 1 of 7 events
      """),
    FailureMessage(
      25, "launch settles within 1 s quiet for 500 ms",
      "sync 10-20 200 | ads 400-450 200 | track 900-950 200 | track 1400-1420 200",
      """
      app.contract:7: BROKEN  launch settles within 1 s quiet for 500 ms
            0.950 s  calls  POST h.test/track answered 200  is the last to end in time
            1.400 s  calls  POST h.test/track starts        <- starts 450 ms later, needs 500 ms of quiet
         the time was up at 1.000 s
         nothing else matters: 2 of 13 events
      """),
  ]
}
