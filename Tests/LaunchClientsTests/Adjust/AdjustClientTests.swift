import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 1.3 and 1.5 on the virtual clock. Answers take 100 ms, Apple's token 70 ms.
@Suite struct AdjustClientTests {
  private func run(
    _ script: Script = Script(), status: ATTStatus = .authorized,
    _ body: @escaping @MainActor (AdjustClient, Recording) async throws -> Void = { _, _ in }
  ) throws -> Observed {
    try script.run { recording in
      var scenario = LaunchScenario.firstLaunch
      scenario.tracking = .decided(status)
      let client = AdjustClient(
        transport: recording, phone: Phone(scenario: scenario, marks: recording), marks: recording)
      client.onAttributionChange = { recording.mark("attributed \($0.campaign ?? "")") }
      client.initSDK(environment: .sandbox)
      client.initSDK(environment: .sandbox)
      try await body(client, recording)
      await client.settle()
    }
  }

  @Test func `the click is in flight at the same time as the session`() throws {
    let observed = try run()
    #expect(observed.calls == [.session, .click, .attribution])
    #expect(observed.calls(.session).map(\.at) == [.zero])
    #expect(observed.calls(.click).map(\.at) == [.milliseconds(70)])
    #expect(observed.times(of: "adjust init") == [.zero])
  }

