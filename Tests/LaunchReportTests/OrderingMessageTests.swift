import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchReport
import LaunchTrace
import Testing

/// What a report says when a rule about order, number or time breaks: the whole text of each.
struct OrderingMessageTests {
  struct Message: Sendable, CustomTestStringConvertible {
    var rule: String
    var trace: Trace
    var text: String

    init(_ rule: String, _ text: String, _ steps: [Step]) {
      self.rule = rule
      self.text = text
      trace = Step.trace(steps)
    }

    var testDescription: String { rule }
  }

  /// A step at a time in milliseconds.
  enum Step {
    case mark(String, Int64)
    /// A mark with the field `v`.
    case flag(String, Int64, Int64)
    case start(Int, String, Int64, user: String = "", seq: Int = 0)
    case answer(Int, Int, Int64)

    static func trace(_ steps: [Step]) -> Trace {
      var events: [Event] = []
      func append(_ kind: Event.Kind, _ at: Int64) {
        events.append(Event(at: Instant(microseconds: at * 1000), kind))
      }
      for step in steps {
        switch step {
        case .mark(let name, let at): append(.mark(Mark(name)), at)
        case .flag(let name, let value, let at): append(.mark(Mark(name, ["v": .integer(value)])), at)
        case .start(let number, let path, let at, let user, let seq):
          let location = Location(scheme: "https", host: "api.example.com", path: path)
          let body = #"{"seq":\#(seq),"n":\#(path == "/sync" ? 0 : number)}"#
          let fields: Fields = user.isEmpty ? [:] : ["X-User": user]
          append(
            .call(
              number, .request(Request(method: "POST", location: location, fields: fields, body: Array(body.utf8)))),
            at)
        case .answer(let number, let status, let at):
          append(.call(number, .response(ResponseHead(status: status))), at)
          append(.call(number, .end(Content())), at)
        }
      }
      let last = events.last?.at ?? .zero
      events.append(Event(at: last, .closed(Closing(events: events.count))))
      return Trace(name: "launch", events: events)
    }
  }

  private static let header = """
    contract "app" version 1
    mark att.answered, splash, home
    call login = POST https://api.example.com/login
    call sync = POST https://api.example.com/sync
    call track = POST https://api.example.com/track
    call mutation = POST https://api.example.com/mutation key header."X-User" order body.seq

    """

