import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// What happens while the app is used: vendors.md 2.3, 6, and 2.4.
@Suite struct AdaptyLifecycleTests {
  @Test func `the profile is asked for at the app's opening, and every 60 s after an answer`() throws {
    let observed = try AdaptyWorld().run { _, _ in try await Task.sleep(for: .seconds(130)) }
    #expect(observed.calls(.fetchProfile).map(\.at) == [200, 60_300, 120_400].milliseconds)
  }

  @Test func `an app that was opened before the activation is not noticed until 60 s later`() throws {
    var world = AdaptyWorld()
    world.isUsed = false
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(61)) }
    #expect(observed.calls(.fetchProfile).map(\.at) == [60_000].milliseconds)
    #expect(observed.calls(.events).flatMap(\.events) == ["apple_response_fetchASAToken"])
  }

  @Test func `after a failure it is asked for 10 s later`() throws {
    var world = AdaptyWorld()
    world.script[.fetchProfile] = [
      Answer(.null, status: 500), Answer(.null, status: 500), Answer(Script.profile(timestamp: 3, sources: [])),
    ]
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(81)) }
    #expect(observed.calls(.fetchProfile).map(\.at) == [200, 10_300, 20_400, 80_500].milliseconds)
  }

  @Test func `the app is opened once in 60 s`() throws {
    let observed = try AdaptyWorld().run { _, phone in
      for seconds in [59.999, 0.001, 30, 30] {
        try await Task.sleep(for: .seconds(seconds))
        try await phone.becomeActive()
      }
    }
    let opened = observed.calls(.events).filter { $0.events == ["app_opened"] }
    #expect(opened.map(\.at) == [200, 60_000, 120_000].milliseconds)
  }

  @Test func `batches of events are one second apart, and name the token`() throws {
    let batches = try AdaptyWorld().run().calls(.events)
    #expect(batches.map(\.at) == [200, 1300].milliseconds)
    #expect(batches.map(\.events) == [["app_opened"], ["apple_response_fetchASAToken"]])
    let event = try #require(batches.last?.attributes?["events"]?[0])
    #expect(
      event == [
        "event_id": event["event_id"] ?? .null, "profile_id": .string(Device.sample.adaptyProfileID),
        "session_id": .string(Device.sample.adaptySessionID), "created_at": "2026-11-30T06:20:45.270Z", "counter": 2,
        "platform": "iOS", "device_id": .string(Device.sample.adaptyInstallationID), "event_name": "system_log",
        "custom_data": .string(
          #"{"event_name":"apple_response_fetchASAToken","token":"\#(Device.sample.adServicesToken)","success":true}"#),
      ])
    #expect(event["event_id"]?.string?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
  }

  @Test func `a batch is one second behind the last even when the queue was empty between them`() throws {
    let observed = try AdaptyWorld().run { _, phone in
      try await Task.sleep(for: .milliseconds(60_000))
      try await phone.becomeActive()
    }
    #expect(observed.calls(.events).map(\.at) == [200, 1300, 60_000].milliseconds)
    var world = AdaptyWorld()
    world.scenario.adServicesAfter = .milliseconds(900)
    #expect(try world.run().calls(.events).map(\.at) == [200, 1300].milliseconds)
  }

  @Test func `a batch that fails is kept, and leaves 20 s later with what has come since`() throws {
    var world = AdaptyWorld()
    world.script[.events] = [Answer(.null, status: 500), Answer([:])]
    let batches = try world.run { _, _ in try await Task.sleep(for: .seconds(1)) }.calls(.events)
    #expect(batches.map(\.at) == [200, 20_300].milliseconds)
    #expect(batches.map(\.events) == [["app_opened"], ["app_opened", "apple_response_fetchASAToken"]])
    #expect(batches.first?.attributes?["events"]?[0] == batches.last?.attributes?["events"]?[0])
    #expect(world.store.entries(under: "adapty.event.").isEmpty)
  }

  /// A refused connection takes 50 ms, so tries are due at 0.2, 20.25, 40.3 s and so on. From 0 s on the second of two
  /// tries is that of the event at 0.27 s, and Apple's token ends last.
  static let settlings: [(at: Int, tries: Int, end: Int)] = [
    (0, 2, 370), (1, 2, 20_300), (20, 2, 20_300), (50, 4, 60_400),
  ]

  @Test(arguments: settlings) func `settling waits for one more failure of the events`(
    at seconds: Int, tries: Int, end: Int
  ) throws {
    var world = AdaptyWorld()
    world.script.cut(.events)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(seconds)) }
    #expect(observed.calls(.events).count == tries)
    #expect(observed.end == .milliseconds(end))
  }

  @Test func `blacklisted events stay and are forgotten, and so does the SDK's own log until it is wanted`() throws {
    var world = AdaptyWorld()
    world.script[.netConfig] = [Answer(Script.netConfig(["event_blacklist": ["app_opened"]]))]
    #expect(try world.run().calls(.events).map(\.events) == [["apple_response_fetchASAToken"]])
    #expect(world.store.entries(under: "adapty.event.").isEmpty)
    var unconfigured = AdaptyWorld()
    unconfigured.script.cut(.netConfig)
    #expect(try unconfigured.run().calls(.events).map(\.events) == [["app_opened"]])
  }

  @Test func `a batch has 500 events, and beyond 500 the oldest are lost`() throws {
    let world = AdaptyWorld()
    for number in 1...500 { world.store.set("adapty.event.\(number)", ["event_name": .string("e\(number)")]) }
    world.store.set("adapty.eventCount", 500)
    let batches = try world.run().calls(.events).map(\.events)
    #expect(batches.map(\.count) == [500, 1])
    #expect(batches.first?.first == "e2")
    #expect(batches.first?.last == "app_opened")
  }

  /// The user's answer, and when the profile carries the identifier: after the last check with the next minute's update.
  static let answers: [(ATTStatus, Duration, Duration?)] = [
    (.authorized, .seconds(7), .seconds(10)), (.authorized, .seconds(10), .seconds(10)),
    (.authorized, .milliseconds(10_001), .seconds(15)), (.authorized, .seconds(600), .seconds(600)),
    (.authorized, .milliseconds(600_001), .milliseconds(601_200)), (.denied, .seconds(7), nil),
    (.restricted, .seconds(7), nil),
  ]

  @Test(arguments: answers) func `it is looked every 5 s for 600 s whether tracking is allowed`(
    status: ATTStatus, after: Duration, update: Duration?
  ) throws {
    var world = AdaptyWorld()
    world.scenario.tracking = .prompt(status, after: after)
    let observed = try world.run { client, phone in
      _ = try await phone.requestTracking()
      try await Task.sleep(for: .seconds(6))
      await client.settle(until: .now)
      client.stop()
    }
    let updates = observed.calls(.updateProfile)
    #expect(updates.map(\.at) == (update.map { [$0] } ?? []))
    if update != nil {
      #expect(updates.first?.attributes?["installation_meta"]?["idfa"] == .string(Device.sample.idfa))
      #expect(updates.first?.attributes?["att_status"] == 3)
    }
  }

  @Test func `what is known from the start is not sent twice`() throws {
    var world = AdaptyWorld()
    world.scenario.tracking = .decided(.authorized)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(20)) }
    #expect(observed.calls(.updateProfile).isEmpty)
    #expect(observed.calls(.createProfile).first?.attributes?["installation_meta"]?["idfa"] != nil)
  }

  @Test func `settling waits for the report of an identifier that is already allowed`() throws {
    var world = AdaptyWorld()
    world.scenario.tracking = .prompt(.authorized, after: .seconds(7))
    let observed = try world.run { _, phone in _ = try await phone.requestTracking() }
    #expect(observed.calls(.updateProfile).map(\.at) == [10_000].milliseconds)
  }

  @Test func `an environment that could not be sent is sent with the next update`() throws {
    var world = AdaptyWorld()
    world.scenario.tracking = .prompt(.authorized, after: .seconds(7))
    world.script[.updateProfile] = [Answer(.null, status: 500), Answer(Script.profile(timestamp: 3, sources: []))]
    let observed = try world.run { _, phone in
      _ = try await phone.requestTracking()
      try await Task.sleep(for: .seconds(120))
    }
    #expect(observed.calls(.updateProfile).map(\.at) == [10_000, 60_300].milliseconds)
    #expect(observed.calls(.fetchProfile).map(\.at) == [200, 120_400].milliseconds)
  }
}
