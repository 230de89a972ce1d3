import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// A first launch on the virtual clock: vendors.md 2.3 and 2.5.
@Suite struct AdaptyClientTests {
  @Test func `configuration and address, profile and products, then the rest side by side`() throws {
    var world = AdaptyWorld()
    world.configuration.collectsAddress = true
    let observed = try world.run()
    #expect(
      observed.calls == [
        .netConfig, .ipLookup, .createProfile, .products, .events, .fetchProfile, .updateProfile, .appleAds, .events,
      ])
    #expect(observed.starts == [0, 0, 100, 100, 200, 200, 200, 270, 1300].milliseconds)
    #expect(observed.times(of: "adapty activate") == [.zero])
    #expect(observed.calls(.updateProfile).map(\.attributes) == [["ip_v4_address": "203.0.113.7"]])
  }

  @Test func `the delegate hears each new profile`() throws {
    var world = AdaptyWorld()
    world.isUsed = false
    let observed = try world.run()
    #expect(observed.times(of: "profile 1") == [200].milliseconds)
    #expect(observed.times(of: "profile 2") == [370].milliseconds)
  }

  @Test func `the same hash as sent is nothing new`() throws {
    var world = AdaptyWorld()
    world.isUsed = false
    let answer = Script.profile(timestamp: 1, sources: [])
    world.script[.createProfile] = [Answer(answer, fields: ["X-Response-Hash": "h1"])]
    world.script[.appleAds] = [Answer("no profile at all", fields: ["x-response-hash": "h1"])]
    let observed = try world.run()
    #expect(observed.times(of: "profile 1").count == 1)
    #expect(observed.calls(.appleAds).map { $0.request.fields["adapty-sdk-previous-response-hash"] } == ["h1"])
    #expect(world.store["adapty.appleAds"] == .string(Device.sample.adaptyProfileID))
  }

  @Test func `an older profile is not stored, and the delegate gets the stored one`() throws {
    var world = AdaptyWorld()
    world.isUsed = false
    world.script[.createProfile] = [Answer(Script.profile(timestamp: 5, sources: []))]
    let observed = try world.run { client, _ in
      try await Task.sleep(for: .seconds(1))
      #expect(client.profile?.timestamp == 5)
    }
    #expect(observed.times(of: "profile 5") == [200, 370].milliseconds)
  }

  @Test func `another user's profile is nobody's`() throws {
    var world = AdaptyWorld()
    world.isUsed = false
    world.script[.appleAds] = [Answer(Script.profile(timestamp: 9, sources: [], id: "other"))]
    #expect(try world.run().times(of: "profile 9").isEmpty)
  }

  /// A refused connection takes 50 ms, an answer 100 ms; then it is 100 ms to the next try.
  static let failures: [(Answer?, [Int])] = [
    (nil, [100, 250, 400, 550]), (Answer(.null, status: 500), [100, 300, 500, 700]),
    (Answer(.null, status: 404), [100, 300, 500, 700]), (Answer("nonsense"), [100, 300, 500, 700]),
    (Answer(["errors": [["code": "x"]]]), [100, 300, 500, 700]),
  ]

  @Test(arguments: failures)
  func `a profile that cannot be created is tried again every 100 ms`(failure: Answer?, times: [Int]) throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    if let failure { world.script[.createProfile] = [failure] }
    world.script[.createProfile] =
      Array(repeating: world.script[.createProfile][0], count: 3)
      + [Answer(Script.profile(timestamp: 1, sources: []))]
    let observed = try world.run { client, _ in
      let paywall = try await client.getPaywall(placement: "onboarding")
      #expect(paywall.variation == "segment")
    }
    #expect(observed.calls(.createProfile).map(\.at) == times.milliseconds)
  }

  @Test func `it is tried for ever, until nobody waits for it`() throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(60)) }
    #expect(observed.calls(.createProfile).map(\.at) == (0..<400).map { .milliseconds(100 + 150 * $0) })
    #expect(observed.calls.filter { $0 != .createProfile } == [.netConfig, .products])
  }

  @Test func `without a profile there is no segmented paywall once creating it is given up`() throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    _ = try world.run { client, _ in
      await client.settle()
      await #expect(throws: ClientError.missing("create profile")) {
        try await client.getPaywall(placement: "onboarding")
      }
    }
  }

  @Test func `nothing is asked before activate`() throws {
    let observed = try Script().run { recording in
      let client = AdaptyClient(transport: recording, publicKey: "public.0", phone: Phone())
      await #expect(throws: ClientError.missing("activate")) { try await client.getPaywall(placement: "p") }
      await #expect(throws: ClientError.missing("activate")) {
        try await client.getPaywallForDefaultAudience(placement: "p")
      }
      await client.settle()
    }
    #expect(observed.calls.isEmpty)
  }

  @Test func `a user whom the server knows better is adopted, with the tests they take part in`() throws {
    var world = AdaptyWorld()
    world.configuration.customerUserID = "ann"
    world.script[.createProfile] = [Answer(Script.profile(timestamp: 1, sources: [], id: "known"))]
    world.script[.appleAds] = [Answer(Script.profile(timestamp: 2, sources: [], id: "known"))]
    world.script[.crossPlacement] = [
      Answer(.null, status: 500),
      Answer(["data": ["placement_with_variation_map": ["onboarding": "v9"], "version": 4]]),
    ]
    world.store.set("adapty.appleAds", .string(Device.sample.adaptyProfileID))
    let observed = try world.run { client, _ in
      _ = try? await client.getPaywall(placement: "onboarding")
    }
    // The question fails once, and all of it is tried again.
    #expect(observed.calls(.createProfile).map(\.at) == [100, 400].milliseconds)
    #expect(observed.calls(.crossPlacement).map(\.at) == [200, 500].milliseconds)
    #expect(observed.calls(.crossPlacement).map { $0.request.fields["adapty-sdk-profile-id"] } == ["known", "known"])
    #expect(observed.calls(.createProfile).first?.attributes?["customer_user_id"] == "ann")
    #expect(observed.times(of: "profile 1").first == .milliseconds(600))
    #expect(observed.calls(.appleAds).map { $0.request.fields["adapty-sdk-profile-id"] } == ["known"])
    #expect(observed.calls(.forced).map { $0.request.location.path.hasSuffix("/v9/") } == [true])
    #expect(world.store["adapty.profileID"] == "known")
  }

  @Test func `the token is sent once a profile, and not tried again in the process`() throws {
    var world = AdaptyWorld()
    world.script.cut(.appleAds)
    let failed = try world.run { _, phone in
      try await Task.sleep(for: .seconds(200))
      try await phone.becomeActive()
    }
    #expect(failed.calls(.appleAds).count == 1)
    world.script = Script()
    #expect(try world.run().calls(.appleAds).count == 1)
    #expect(try world.run().calls(.appleAds).isEmpty)
  }

  @Test func `hosts of another cluster`() throws {
    var world = AdaptyWorld()
    world.configuration.cluster = .cn
    world.configuration.registersInstall = true
    world.script[.netConfig] = [Answer(.null, status: 500)]
    let observed = try world.run { client, _ in
      _ = try await client.getPaywallForDefaultAudience(placement: "onboarding")
    }
    let hosts = observed.events.compactMap { event -> String? in
      if case .call(_, .request(let request, _)) = event.kind { request.location.host } else { nil }
    }
    #expect(
      Set(hosts) == ["fallback-cn.adapty.io", "api-cn.adapty.io", "api-ua-cn.adapty.io", "configs-cdn-cn.adapty.io"])
  }

  @Test func `the main host can be any, and the next one is used when it fails`() throws {
    var world = AdaptyWorld()
    let urls: JSON = ["default": ["https://first.example", "https://second.example/api/v1"]]
    world.script[.netConfig] = [Answer(Script.netConfig(["api_endpoints": urls]))]
    world.script[.createProfile].insert(Answer(.null, status: 503), at: 0)
    let observed = try world.run { _, _ in try await Task.sleep(for: .seconds(1)) }
    #expect(
      observed.calls(.createProfile).map(\.request.location.host) == ["first.example", "second.example"])
    #expect(observed.calls(.events).first?.request.location.host == "second.example")
  }

  @Test func `the configuration is asked for again when it has expired, and 1800 s after a failure`() throws {
    var world = AdaptyWorld()
    world.horizon = .seconds(5000)
    world.script[.netConfig] = [Answer(.null, status: 500), Answer(Script.netConfig(["expires_in": 120_000]))]
    let observed = try world.run { _, phone in
      try await Task.sleep(for: .seconds(1799))
      // A use of the app asks for the profile at once: just before the expiry, and at it.
      for wait in [1.099, 0.001, 60] {
        try await Task.sleep(for: .seconds(wait))
        try await phone.becomeActive()
      }
    }
    #expect(observed.calls(.netConfig).map(\.at) == [0, 1_800_100].milliseconds)
  }

  @Test func `settling with a deadline goes on trying until then`() throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    let observed = try world.run { client, _ in
      await client.settle(until: .now + .milliseconds(1049))
      client.stop()
    }
    #expect(observed.calls(.createProfile).map(\.at) == [100, 250, 400, 550, 700, 850, 1000].milliseconds)
  }

  @Test func `settling with a deadline returns as soon as nothing is left`() throws {
    let observed = try AdaptyWorld().run { client, _ in
      await client.settle(until: .now + .seconds(500))
      client.stop()
    }
    #expect(observed.end == .milliseconds(1400))
  }

  @Test func `two runs are equal`() throws {
    func run() throws -> Observed {
      var world = AdaptyWorld()
      world.configuration.registersInstall = true
      world.script.cut(.install)
      return try world.run { _, _ in try await Task.sleep(for: .seconds(100)) }
    }
    #expect(try run() == run())
  }
}
