import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchReport
import LaunchTrace
import Testing

/// The text report, whole.
struct TextReportTests {
  private static let contract = """
    contract "cold launch" version 1
    mark att.answered = "ATT answered"
    mark iam.wait, gate, home, ghost
    call adjust.session = POST https://analytics.adjust.com/session
    [R10] adjust.session only after att.answered   # because the host depends on the answer
    [R35] gate within 20 s of iam.wait
    every home is followed by ghost
    at most 1 home
    optional: ghost only after home
    advice: no adjust.session

    """

  private static func verification(isClosed: Bool = true) throws -> Verification {
    var events: [Event] = [
      Event(at: Instant(microseconds: 0), .launch(1)),
      Event(at: Instant(microseconds: 60_000), .call(1, .request(try request()))),
      Event(at: Instant(microseconds: 912_000), .mark(Mark("ATT answered", ["status": 2]))),
      Event(at: Instant(microseconds: 950_000), .call(1, .response(ResponseHead(status: 200)))),
      Event(at: Instant(microseconds: 960_000), .call(1, .end(Content()))),
      Event(at: Instant(microseconds: 1_000_000), .mark(Mark("iam.wait"))),
      Event(at: Instant(microseconds: 21_000_400), .mark(Mark("gate"))),
      Event(at: Instant(microseconds: 21_100_000), .mark(Mark("home"))),
      Event(at: Instant(microseconds: 21_200_000), .mark(Mark("home"))),
    ]
    if isClosed { events.append(Event(at: Instant(microseconds: 21_300_000), .closed(Closing(events: 9)))) }
    return try Contract(parsing: contract, file: "launch.contract")
      .verification(of: Trace(name: "first-launch", events: events))
  }

  private static func request() throws -> Request {
    Request(method: "POST", location: try Location(parsing: "https://analytics.adjust.com/session"))
  }

  @Test func `every kind of line`() throws {
    #expect(
      TextReport(try Self.verification(), rerun: "launchtape verify first-launch.cassette").text == """
        launch.contract "cold launch" on first-launch: 10 events, closed
        launch.contract:5: BROKEN  [R10] adjust.session only after att.answered
              0.060 s  adjust.session  POST /session starts  <- needs att.answered before it
              0.912 s  att.answered    {status: 2}           comes 852 ms too late
           nothing else matters: 2 of 10 events
           near miss: adjust.session was still open when att.answered came (answered 200 at 0.960 s)
           because the host depends on the answer
           rerun: launchtape verify first-launch.cassette
        launch.contract:6: BROKEN  [R35] gate within 20 s of iam.wait
              1.000 s  iam.wait    <- needs gate after it within 20 s
             21.000 s  gate        comes after 20.0004 s, 400 us too late
           nothing else matters: 2 of 10 events
           rerun: launchtape verify first-launch.cassette
        launch.contract:7: BROKEN  every home is followed by ghost
             21.100 s  home    <- needs ghost after it
           no ghost in the 200 ms until the trace ends
           nothing else matters: 1 of 10 events
           rerun: launchtape verify first-launch.cassette
        launch.contract:8: BROKEN  at most 1 home
             21.100 s  home
             21.200 s  home    <- is one too many
           nothing else matters: 2 of 10 events
           2 home came, at most 1 allowed
           rerun: launchtape verify first-launch.cassette
        launch.contract:10: BROKEN  advice: no adjust.session
              0.060 s  adjust.session  POST /session starts  <- is not allowed
           nothing else matters: 1 of 10 events
           1 adjust.session came, none allowed
           rerun: launchtape verify first-launch.cassette
        launch.contract:3:28: warning: nothing in the trace matched 'ghost'
        5 rules: 4 broken, 1 optional idle; 1 advice: 1 broken
        """)
  }

  @Test func `a cut trace says that it is cut`() throws {
    let lines = TextReport(try Self.verification(isClosed: false)).text.split(separator: "\n")
    #expect(lines[0] == "launch.contract \"cold launch\" on first-launch: 9 events, cut")
    #expect(lines.contains("launch.contract:7: OPEN, leaning broken  every home is followed by ghost"))
    #expect(lines.contains("  OPEN    ghost only after home   (the trace is cut, nothing is wrong so far)"))
  }

  @Test func `colour is only there when asked for`() throws {
    let verification = try Self.verification()
    #expect(!TextReport(verification).text.contains("\u{1B}"))
    #expect(TextReport(verification, colour: true).text.contains("\u{1B}[31mBROKEN\u{1B}[0m"))
  }

  @Test func `the failures leave out advice and what holds`() throws {
    let failures = TextReport(try Self.verification()).failures
    #expect(failures.contains("[R10]") && !failures.contains("advice") && !failures.contains("IDLE"))
  }
}
