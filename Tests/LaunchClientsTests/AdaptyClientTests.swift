import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 2.3 to 2.5 on the virtual clock. Answers take 100 ms, Apple's token 70 ms: the profile exists at 200 ms.
@Suite struct AdaptyClientTests {
  private func run(
    _ script: Script = Script(), tracking: LaunchScenario.Tracking = .prompt(.denied, after: .seconds(7)),
    _ body: @escaping @MainActor (AdaptyClient, Phone) async throws -> Void = { _, _ in }
  ) throws -> Observed {
    try script.run { recording in
      var scenario = LaunchScenario.firstLaunch
      scenario.tracking = tracking
      scenario.activeAfter = .zero
      let phone = Phone(scenario: scenario, marks: recording)
      try await phone.becomeActive()
      let client = AdaptyClient(transport: recording, publicKey: "public.0", phone: phone, marks: recording)
      client.delegate = { recording.mark("profile \($0.timestamp)") }
      await client.activate()
      await client.activate()
      try await body(client, phone)
      await client.settle()
    }
  }

  @Test func `configuration, profile, then the rest side by side`() throws {
    let observed = try run()
    #expect(observed.calls == [.netConfig, .createProfile, .products, .events, .appleAds, .events])
    #expect(observed.calls(.createProfile).map(\.at) == [.milliseconds(100)])
    #expect(observed.calls(.products).map(\.at) == [.milliseconds(200)])
    #expect(observed.calls(.appleAds).map(\.at) == [.milliseconds(270)])
    #expect(observed.times(of: "adapty activate") == [.zero])
  }

  @Test func `batches of events are one second apart, and name the token`() throws {
    let batches = try run().calls(.events)
    #expect(batches.map(\.at) == [.milliseconds(200), .milliseconds(1300)])
    let events = batches.compactMap { $0.body["data"]?["attributes"]?["events"]?[0] }
    #expect(events.map { $0["event_name"] } == ["app_opened", "fetch_asa_token"])
    #expect(events.last?["token"] == .string(Device.sample.adServicesToken))
    #expect(Set(events.map { $0["event_id"]?.string }).count == 2)
  }

  @Test func `a batch that fails is kept, and leaves 20 s later with what has come since`() throws {
    var script = Script()
    script[.events] = [Answer(.null, status: 500), Answer(["data": [:]])]
    let batches = try run(script) { _, _ in try await Task.sleep(for: .seconds(1)) }.calls(.events)
    #expect(batches.map(\.at) == [.milliseconds(200), .milliseconds(20_300)])
    let names = batches.map { $0.body["data"]?["attributes"]?["events"]?.array?.map { $0["event_name"] } }
    #expect(names == [["app_opened"], ["app_opened", "fetch_asa_token"]])
    let ids = batches.map { $0.body["data"]?["attributes"]?["events"]?[0]?["event_id"] }
    #expect(ids.first == ids.last)
  }

  /// A refused connection takes 50 ms, so tries are due at 0.2, 20.25, 40.3 s and so on. From 0 s on the second of two
  /// tries is that of the event at 0.27 s, and Apple's token ends last.
  static let settlings: [(at: Int, tries: Int, end: Int)] = [
    (0, 2, 370), (1, 2, 20_300), (20, 2, 20_300), (50, 4, 60_400),
  ]

  @Test(arguments: settlings) func `settling waits for one more failure of the events`(
    at seconds: Int, tries: Int, end: Int
  ) throws {
    var script = Script()
    script.cut(.events)
    let observed = try run(script) { _, _ in try await Task.sleep(for: .seconds(seconds)) }
    #expect(observed.calls(.events).count == tries)
    #expect(observed.events.last?.at == .zero + .milliseconds(end))
  }

  @Test func `event ids have the form of a UUID`() throws {
    let id = try run().calls(.events).first?.body["data"]?["attributes"]?["events"]?[0]?["event_id"]?.string
    #expect(id?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
  }

  @Test func `blacklisted events stay`() throws {
    var script = Script()
    script[.netConfig] = [Answer(["data": ["event_blacklist": ["fetch_asa_token"]]])]
    #expect(try run(script).calls(.events).count == 1)
  }

  @Test func `the profile is created even without a configuration`() throws {
    var script = Script()
    script.cut(.netConfig)
    #expect(try run(script).calls(.createProfile).map(\.at) == [.milliseconds(50)])
  }

  @Test func `the delegate hears each new profile`() throws {
    let observed = try run()
    #expect(observed.times(of: "profile 1") == [.milliseconds(200)])
    #expect(observed.times(of: "profile 2") == [.milliseconds(370)])
  }

