import LaunchHTTP
import LaunchJSON

extension DecidedCase {
  private static let a = "https://h.test/a"
  private static let b = "https://h.test/b"

  /// Eleven places where a contract language can be understood in two ways.
  static let pitfalls: [DecidedCase] = [
    .init(
      "\"before\" is completed before started",
      [
        .init("b only after a", "BROKEN", "a had started before and was still open"),
        .init("b only after a (sent)", "HOLDS"),
        .init("b starts only after a starts", "HOLDS"), .init("b ends only after a ends", "HOLDS"),
        .init("a never overlaps b", "BROKEN"),
      ]
    ) {
      let first = $0.start("POST", a, at: 1)
      let second = $0.start("POST", b, at: 2)
      $0.answer(first, 200, at: 3)
      $0.answer(second, 200, at: 4)
    },
    .init(
      "a failed call is sent and answered, and never done",
      [
        .init("m only after a", "BROKEN"), .init("m only after a (sent)", "HOLDS"),
        .init("m only after a (answered)", "HOLDS"), .init("m only after a (answered 4xx)", "HOLDS"),
        .init("m only after a (answered 5xx)", "BROKEN"), .init("m only after a (any outcome)", "HOLDS"),
        .init("every a is followed by m", "HOLDS"), .init("every a (ok) is followed by m", "IDLE"),
      ]
    ) {
      $0.answer($0.start("POST", a, at: 1), 404, at: 2)
      $0.mark("m", at: 3)
    },
    .init(
      "a retry is the same call",
      [
        .init("exactly 1 a", "HOLDS"), .init("exactly 2 attempts of a", "HOLDS"),
        .init("m only after a", "BROKEN"), .init("m only after attempt of a (any outcome)", "HOLDS"),
        .init("n only after a", "HOLDS"), .init("no m after a", "HOLDS"),
      ]
    ) {
      $0.answer($0.start("POST", a, body: "x", at: 1), 503, at: 2)
      $0.mark("m", at: 3)
      $0.answer($0.start("POST", a, body: "x", at: 4), 200, at: 5)
      $0.mark("n", at: 6)
    },
    .init(
      "the last call has no end",
      [
        .init("m only after a (sent)", "HOLDS"), .init("m only after a", "BROKEN"),
        .init("every a is followed by m", "BROKEN"), .init("a is answered 2xx", "BROKEN"),
      ]
    ) {
      _ = $0.start("POST", a, at: 1)
      $0.mark("m", at: 2)
    },
    .init(
      "the last call has no end, and the trace is cut",
      [
        .init("every a is followed by m", "OPEN, leaning broken"),
        .init("a is answered 2xx", "OPEN, leaning broken"), .init("a one at a time", "OPEN, leaning kept"),
      ], isClosed: false
    ) {
      _ = $0.start("POST", a, at: 1)
      $0.mark("m", at: 2)
    },
    .init(
      "a cancelled call has started, is not ok, and is not retried",
      [
        .init("exactly 2 a", "HOLDS"), .init("m only after a", "BROKEN"), .init("m only after a (sent)", "HOLDS"),
        .init("m only after a (answered)", "BROKEN"), .init("m only after a (any outcome)", "HOLDS"),
      ]
    ) {
      $0.fail($0.start("POST", a, at: 1), .cancelled, at: 2)
      $0.mark("m", at: 3)
      $0.answer($0.start("POST", a, at: 4), 200, at: 5)
    },
    .init(
      "a redirect chain is one call with its last status",
      [
        .init("exactly 1 a", "HOLDS"), .init("exactly 1 calls", "HOLDS"), .init("a is answered 2xx", "HOLDS"),
        .init("m only after a", "BROKEN"), .init("n only after a", "HOLDS"), .init("exactly 1 b", "HOLDS"),
      ]
    ) {
      let first = $0.start("POST", a, at: 1)
      $0.answer(first, 301, at: 2)
      $0.mark("m", at: 3)
      let hop = $0.start("POST", b, at: 4, from: first)
      $0.answer(hop, 302, at: 5)
      $0.answer($0.start("GET", "https://h.test/c", at: 6, from: hop), 200, at: 7)
      $0.mark("n", at: 8)
    },
    .init(
      "an exact bound is in time, and tolerance widens it",
      [
        .init("n within 12002 ms of m", "HOLDS"), .init("n within 12 s of m", "BROKEN", "2 ms too late"),
        .init("n within 12 s of m ± 2 ms", "HOLDS"), .init("n within 12 s of m ± 1 ms", "BROKEN"),
        .init("n at least 12002 ms after m", "HOLDS"), .init("n at least 12003 ms after m", "BROKEN"),
      ]
    ) {
      $0.mark("m", at: 0)
      $0.mark("n", at: 12_002)
    },
    .init(
      "at one time, the recorded order decides", [.init("n only after m", "HOLDS"), .init("m only after n", "BROKEN")]
    ) {
      $0.mark("m", at: 7)
      $0.mark("n", at: 7)
    },
    .init(
      "launches share nothing",
      [
        .init("adjust.init only after att", "BROKEN"), .init("at most 1 adjust.init", "HOLDS"),
        .init("paywall.shown within 5 s of m or else n", "BROKEN"),
      ]
    ) {
      $0.launch(1, at: 0)
      $0.mark("ATT answered", at: 1)
      $0.mark("start adjust initialization", at: 2)
      $0.mark("m", at: 3)
      $0.launch(2, at: 5000)
      $0.mark("n", at: 5003)
      $0.mark("start adjust initialization", at: 5011)
    },
    .init(
      "the same name on both sides is refused",
      [.init("a only after a", "refused", "both sides"), .init("a then a (ok)", "refused", "both sides")]
    ) { _ in },
    .init(
      "the wall clock jumps back", [.init("n within 2 s of m", "HOLDS"), .init("m only after n", "BROKEN")]
    ) {
      $0.mark("m", at: 1000, wall: "2026-11-30T02:59:59Z")
      $0.mark("n", at: 3000, wall: "2026-11-30T02:00:01Z")
    },
  ]
}