  @Test func `the first session as it goes out`() throws {
    let session = try #require(try run().calls(.session).first)
    #expect(
      session.request.wireText == """
        POST https://consent.adjust.com/session
        Client-Sdk: ios5.6.2
        Authorization: Signature launchtape-sample
        Content-Type: application/x-www-form-urlencoded

        app_token=abcdefghijkl&bundle_id=com.example.launch&app_version=1&app_version_short=1.0&environment=sandbox\
        &device_type=iPhone&device_name=iPhone99%2C1&os_name=ios&os_version=18.0\
        &idfv=AAAAAAAA-0000-4000-8000-000000000001&idfa=11111111-2222-3333-4444-555555555555&att_status=3\
        &primary_dedupe_token=9c6b1f6e-52c7-4d0a-8f0e-3b6a7d1c2e40\
        &secondary_dedupe_token=e2d4a8f1-07b3-4c59-9a6d-51f0c3b7a922\
        &created_at=2026-11-30T06%3A20%3A45.000Z%2B0000&started_at=2026-11-30T06%3A20%3A45.000Z%2B0000\
        &installed_at=2026-11-30T06%3A18%3A02.000Z%2B0000&session_count=1&attribution_deeplink=1\
        &needs_response_details=1&foreground=1&enqueue_size=0&retry_count=0\
        &sent_at=2026-11-30T06%3A20%3A45.000Z%2B0000
        """)
    #expect(session.request.timeout == .seconds(60))
  }

  static let waits: [(milliseconds: Int64, seconds: Int64)] = [
    (0, 0), (900, 0), (1999, 1), (2000, 2), (3500, 3), (-5000, 0),
  ]

  @Test(arguments: waits) func `ask_in counts whole seconds`(milliseconds: Int64, seconds: Int64) throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a", "ask_in": .integer(milliseconds)])]
    let question = try #require(try run(script).calls(.attribution).first)
    #expect(question.at == .milliseconds(100) + .seconds(seconds))
    #expect(question.form["initiated_by"] == "backend")
  }

  @Test func `a longer wait that already runs stays`() throws {
    var script = Script()
    script[.session] = [Answer(["ask_in": 3000])]
    script[.click] = [Answer(["ask_in": 1000])]
    #expect(try run(script).calls(.attribution).map(\.at) == [.milliseconds(3100)])
    script[.click] = [Answer(["ask_in": 5000])]
    #expect(try run(script).calls(.attribution).map(\.at) == [.milliseconds(5170)])
  }

  @Test func `an answer may ask to be asked again`() throws {
    var script = Script()
    script[.attribution] = [Answer(["ask_in": 1000])] + script[.attribution]
    let observed = try run(script)
    #expect(observed.calls(.attribution).map(\.at) == [.milliseconds(3100), .milliseconds(4200)])
    #expect(observed.times(of: "attributed  Autumn ") == [.milliseconds(4300)])
  }

  @Test func `without ask_in the sdk asks at once, on its own account`() throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a"])]
    let question = try #require(try run(script).calls(.attribution).first)
    #expect(question.at == .milliseconds(100))
    #expect(question.form["initiated_by"] == "sdk")
  }

  @Test func `an attribution in the session's answer needs no question`() throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a", "attribution": ["campaign": "c"]])]
    let observed = try run(script) { client, _ in
      try await Task.sleep(for: .seconds(1))
      #expect(client.knownAttribution?.campaign == "c")
    }
    #expect(observed.calls == [.session, .click])
  }

  @Test func `the adid is nil until it is there`() throws {
    _ = try run { client, _ in
      try await Task.sleep(for: .milliseconds(99))
      #expect(client.knownAdid == nil)
      #expect(try await client.adid() == nil)
      try await Task.sleep(for: .milliseconds(2))
      #expect(client.knownAdid == Script.adid)
      #expect(try await client.adid() == Script.adid)
    }
  }

  @Test func `any json body ends the session, 429 and other bodies do not`() throws {
    for (answer, adid) in [
      (Answer(["adid": "a"], status: 500), "a"), (Answer(["adid": "a"], status: 429), nil),
      (Answer(head: ResponseHead(status: 200), body: Array("<html>".utf8)), nil), (Answer([], status: 200), nil),
    ] as [(Answer, String?)] {
      var script = Script()
      script[.session] = [answer]
      script[.click] = [Answer(["message": "ok"])]
      script[.attribution] = script[.click]
      let observed = try run(script) { client, _ in
        try await Task.sleep(for: .seconds(1))
        #expect(client.knownAdid == adid)
      }
      #expect(observed.calls(.attribution).count == (adid == nil ? 0 : 1))
    }
  }

  @Test func `an opted-out device sends nothing more`() throws {
    var script = Script()
    script[.session] = [Answer(["tracking_state": "opted_out", "ask_in": 1000], after: .milliseconds(50))]
    #expect(try run(script).calls == [.session])
  }

  @Test func `an attribution that is the same is no change`() throws {
    var script = Script()
    script[.session] = [Answer(["attribution": ["campaign": "c", "cost_amount": 1]])]
    script[.click] = script[.session]
    #expect(try run(script).times(of: "attributed c") == [.milliseconds(100)])
    script[.click] = [Answer(["attribution": ["campaign": "c", "cost_amount": .number("1.5")]])]
    #expect(try run(script).times(of: "attributed c") == [.milliseconds(100), .milliseconds(170)])
  }

  @Test func `answers to information tell nothing about the device`() throws {
    var script = Script()
    script[.session] = [Answer(["ask_in": 100_000])]
    script[.click] = [Answer(["message": "ok"])]
    script[.info] = [Answer(["adid": "no", "ask_in": 0, "attribution": ["campaign": "no"]])]
    let observed = try run(script) { client, _ in
      client.setPushToken("ab")
      try await sleep(.seconds(2))
      #expect(client.knownAdid == nil && client.knownAttribution == nil)
      client.stop()
    }
    #expect(observed.calls == [.session, .click, .info])
  }

  @Test func `conversions and remote triggers reach the app, and the server hears that they would`() throws {
    var script = Script()
    script[.session] = [Answer(["skadn_conv_value": 6, "remote_triggers": [["label": "l", "payload": [1]]]])]
    let observed = try script.run { recording in
      let client = AdjustLaunches(recording).client()
      client.onConversion = { recording.mark("conversion \($0.value)") }
      client.onRemoteTrigger = { recording.mark("trigger \($0.label) \($0.payload)") }
      client.initSDK(environment: .sandbox)
      await client.settle()
    }
    #expect(observed.times(of: "conversion 6") == [.milliseconds(100)])
    #expect(observed.marks.contains { $0.mark.name.hasPrefix("trigger l") })
    #expect(observed.calls(.session).map { $0.form["ff_remote_triggers_callback"] } == ["1"])
  }

  @Test func `control parameters come back with what is sent next, in later launches too`() throws {
    var script = Script()
    script[.session] = [Answer(["control_params": ["k": "v"]])]
    let observed = try script.run { recording in
      let launches = AdjustLaunches(recording)
      await launches.launch().settle()
      let client = launches.launch()
      client.setPushToken("ab")
      await client.settle()
    }
    #expect(observed.calls(.session).map { $0.form["control_params"] } == [nil])
    #expect(observed.calls(.attribution).map { $0.form["control_params"] } == [#"{"k":"v"}"#])
    #expect(observed.calls(.info).map { $0.form["control_params"] } == [#"{"k":"v"}"#])
  }

  @Test func `a deferred deep link is offered and the refusal marked`() throws {
    var script = Script()
    script[.session] = [Answer(["deeplink": "app://x"])]
    let observed = try run(script) { client, recording in
      client.onDeferredDeeplink = { link in
        recording.mark("offered \(link)")
        return false
      }
    }
    #expect(observed.times(of: "offered app://x") == [.milliseconds(100)])
    #expect(observed.marks.first { $0.mark.name == "deep link" }?.mark.fields == ["opened": false])
  }

  @Test(arguments: [(ATTStatus.authorized, "consent.adjust.com"), (.denied, "analytics.adjust.com")])
  func `the host follows the status`(status: ATTStatus, host: String) throws {
    let observed = try run(status: status)
    for kind in [VendorCallKind.session, .click, .attribution] {
      #expect(observed.calls(kind).map(\.request.location.host) == [host])
    }
  }
}
