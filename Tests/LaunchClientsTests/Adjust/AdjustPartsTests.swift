import LaunchClients
import LaunchHTTP
import LaunchJSON
import TestSupport
import Testing

/// The pure parts of Adjust's SDK, beside their sections of vendors.md.
@Suite struct AdjustPartsTests {
  @Test func `1.1 a round of hosts ends where it began`() {
    var hosts = AdjustHosts()
    #expect(hosts.host(for: .denied) == "analytics.adjust.com")
    let isAnotherLeft = hosts.moveOn()
    #expect(hosts.host(for: .authorized) == "consent.adjust.io")
    let isOneMoreLeft = hosts.moveOn()
    #expect(isAnotherLeft && !isOneMoreLeft)
    #expect(hosts.host(for: .denied) == "analytics.adjust.com")
  }

  @Test func `1.1 a host that answered stays, and the next round begins there`() {
    var hosts = AdjustHosts()
    _ = hosts.moveOn()
    hosts.keep()
    #expect(hosts.host(for: .authorized) == "consent.adjust.io")
    let isAnotherLeft = hosts.moveOn()
    #expect(hosts.host(for: .notDetermined) == "analytics.adjust.com")
    let isOneMoreLeft = hosts.moveOn()
    #expect(isAnotherLeft && !isOneMoreLeft)
  }

  static let beginnings: [(milliseconds: Int64, AdjustActivity.Beginning, session: Int64, subsession: Int64)] = [
    (0, .nothing, 1, 1), (1000, .nothing, 1, 1), (1001, .subsession, 1, 2), (1_800_000, .subsession, 1, 2),
    (1_800_001, .session, 2, 1), (.max, .session, 2, 1), (-1, .nothing, 1, 1), (.min, .nothing, 1, 1),
  ]

  @Test(arguments: beginnings)
  func `1.4 sessions are half an hour apart, sub-sessions a second`(
    milliseconds: Int64, beginning: AdjustActivity.Beginning, session: Int64, subsession: Int64
  ) {
    var activity = AdjustActivity(at: WallTime(milliseconds: 0), trackingStatus: .denied)
    activity.counted(at: WallTime(milliseconds: 0))
    #expect(activity.begin(at: WallTime(milliseconds: milliseconds)) == beginning)
    #expect(activity.sessionCount == session)
    #expect(activity.subsessionCount == subsession)
    #expect(AdjustActivity(activity.json) == activity)
  }

  @Test func `1.4 what is noted too late counts no time`() {
    var activity = AdjustActivity(at: WallTime(milliseconds: 0), trackingStatus: .denied)
    activity.counted(at: WallTime(milliseconds: 0))
    activity.note(at: WallTime(milliseconds: 1_800_001))
    #expect(activity.timeSpent == 0 && activity.lastActivity == WallTime(milliseconds: 0))
    activity.note(at: WallTime(milliseconds: 1_800_000))
    #expect(activity.timeSpent == 1_800_000 && activity.sessionLength == 1_800_000)
  }

  @Test(arguments: [
    "null", "1", "[]", "{}", #"{"last_activity":"x"}"#,
    #"{"last_activity":-9223372036854775808,"session_count":9223372036854775807,"session_length":9223372036854775807,"#
      + #""time_spent":-9223372036854775808,"subsession_count":9223372036854775807,"att_status":999999,"asking":3}"#,
  ])
  func `a damaged activity never traps`(text: String) throws {
    guard var activity = AdjustActivity(try JSON(parsing: text)) else { return }
    for milliseconds in [Int64.max, .min, 0, 1500] {
      _ = activity.begin(at: WallTime(milliseconds: milliseconds))
      activity.note(at: WallTime(milliseconds: milliseconds))
      let moment = AdjustForms.Moment(
        status: .denied, now: WallTime(milliseconds: milliseconds), started: WallTime(milliseconds: .min))
      let forms = AdjustForms(
        appToken: "a", configuration: AdjustConfiguration(environment: .sandbox), device: .sample)
      #expect(forms.session(activity, at: moment).form["session_count"] != nil)
    }
  }

  @Test func `1.5 a package waits 120 s, an install's session 0.2 s, doubling, half of it left to chance`() throws {
    for (kind, isTracked, first, limit) in [
      (AdjustPackage.Kind.session, false, 0.2, 3600.0), (.session, true, 120, 86_400), (.info, false, 120, 86_400),
    ] {
      var (chance, same) = (Chance(seed: 9), Chance(seed: 9))
      var queue = AdjustQueue([AdjustPackage(kind, [:])])
      for number in 0..<24 {
        let head = try #require(queue.head)
        let wait = queue.fail(head, retryIn: nil, isInstallTracked: isTracked, at: .now, using: &chance)
        let full = Duration.seconds(min(first * Double(1 << number), limit))
        #expect(wait >= full * 0.5 && wait <= full, "\(kind) \(number)")
        #expect(wait == full * Double.random(in: 0.5...1, using: &same), "\(kind) \(number)")
      }
    }
  }

  @Test func `1.5 a package that comes while the head waits, waits the rest`() throws {
    var chance = Chance(seed: 1)
    let start = ContinuousClock.now
    var queue = AdjustQueue([AdjustPackage(.session, [:])])
    let head = try #require(queue.head)
    _ = queue.fail(head, retryIn: .seconds(10), isInstallTracked: true, at: start, using: &chance)
    queue.add(AdjustPackage(.info, [:]), at: start + .seconds(4))
    queue.headWaited(.seconds(10))
    queue.succeed()
    #expect(queue.sendingFields == ["retry_count": "0", "wait_total": "10.00", "wait_time": "6.00"])
    queue.succeed()
    queue.add(AdjustPackage(.info, [:]), at: start + .seconds(20))
    #expect(queue.sendingFields == ["retry_count": "0"])
  }