  @Test func `the same hash as sent is nothing new`() throws {
    var script = Script()
    let answer = Script.profile(timestamp: 1, sources: [])
    script[.createProfile] = [Answer(answer, fields: ["X-Response-Hash": "h1"])]
    script[.appleAds] = [Answer(answer, fields: ["x-response-hash": "h1"])]
    let observed = try run(script)
    #expect(observed.times(of: "profile 1").count == 1)
    #expect(observed.calls(.appleAds).map { $0.request.fields["adapty-sdk-previous-response-hash"] } == ["h1"])
  }

  @Test func `an older profile is not stored, and the delegate gets the stored one`() throws {
    var script = Script()
    script[.createProfile] = [Answer(Script.profile(timestamp: 5, sources: []))]
    let observed = try run(script) { client, _ in
      try await Task.sleep(for: .seconds(1))
      #expect(client.profile?.timestamp == 5)
    }
    #expect(observed.times(of: "profile 5").count == 2)
  }

  @Test func `the answer to the prompt is sent with the next check, every 5 s`() throws {
    let observed = try run { _, phone in _ = try await phone.requestTracking() }
    let update = try #require(observed.calls(.updateProfile).first)
    #expect(update.at == .milliseconds(10_200))
    #expect(update.body["data"]?["attributes"]?["att_status"] == 2)
  }

  @Test func `a status that was known is not reported again`() throws {
    let observed = try run(tracking: .decided(.restricted))
    #expect(observed.calls(.updateProfile).isEmpty)
    let attributes = observed.calls(.createProfile).first?.body["data"]?["attributes"]
    #expect(attributes?["att_status"] == 1)
  }

  @Test func `a paywall waits for the profile and carries its newest segment`() throws {
    var script = Script()
    script[.createProfile] = [Answer(Script.profile(timestamp: 1, sources: [], segment: "seg-9"))]
    let observed = try run(script) { client, _ in
      let paywall = try await client.getPaywall(placement: "onboarding")
      #expect(paywall.variation == "segment")
    }
    let call = try #require(observed.calls(.segmented).first)
    #expect(call.at == .milliseconds(200))
    #expect(call.request.fields["adapty-profile-segment-hash"] == "seg-9")
  }

  @Test func `without a profile there is no segmented paywall`() throws {
    var script = Script()
    script.cut(.createProfile)
    let observed = try run(script) { client, _ in
      await #expect(throws: ClientError.missing("create profile")) {
        try await client.getPaywall(placement: "onboarding")
      }
    }
    #expect(observed.calls == [.netConfig, .createProfile])
  }

  @Test func `nothing is asked before activate`() throws {
    let observed = try Script().run { recording in
      let client = AdaptyClient(transport: recording, publicKey: "public.0", phone: Phone())
      await #expect(throws: ClientError.missing("activate")) { try await client.getPaywall(placement: "onboarding") }
    }
    #expect(observed.calls.isEmpty)
  }

  /// The rule of vendors.md 2.3, computed elsewhere: the last 8 bytes of md5("v1-{profile id}") modulo 100 are 90.
  static let draws: [(weights: [(String, Int64)], variation: String)] = [
    ([("a", 100)], "a"),
    ([("b", 91), ("a", 9)], "b"),
    ([("b", 10), ("a", 90)], "a"),
    ([("a", 90), ("b", 90)], "b"),
    ([("a", 91), ("b", 91)], "a"),
    ([("a", 0), ("b", 100)], "b"),
    ([("a", -7), ("b", 100)], "b"),
    ([("a", 1), ("b", 1)], "b"),
  ]

  @Test(arguments: draws) func `the variation is drawn from the profile's id`(
    weights: [(String, Int64)], variation: String
  ) throws {
    var script = Script()
    script[.segmented] = [
      Answer([
        "meta": ["placement": ["developer_id": "p", "placement_audience_version_id": "v1"]],
        "data": .array(
          weights.map { ["attributes": ["variation_id": .string($0.0), "weight": .integer($0.1)]] }),
      ])
    ]
    _ = try run(script) { client, _ in
      let paywall = try await client.getPaywall(placement: "p")
      #expect(paywall.variation == variation)
    }
  }

  @Test(arguments: [JSON.null, ["data": []], ["meta": ["placement": ["developer_id": "p"]], "data": []]])
  func `an answer without a paywall is unreadable`(answer: JSON) throws {
    var script = Script()
    script[.segmented] = [Answer(answer)]
    _ = try run(script) { client, _ in
      await #expect(throws: ClientError.unreadable("segmented paywall")) {
        try await client.getPaywall(placement: "p")
      }
    }
  }
}
