import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

@Suite struct AdjustSandboxTests {
  static let adid = "ADID"

  // vendors.md 1.3 A
  @Test func `the first session creates the device and says when to ask for the attribution`() throws {
    var sandbox = AdjustSandbox()
    let answer = try sandbox.respond(to: Adjust.post("/session"))
    #expect(
      answer.summary
        == """
        200 {"adid":"ADID","timestamp":"2026-01-02T03:04:05.690Z+0000","message":"Install tracked","ask_in":2000}
        """.with(answer))
  }

  @Test func `a later session carries the attribution`() throws {
    var sandbox = AdjustSandbox()
    let first = try sandbox.respond(to: Adjust.post("/session"))
    // One that is sent again, because its answer was lost, is the same session.
    #expect(try sandbox.respond(to: Adjust.post("/session", ["retry_count": "1"])).json == first.json)
    let later: FormPairs = ["created_at": "2026-01-02T04:04:05.678Z+0000", "session_count": "2"]
    let answer = try sandbox.respond(to: Adjust.post("/session", later))
    #expect(answer.json?["ask_in"] == nil)
    #expect(answer.json?["message"] == "Session tracked")
    #expect(answer.json?["attribution"] == .object(AdjustSandbox.autumnLaunch))
  }

  // vendors.md 1.3 B
  @Test func `the attribution is put off once and then there`() throws {
    var sandbox = AdjustSandbox()
    _ = try sandbox.respond(to: Adjust.post("/session"))
    let first = try sandbox.respond(to: Adjust.attribution())
    #expect(
      first.summary
        == """
        200 {"adid":"ADID","timestamp":"2026-01-02T03:04:05.690Z+0000","message":"Attribution not ready","ask_in":1000}
        """.with(first))
    let second = try sandbox.respond(to: Adjust.attribution())
    #expect(
      second.summary
        == """
        200 {"adid":"ADID","timestamp":"2026-01-02T03:04:05.690Z+0000","message":"Attribution found",\
        "attribution":{"tracker_token":"q4w8e2r","tracker_name":"Apple Ads::Autumn launch::Search",\
        "network":"Apple Ads","campaign":"Autumn launch","adgroup":"Search","creative":"Headline A",\
        "click_label":"launchtape"}}
        """.with(second))
    let withCost = try sandbox.respond(to: Adjust.attribution(["needs_cost": "1"]))
    #expect(withCost.json?["attribution"] == .object(AdjustSandbox.autumnLaunch))
  }

  @Test func `without ask_in the first session carries the attribution`() throws {
    var sandbox = AdjustSandbox(askIn: [])
    let answer = try sandbox.respond(to: Adjust.post("/session"))
    #expect(answer.json?["attribution"]?["campaign"] == "Autumn launch")
    #expect(answer.json?["ask_in"] == nil)
  }

  @Test func `an unexplained install ends without an attribution`() throws {
    var sandbox = AdjustSandbox(askIn: [.milliseconds(10)], attribution: nil)
    _ = try sandbox.respond(to: Adjust.post("/session"))
    let answer = try sandbox.respond(to: Adjust.attribution())
    #expect(answer.json?["message"] == "No attribution")
    #expect(answer.json?["attribution"] == nil)
  }

  // vendors.md 1.3 C and D
  static let messages: [(String, FormPairs, String)] = [
    ("/sdk_click", ["source": "apple_ads", "attribution_token": "token"], "Click tracked"),
    ("/sdk_click", ["source": "apple_ads", "error_code": "3"], "Click tracked"),
    ("/sdk_click", ["source": "deeplink"], "Click tracked"),
    ("/sdk_info", ["source": "att"], "Information tracked"),
    ("/sdk_info", ["source": "push", "push_token": "ab12"], "Information tracked"),
  ]

  @Test(arguments: messages)
  func `clicks and information name the same device`(_ path: String, _ form: FormPairs, _ message: String) throws {
    var sandbox = AdjustSandbox()
    let answer = try sandbox.respond(to: Adjust.post(path, form))
    #expect(
      answer.summary
        == """
        200 {"adid":"ADID","timestamp":"2026-01-02T03:04:05.690Z+0000","message":"\(message)"}
        """.with(answer))
    #expect(try sandbox.respond(to: Adjust.post("/session")).json?["adid"] == answer.json?["adid"])
  }

  @Test func `the adid depends on app and device alone`() throws {
    func adid(_ form: FormPairs) throws -> String? {
      var sandbox = AdjustSandbox()
      return try sandbox.respond(to: Adjust.post("/session", form)).json?["adid"]?.string
    }
    let adids = [try adid([:]), try adid(["idfv": "BBBB"]), try adid(["app_token": "bcdefghijklm"])]
    #expect(Set(adids).count == 3)
    #expect(try adid(["session_count": "2"]) == adids[0])
    #expect(adids.allSatisfy { $0?.utf8.count == 32 })
  }

  // vendors.md 1.1, 1.2
  static let refusals: [(String, FormPairs, String, String)] = [
    (
      "/session", ["app_token": ""], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"app_token is missing"}"#
    ),
    (
      "/session", ["environment": "test"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"environment has to be sandbox or production, not test"}"#
    ),
    (
      "/session", ["att_status": "4"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"att_status has to be 0, 1, 2 or 3"}"#
    ),
    (
      "/session", ["att_status": ""], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"att_status has to be 0, 1, 2 or 3"}"#
    ),
    (
      "/session", ["att_status": "2"], "consent.adjust.com",
      #"400 {"error":"wrong_host","message":"att_status 2 does not belong on consent.adjust.com"}"#
    ),
    (
      "/session", [:], "analytics.adjust.io",
      #"400 {"error":"wrong_host","message":"att_status 3 does not belong on analytics.adjust.io"}"#
    ),
    (
      "/session", ["idfv": "", "idfa": ""], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"nothing identifies the device: idfv is missing"}"#
    ),
    ("/sdk_click", [:], "consent.adjust.com", #"400 {"error":"invalid_request","message":"source is missing"}"#),
    (
      "/sdk_click", ["source": "apple_ads"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"an apple_ads click needs attribution_token or error_code"}"#
    ),
    (
      "/sdk_info", ["source": "sun"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"source has to be att or push, not sun"}"#
    ),
    (
      "/sdk_info", ["source": "push"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"push_token is missing"}"#
    ),
    (
      "/session", ["att_status": "2"], "analytics.adjust.com",
      #"400 {"error":"invalid_request","message":"idfa has no place beside att_status 2"}"#
    ),
    (
      "/session", ["app_token": "abc"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"app_token has to have 12 characters"}"#
    ),
    (
      "/session", ["started_at": ""], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"started_at is missing"}"#
    ),
    (
      "/session", ["created_at": "2026-01-02T03:04:05Z"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"created_at has to look like 2026-01-02T03:04:05.678Z+0000"}"#
    ),
    (
      "/session", ["time_spent": "-1"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"time_spent has to be a whole number from 0"}"#
    ),
    (
      "/session", ["foreground": "yes"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"foreground has to be 0 or 1"}"#
    ),
    (
      "/session", ["callback_params": "a=b"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"callback_params has to be a JSON object"}"#
    ),
    (
      "/sdk_click", ["source": "x"], "consent.adjust.com",
      #"400 {"error":"invalid_request","message":"source has to be apple_ads, deeplink, linkme or google_odm, not x"}"#
    ),
    (
      "/sessions", [:], "consent.adjust.com",
      #"404 {"error":"not_found","message":"consent.adjust.com has nothing at /sessions"}"#
    ),
    (
      "/session/", [:], "consent.adjust.com",
      #"404 {"error":"not_found","message":"consent.adjust.com has nothing at /session/"}"#
    ),
    (
      "/attribution", [:], "consent.adjust.com",
      #"405 {"error":"method_not_allowed","message":"POST is not a method of /attribution"}"#
    ),
    (
      "/session", [:], "gdpr.adjust.com",
      #"421 {"error":"misdirected_request","message":"no stand-in answers for host gdpr.adjust.com"}"#
    ),
  ]

  @Test(arguments: refusals)
  func `a wrong request is refused`(_ path: String, _ form: FormPairs, _ host: String, _ summary: String) throws {
    var sandbox = AdjustSandbox()
    #expect(try sandbox.respond(to: Adjust.post(path, form, host: host)).summary == summary)
  }

  @Test func `an unsigned request, another content type and an early question are refused`() throws {
    var sandbox = AdjustSandbox()
    var request = try Adjust.post("/session")
    request.fields["Authorization"] = nil
    #expect(sandbox.respond(to: request).status == 401)
    request = try Adjust.post("/session")
    request.fields["Client-Sdk"] = "android5.0.0"
    #expect(
      sandbox.respond(to: request).summary
        == #"400 {"error":"invalid_request","message":"Client-Sdk has to name the SDK, such as ios5.6.2"}"#)
    request.fields["Client-Sdk"] = "flutter5.6.0@ios5.6.2"
    #expect(sandbox.respond(to: request).status == 200)
    request.fields["Content-Type"] = "application/json"
    #expect(sandbox.respond(to: request).status == 415)
    sandbox = AdjustSandbox()
    #expect(
      try sandbox.respond(to: Adjust.attribution()).summary
        == #"404 {"error":"device_not_found","message":"no session of this device is known"}"#)
    _ = try sandbox.respond(to: Adjust.post("/session"))
    #expect(try sandbox.respond(to: Adjust.attribution(["initiated_by": "me"])).status == 400)
  }

  @Test func `an empty value and a name that comes twice are refused`() throws {
    for (extra, message) in [("&push_token=", "push_token is missing"), ("&os_name=ios", "os_name is there twice")] {
      var sandbox = AdjustSandbox()
      var request = try Adjust.post("/session")
      request.body = Body(request.body.bytes + Array(extra.utf8))
      #expect(
        sandbox.respond(to: request).summary == #"400 {"error":"invalid_request","message":"\#(message)"}"#)
    }
  }

  @Test func `a session's answer carries what it is told to`() throws {
    var sandbox = AdjustSandbox(askIn: [])
    sandbox.sessionMembers = ["tracking_state": "opted_out", "control_params": ["k": "v"]]
    let answer = try sandbox.respond(to: Adjust.post("/session")).json
    #expect(answer?["tracking_state"] == "opted_out")
    #expect(answer?["control_params"]?["k"] == "v")
  }

  // vendors.md 1.2, option 2
  @Test func `a server's session needs its token, and names the same device`() throws {
    var sandbox = AdjustSandbox()
    func server(_ more: FormPairs = [:], authorization: String = "Bearer token") throws -> Answer {
      let form: FormPairs = [
        "s2s": "1", "app_token": "abcdefghijkl", "environment": "sandbox", "os_name": "ios",
        "idfv": "AAAAAAAA-0000-4000-8000-000000000001",
      ]
      let fields: Fields = ["Authorization": authorization, "Content-Type": FormPairs.contentType]
      return try sandbox.respond(
        to: Request("POST", "https://s2s.adjust.com/session", fields, body: form.with(more).serialized))
    }
    let adid = try server().json?["adid"]
    #expect(adid != nil)
    #expect(try sandbox.respond(to: Adjust.post("/session")).json?["adid"] == adid)
    #expect(
      try server(authorization: "Signature x").summary
        == #"401 {"error":"unauthorized","message":"Authorization has to be Bearer and a token"}"#)
    #expect(try server(["s2s": "0"]).summary == #"400 {"error":"invalid_request","message":"s2s has to be 1"}"#)
    #expect(try server(["idfv": ""]).status == 400)
  }

  @Test func `devices without consent and old systems have their hosts`() throws {
    var sandbox = AdjustSandbox()
    let denied = try Adjust.post("/session", ["att_status": "2", "idfa": ""], host: "analytics.adjust.com")
    #expect(sandbox.respond(to: denied).status == 200)
    #expect(
      try sandbox.respond(to: Adjust.post("/session", ["att_status": "", "tracking_enabled": "0"])).status == 200)
  }
}

extension String {
  /// This expectation with the adid that the answer invented; its shape is checked elsewhere.
  fileprivate func with(_ answer: Answer) -> String {
    let adid = answer.json?["adid"]?.string ?? "no adid"
    return split(separator: "ADID", omittingEmptySubsequences: false).joined(separator: adid)
  }
}
