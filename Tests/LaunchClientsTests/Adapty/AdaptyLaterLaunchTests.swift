import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Launches after the first, and after a process that died: vendors.md 2.4.
@Suite struct AdaptyLaterLaunchTests {
  private func afterFirstLaunch(_ script: Script = Script()) throws -> AdaptyWorld {
    var world = AdaptyWorld(script)
    world.script[.createProfile] = [
      Answer(Script.profile(timestamp: 1, sources: []), fields: ["x-response-hash": "h1"])
    ]
    world.script[.appleAds] = [
      Answer(Script.profile(timestamp: 2, sources: ["apple_search_ads"]), fields: ["x-response-hash": "h2"])
    ]
    _ = try world.run()
    world.script = script
    world.device.adaptySessionID = "11111111-4a15-49f3-8b62-f1e7093a5d84"
    // What a new installation would be called.
    world.device.adaptyProfileID = "22222222-6c1d-4f2a-9a37-5d2c80e1f3b6"
    return world
  }

  @Test func `the stored profile is used at once, and the environment is sent once`() throws {
    let world = try afterFirstLaunch()
    let observed = try world.run { client, _ in
      #expect(client.profile?.hasAppleAds == true)
      _ = try await client.getPaywall(placement: "onboarding")
      try await Task.sleep(for: .seconds(61))
    }
    #expect(observed.times(of: "profile 2").first == .zero)
    #expect(
      observed.calls == [.updateProfile, .products, .fetchProfile, .events, .segmented, .fetchProfile])
    let update = try #require(observed.calls(.updateProfile).first)
    #expect(update.at == .zero)
    #expect(update.attributes?["installation_meta"] != nil)
    #expect(update.request.location.path.hasSuffix("/\(Device.sample.adaptyProfileID)/"))
    #expect(
      (observed.calls(.updateProfile) + observed.calls(.fetchProfile)).first?.request.fields[
        "adapty-sdk-previous-response-hash"] == "h2")
  }

  @Test func `an unchanged profile is heard of once, before the activation returns`() throws {
    var world = try afterFirstLaunch()
    for kind in [VendorCallKind.updateProfile, .fetchProfile] {
      world.script[kind] = [Answer(.null, fields: ["x-response-hash": "h2"])]
    }
    #expect(try world.run().times(of: "profile 2") == [0].milliseconds)
    _ = try world.script.run { [world] recording in
      let client = AdaptyClient(transport: recording, publicKey: "public.0", phone: Phone(), store: world.store)
      await client.activate()
      client.delegate = { _ in Issue.record("nothing is replayed") }
      try await Task.sleep(for: .seconds(200))
      client.stop()
    }
  }

  @Test func `a user with another name is created, and one with the same is not`() throws {
    var world = try afterFirstLaunch()
    world.configuration.customerUserID = "ann"
    var profile = Script.profile(timestamp: 4, sources: []).object ?? [:]
    var attributes = profile["data"]?["attributes"]?.object ?? [:]
    attributes["customer_user_id"] = "ann"
    profile["data"] = ["attributes": .object(attributes)]
    for kind in [VendorCallKind.createProfile, .updateProfile, .fetchProfile] {
      world.script[kind] = [Answer(.object(profile))]
    }
    #expect(try world.run().calls(.createProfile).count == 1)
    #expect(try world.run().calls(.createProfile).isEmpty)
    world.configuration.customerUserID = "ben"
    #expect(try world.run().calls(.createProfile).count == 1)
  }

  @Test func `the configuration outlives the launch, and is asked for again when it has expired`() throws {
    var world = try afterFirstLaunch()
    // It came 100 ms after the first launch began, and is good for an hour.
    world.device.launchedAt.milliseconds += 3_600_099
    #expect(try world.run().calls(.netConfig).isEmpty)
    world.device.launchedAt.milliseconds += 1
    #expect(try world.run().calls(.netConfig).map(\.at) == [0].milliseconds)
  }

  @Test func `what was banned is allowed in the next process`() throws {
    var world = try afterFirstLaunch()
    world.script[.fetchProfile] = [Answer(.null, status: 401)]
    _ = try world.run()
    world.script = Script()
    #expect(try world.run().calls(.fetchProfile).isEmpty == false)
  }

  /// The process dies at an odd moment, or at one where an answer is just there, and comes back a minute later.
  @Test func `a killed process comes back as the same user and loses no event`() throws {
    for milliseconds in stride(from: 0, through: 1500, by: 50).flatMap({ [$0, $0 + 1] }) {
      var world = AdaptyWorld()
      world.configuration.collectsAddress = true
      world.configuration.registersInstall = true
      world.settles = false
      let first = try world.run { _, _ in try await Task.sleep(for: .milliseconds(milliseconds)) }
      world.settles = true
      world.device.adaptyProfileID = "22222222-6c1d-4f2a-9a37-5d2c80e1f3b6"
      world.device.launchedAt.milliseconds += 60_000
      let second = try world.run()
      let created = second.calls(.createProfile).map(\.request.location.path)
      #expect(created.allSatisfy { $0.hasSuffix("/\(Device.sample.adaptyProfileID)/") })
      #expect(second.calls(.createProfile).count == (milliseconds > 200 ? 0 : 1), "\(milliseconds)")
      let ids = [first, second].map { run in
        run.calls(.events).flatMap { call in
          (call.attributes?["events"]?.array ?? []).compactMap { $0["event_id"]?.string }
        }
      }
      // Each use of the app and the one token; what was on its way when the process died may come twice.
      #expect(Set(ids[1]).count == ids[1].count)
      let opened = (first.calls(.events) + second.calls(.events)).flatMap(\.events).count { $0 == "app_opened" }
      #expect((2...3).contains(opened), "\(milliseconds)")
      #expect(world.store.entries(under: "adapty.event.").isEmpty)
      let tokens = first.calls(.appleAds).count + second.calls(.appleAds).count
      #expect((1...2).contains(tokens))
    }
  }

  @Test func `a store with odd values is that of a first launch`() throws {
    for odd in [JSON.null, 7, "x", [], ["attributes": ["profile_id": "other", "segment_hash": "s"]]] {
      let world = AdaptyWorld()
      for key in [
        "profileID", "profile", "appleAds", "crossPlacement", "configuration", "event.1", "eventCount",
        "paywall.onboarding",
      ] { world.store.set("adapty.\(key)", odd) }
      let observed = try world.run { client, _ in _ = try await client.getPaywall(placement: "onboarding") }
      #expect(observed.calls.prefix(2) == [.netConfig, .createProfile])
    }
  }
}