  static let messages = [
    Message(
      "each track after its own login",
      """
      app.contract:7: BROKEN  each track after its own login
            0.060 s  login  POST /login answered 200
            0.070 s  track  POST /track starts        used it
            0.100 s  track  POST /track starts        <- needs login (ok) of its own before it
            0.180 s  login  POST /login answered 200  comes 80 ms too late
         2 track, and 1 login (ok) before
         nothing else matters: 4 of 13 events
         near miss: track was still open when login came (answered 200 at 0.200 s)
      """,
      [
        .start(1, "/login", 10), .answer(1, 200, 60), .start(2, "/track", 70), .answer(2, 200, 90),
        .start(3, "/track", 100), .start(4, "/login", 120), .answer(4, 200, 180), .answer(3, 200, 200),
      ]),
    Message(
      "home at least 2 s after splash",
      """
      app.contract:7: BROKEN  home at least 2 s after splash
            0.100 s  splash
            1.350 s  home      <- comes after 1250 ms, 750 ms too early
         nothing else matters: 2 of 3 events
      """, [.mark("splash", 100), .mark("home", 1350)]),
    Message(
      "login and sync take turns",
      """
      app.contract:7: BROKEN  login and sync take turns
            0.010 s  login  POST /login starts
            0.090 s  sync   POST /sync answered 404  does not count
            0.100 s  login  POST /login starts       <- comes again without sync (ok) in between
         nothing else matters: 3 of 10 events
         two login (ok) in a row, 90 ms apart
         near miss: sync came in between, answered 404 at 0.090 s
      """,
      [
        .start(1, "/login", 10), .answer(1, 200, 60), .start(2, "/sync", 70), .answer(2, 404, 90),
        .start(3, "/login", 100), .answer(3, 200, 120),
      ]),
    Message(
      "sync right after login among {login, sync, track}",
      """
      app.contract:7: BROKEN  sync right after login among {login, sync, track}
            0.010 s  login  POST /login starts  <- needs sync right after it
            0.070 s  track  POST /track starts  comes instead
            0.100 s  sync   POST /sync starts   comes after that, 30 ms later
         nothing else matters: 3 of 10 events
         near miss: sync came, but not right after it
      """,
      [
        .start(1, "/login", 10), .answer(1, 200, 60), .start(2, "/track", 70), .answer(2, 200, 90),
        .start(3, "/sync", 100), .answer(3, 200, 120),
      ]),
    Message(
      "mutation one at a time per key",
      """
      app.contract:7: BROKEN  mutation one at a time per key
            0.010 s  mutation  POST /mutation starts  is open until 0.045 s
            0.030 s  mutation  POST /mutation starts  <- starts while that is open
         where key is ann
         nothing else matters: 2 of 10 events
         open together for 15 ms
      """,
      [
        .start(1, "/mutation", 10, user: "ann", seq: 1), .start(2, "/mutation", 20, user: "bob", seq: 1),
        .start(3, "/mutation", 30, user: "ann", seq: 2), .answer(1, 200, 45), .answer(2, 200, 50), .answer(3, 200, 60),
      ]),
    Message(
      "at most 2 track open",
      """
      app.contract:7: BROKEN  at most 2 track open
            0.010 s  track  POST /track starts  is open until 0.045 s
            0.020 s  track  POST /track starts  is open until 0.050 s
            0.030 s  track  POST /track starts  <- starts while 2 are open
         3 track open at once, and 2 allowed
         nothing else matters: 3 of 10 events
         open together for 15 ms
      """,
      [
        .start(1, "/track", 10), .start(2, "/track", 20), .start(3, "/track", 30), .answer(1, 200, 45),
        .answer(2, 200, 50), .answer(3, 200, 60),
      ]),
    Message(
      "sync never overlaps login",
      """
      app.contract:7: BROKEN  sync never overlaps login
            0.010 s  sync   POST /sync starts   is open until 0.045 s
            0.020 s  login  POST /login starts  <- starts while sync is open
         nothing else matters: 2 of 7 events
         open together for 25 ms
      """,
      [
        .start(1, "/sync", 10), .start(2, "/login", 20), .answer(1, 200, 45), .answer(2, 200, 50),
      ]),
    Message(
      "mutation in order of body.seq per key",
      """
      app.contract:7: BROKEN  mutation in order of body.seq per key
            0.010 s  mutation  POST /mutation starts  body.seq = 2
            0.020 s  mutation  POST /mutation starts  <- body.seq = 1 comes after 2
         where key is ann
         nothing else matters: 2 of 7 events
      """,
      [
        .start(1, "/mutation", 10, user: "ann", seq: 2), .answer(1, 200, 15),
        .start(2, "/mutation", 20, user: "ann", seq: 1),
        .answer(2, 200, 30),
      ]),
    Message(
      "at most 2 track in any 1 s",
      """
      app.contract:7: BROKEN  at most 2 track in any 1 s
            0.010 s  track  POST /track starts
            0.400 s  track  POST /track starts
            0.900 s  track  POST /track starts  <- is number 3 in 890 ms
         nothing else matters: 3 of 10 events
         3 in 890 ms, and 2 allowed in any 1 s; the last is 110 ms too early
      """,
      [
        .start(1, "/track", 10), .answer(1, 200, 15), .start(2, "/track", 400), .answer(2, 200, 450),
        .start(3, "/track", 900), .answer(3, 200, 950),
      ]),
    Message(
      "no track after att.answered until home",
      """
      app.contract:7: BROKEN  no track after att.answered until home
            0.060 s  att.answered                      begins the stretch
            0.070 s  track         POST /track starts  <- is not allowed
            0.100 s  home                              ends the stretch
         nothing else matters: 3 of 8 events
         1 track came, none allowed
      """,
      [
        .mark("att.answered", 10), .mark("home", 50), .mark("att.answered", 60), .start(1, "/track", 70),
        .answer(1, 200, 90), .mark("home", 100),
      ]),
    Message(
      "at least 1 track between splash and home",
      """
      app.contract:7: BROKEN  at least 1 track between splash and home
            0.010 s  splash    begins the stretch
            0.050 s  home      ends the stretch
         nothing else matters: 2 of 3 events
         no track came, at least 1 needed
      """, [.mark("splash", 10), .mark("home", 50)]),
    Message(
      "no track while sync is open",
      """
      app.contract:7: BROKEN  no track while sync is open
            0.010 s  sync   POST /sync starts        begins the stretch
            0.030 s  track  POST /track starts       <- is not allowed
            0.060 s  sync   POST /sync answered 200  ends the stretch
         nothing else matters: 3 of 10 events
         1 track came, none allowed
      """,
      [
        .start(1, "/sync", 10), .answer(1, 503, 20), .start(2, "/track", 30), .answer(2, 200, 40),
        .start(3, "/sync", 50),
        .answer(3, 200, 60),
      ]),
    Message(
      "exactly 1 home",
      """
      app.contract:7: BROKEN  exactly 1 home
         no home came, exactly 1 needed
      """, [.mark("splash", 10)]),
    Message(
      "exactly 1 sync (ok)",
      """
      app.contract:7: BROKEN  exactly 1 sync (ok)
         no sync (ok) came, exactly 1 needed
         near miss: sync came, answered 500 at 0.020 s
      """, [.start(1, "/sync", 10), .answer(1, 500, 20)]),
    Message(
      "at most 1 mutation per key",
      """
      app.contract:7: BROKEN  at most 1 mutation per key
            0.010 s  no key  POST /mutation starts  has no header."X-User", so the rule cannot tell whose it is
         no key: header."X-User" is missing
         nothing else matters: 1 of 4 events
      """, [.start(1, "/mutation", 10, seq: 1), .answer(1, 200, 15)]),
    Message(
      "when splash v = 3:\n  no home",
      """
      app.contract:8: BROKEN  no home
            0.010 s  home            <- is not allowed
            0.020 s  splash  {v: 3}  makes the rule apply
         nothing else matters: 2 of 3 events
         1 home came, none allowed
      """, [.mark("home", 10), .flag("splash", 3, 20)]),
  ]

  @Test(arguments: messages) func `a message tells the whole story`(message: Message) throws {
    let contract = try Contract(parsing: Self.header + message.rule + "\n", file: "app.contract")
    #expect(TextReport(contract.verification(of: message.trace)).failures == message.text)
  }
}