  @Test func `a package comes back from the store as it was`() {
    var package = AdjustPackage(.click, ["a": "ä&=+ %", "b": "", "a": "2"])
    for code in [nil, -1001, -999] as [Int64?] { package.addError(code) }
    package.waited = .milliseconds(61_234)
    #expect(AdjustPackage(package.json) == package)
  }

  @Test(arguments: [
    "null", "{}", #"{"kind":"session"}"#, #"{"kind":"party","form":""}"#, #"{"kind":1,"form":"a=b"}"#,
    #"{"kind":"info","form":"a=b"}"#,
  ])
  func `what is no package is none`(text: String) throws { #expect(AdjustPackage(try JSON(parsing: text)) == nil) }

  @Test func `a package that failed without end still counts`() throws {
    let json = #"{"kind":"sdk_info","form":"a=b","errors":9223372036854775807,"waited":9223372036854775807}"#
    var package = try #require(AdjustPackage(try JSON(parsing: json)))
    package.addError(-1)
    var queue = AdjustQueue([package])
    var chance = Chance(seed: 1)
    _ = queue.fail(package, retryIn: nil, isInstallTracked: true, at: .now, using: &chance)
    queue.headWaited(.seconds(86_400))
    #expect(queue.sendingFields["retry_count"] == "9223372036854775807")
    #expect(queue.sendingFields["wait_time"] != nil)
  }

  // vendors.md 1.3 A and 1.5
  static let delays: [(json: String, askIn: Duration?, retryIn: Duration?)] = [
    (#"{"ask_in":1999,"retry_in":1999}"#, .seconds(1), .milliseconds(1999)),
    (#"{"ask_in":900,"retry_in":0}"#, .zero, .zero), (#"{"ask_in":-5000,"retry_in":-1}"#, .zero, .zero),
    (#"{"ask_in":2000.9,"retry_in":1e3}"#, .seconds(2), .seconds(1)),
    (#"{"ask_in":9223372036854775807,"retry_in":1e999}"#, .seconds(2_147_483), .milliseconds(2_147_483_647)),
    (#"{"ask_in":99999999999999999999999,"retry_in":-1e999}"#, .seconds(2_147_483), .zero),
    (#"{"ask_in":"2000","retry_in":null}"#, nil, nil), (#"{"ask_in":[1],"retry_in":{"a":1}}"#, nil, nil),
    (#"{"ask_in":true}"#, nil, nil), ("{}", nil, nil),
  ]

  @Test(arguments: delays) func `delays are read`(json: String, askIn: Duration?, retryIn: Duration?) throws {
    let answer = try #require(AdjustAnswer(Response(head: ResponseHead(status: 200), body: Array(json.utf8))))
    #expect(answer.askIn == askIn)
    #expect(answer.retryIn == retryIn)
  }

  static let answers: [(status: Int, body: String, isAnswer: Bool, isSuccess: Bool)] = [
    (200, "{}", true, true), (201, "{}", true, false), (400, #"{"error":"x"}"#, true, false), (404, "{}", true, false),
    (500, "{}", true, false), (429, "{}", false, false), (200, "", false, false), (200, "<html>", false, false),
    (200, "[]", false, false), (200, "null", false, false), (200, "{", false, false), (204, "", false, false),
  ]

  @Test(arguments: answers)
  func `1.5 any JSON object is an answer, only 200 a success, 429 nothing at all`(
    status: Int, body: String, isAnswer: Bool, isSuccess: Bool
  ) {
    let answer = AdjustAnswer(Response(head: ResponseHead(status: status), body: Array(body.utf8)))
    #expect((answer != nil) == isAnswer)
    #expect(answer?.isSuccess ?? false == isSuccess)
  }

  private static let full = """
    {"adid":"a","ask_in":1000,"continue_in":5,"retry_in":7,"message":"m","tracking_state":"opted_out",\
    "deeplink":"x://y",\
    "attribution":{"network":"n","cost_amount":1.5,"deeplink":"z://"},"control_params":{"k":"v"},"skadn_conv_value":3,\
    "skadn_coarse_value":"low","skadn_lock_window":true,"remote_triggers":[{"label":"l","payload":{"a":1}},{"label":1}]}
    """

  @Test func `1.3 A everything is read`() throws {
    let answer = try #require(AdjustAnswer(Response(head: ResponseHead(status: 200), body: Array(Self.full.utf8))))
    #expect(answer.adid == "a" && answer.isOptedOut && answer.deeplink == "x://y")
    #expect(answer.continueIn == .milliseconds(5))
    #expect(answer.attribution?["network"] == "n")
    #expect(answer.controlParameters == ["k": "v"])
    #expect(answer.conversion?.value == 3 && answer.conversion?.coarseValue == "low")
    #expect(answer.conversion?.locksWindow == true)
    #expect(answer.triggers.map(\.label) == ["l"])
    #expect(answer.triggers.first?.payload == ["a": 1])
  }

  @Test func `an answer cut or damaged anywhere never traps`() {
    let whole = Array(Self.full.utf8)
    for count in whole.indices {
      #expect(AdjustAnswer(Response(head: ResponseHead(status: 200), body: Array(whole[..<count]))) == nil)
    }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      _ = AdjustAnswer(Response(head: ResponseHead(status: 200), body: bytes))
    }
  }
}
