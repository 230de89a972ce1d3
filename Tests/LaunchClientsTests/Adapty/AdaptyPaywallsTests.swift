import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Paywalls and where they come from: vendors.md 2.3, 7 and 8, and 2.5. Each is asked for at 1 s.
@Suite struct AdaptyPaywallsTests {
  private func run(
    _ world: AdaptyWorld, default isDefault: Bool = false, timeout: Duration = AdaptyClient.paywallTimeout,
    bundled: JSON? = nil, expecting outcome: Result<String, ClientError>
  ) throws -> Observed {
    try world.run { client, _ in
      try await Task.sleep(for: .seconds(1))
      if let bundled { try client.setFallback(bundled.serialized) }
      do throws(ClientError) {
        let paywall =
          isDefault
          ? try await client.getPaywallForDefaultAudience(placement: "onboarding")
          : try await client.getPaywall(placement: "onboarding", timeout: timeout)
        #expect(.success(paywall.variation) == outcome)
      } catch {
        #expect(.failure(error) == outcome)
      }
    }
  }

  @Test func `a paywall waits for the profile and carries its newest segment`() throws {
    var world = AdaptyWorld()
    world.script[.createProfile] = [Answer(Script.profile(timestamp: 1, sources: [], segment: "seg-9"))]
    let observed = try world.run { client, _ in
      let paywall = try await client.getPaywall(placement: "onboarding")
      #expect(paywall.variation == "segment")
    }
    let call = try #require(observed.calls(.segmented).first)
    #expect(call.at == .milliseconds(200))
    #expect(call.request.fields["adapty-profile-segment-hash"] == "seg-9")
    #expect(call.request.fields["adapty-cross-placement-eligibility"] == "true")
  }

  /// What the main host does, and what is asked next: nothing for a failure that is not the server's.
  static let failures: [(Answer, [VendorCallKind], Result<String, ClientError>)] = [
    (Answer(.null, status: 500), [.segmented, .fallbackPaywall], .success("fallback")),
    (Answer(.null, status: 599), [.segmented, .fallbackPaywall], .success("fallback")),
    (Answer(.null, status: 499), [.segmented, .fallbackPaywall], .success("fallback")),
    (Answer(["error_code": "x"], status: 503), [.segmented, .fallbackPaywall], .success("fallback")),
    (Answer(.null, status: 404), [.segmented], .failure(.status(404))),
    (Answer(.null, status: 429), [.segmented], .failure(.status(429))),
    (Answer("nonsense"), [.segmented], .failure(.unreadable("segmented paywall"))),
  ]

  @Test(arguments: failures) func `a failure of the server's is the fallback host's business`(
    answer: Answer, calls: [VendorCallKind], outcome: Result<String, ClientError>
  ) throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [answer]
    let observed = try run(world, expecting: outcome)
    #expect(observed.calls.filter { [.segmented, .fallbackPaywall].contains($0) } == calls)
    // 100 ms of the 5 s are over.
    #expect(observed.calls(.fallbackPaywall).allSatisfy { $0.request.timeout == .milliseconds(4900) })
  }

  @Test func `a host that cannot be reached is none of its business`() throws {
    var world = AdaptyWorld()
    world.script.cut(.segmented)
    let error = ClientError.transport(TransportError(.refused, during: .connect))
    #expect(try run(world, expecting: .failure(error)).calls(.fallbackPaywall).isEmpty)
  }

  /// The time-out, when the fallback host is asked, and how long it has got.
  static let timeouts: [(Duration, Int, Duration)] = [
    (.seconds(5), 5500, .milliseconds(500)), (.seconds(3), 3500, .milliseconds(500)),
    (.seconds(1), 1500, .milliseconds(500)), (.milliseconds(10), 1500, .milliseconds(500)),
    (.seconds(-7), 1500, .milliseconds(500)),
  ]

  @Test(arguments: timeouts) func `half a second is kept back for the fallback host`(
    timeout: Duration, at: Int, rest: Duration
  ) throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(parts: [.init(at: .zero, .fault(.hang))])]
    let observed = try run(world, timeout: timeout, expecting: .success("fallback"))
    let call = try #require(observed.calls(.fallbackPaywall).first)
    #expect(call.at == .milliseconds(at))
    #expect(call.request.timeout == rest)
    #expect(observed.calls(.segmented).map(\.end) == [.milliseconds(at)])
  }

  @Test func `the fallback host gets half a second at least and a minute at most`() throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(.null, status: 500)]
    let longest = try run(world, timeout: .seconds(Int64.max), expecting: .success("fallback"))
    #expect(longest.calls(.fallbackPaywall).map(\.request.timeout) == [.seconds(60)])
    world.script[.segmented] = [Answer(.null, status: 500, after: .milliseconds(450))]
    world.store = LaunchStore()
    world.script[.fallbackPaywall] = [Answer(parts: [.init(at: .zero, .fault(.hang))])]
    let error = ClientError.transport(
      TransportError(.timeout, during: .response, "no complete response arrived in time"))
    let shortest = try run(world, timeout: .seconds(1), expecting: .failure(error))
    let call = try #require(shortest.calls(.fallbackPaywall).first)
    #expect(call.end.map { $0 - call.at } == .milliseconds(550))
  }

  @Test func `so is the time that the profile takes`() throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    let observed = try run(world, expecting: .success("fallback"))
    #expect(observed.calls(.fallbackPaywall).map(\.at) == [5500].milliseconds)
    #expect(observed.calls(.segmented).isEmpty)
  }

  static func bundle(_ created: Int64) -> JSON {
    [
      "meta": ["version": 9, "response_created_at": .integer(created)],
      "data": ["onboarding": .string(Script.paywall("bundled").text), "other": Script.paywall("x"), "odd": 7],
    ]
  }

  @Test func `behind the fallback host stands the cache, and behind that the app's file`() throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(.null, status: 500)]
    world.script.cut(.fallbackPaywall)
    let error = ClientError.transport(TransportError(.refused, during: .connect))
    _ = try run(world, expecting: .failure(error))
    _ = try run(world, bundled: Self.bundle(1), expecting: .success("bundled"))
    world.script[.segmented] = [Answer(Script.paywall("seen", createdAt: 5))]
    _ = try run(world, expecting: .success("seen"))
    world.script[.segmented] = [Answer(.null, status: 500)]
    _ = try run(world, bundled: Self.bundle(5), expecting: .success("seen"))
    _ = try run(world, bundled: Self.bundle(6), expecting: .success("bundled"))
    world.device.language = "de"
    _ = try run(world, bundled: nil, expecting: .success("seen"))
    world.store.set(
      "adapty.paywall.onboarding", ["variation": "fr", "language": "fr", "version": 9])
    _ = try run(world, expecting: .failure(error))
  }

  @Test func `an answer that is older than what is known is not used`() throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(Script.paywall("new", createdAt: 9))]
    _ = try run(world, expecting: .success("new"))
    world.script[.segmented] = [Answer(Script.paywall("old", createdAt: 8))]
    _ = try run(world, expecting: .success("new"))
  }

  @Test(arguments: [
    "{}", "x", #"{"meta":{"version":8,"response_created_at":1},"data":{}}"#, #"{"meta":{"version":9}}"#,
  ])
  func `a file of another kind is no fallback file`(text: String) throws {
    _ = try AdaptyWorld().run { client, _ in
      #expect(throws: ClientError.unreadable("fallback file")) { try client.setFallback(Array(text.utf8)) }
    }
  }

  @Test func `a wrong segment is asked for once more when the profile has another`() throws {
    var world = AdaptyWorld()
    let wrong = Answer(["errors": [["code": "INCORRECT_SEGMENT_HASH_ERROR"]]], status: 400)
    world.script[.segmented] = [wrong, Answer(Script.paywall("right"))]
    world.script[.fetchProfile] = [Answer(Script.profile(timestamp: 1, sources: []))]
    world.script[.fetchProfile].append(Answer(Script.profile(timestamp: 7, sources: [], segment: "segment-2")))
    let observed = try run(world, expecting: .success("right"))
    #expect(observed.calls(.fetchProfile).map(\.at) == [200, 1100].milliseconds)
    #expect(
      observed.calls(.segmented).map { $0.request.fields["adapty-profile-segment-hash"] } == ["segment-1", "segment-2"])
    #expect(observed.calls(.segmented).map(\.at) == [1000, 1200].milliseconds)
    // A profile that cannot be had, the same segment again and a second refusal are no reason to go on asking.
    world.store = LaunchStore()
    world.script[.fetchProfile][1] = Answer(.null, status: 500)
    #expect(try run(world, expecting: .failure(.status(400))).calls(.segmented).count == 1)
    world.store = LaunchStore()
    world.script[.fetchProfile].removeLast()
    #expect(try run(world, expecting: .failure(.status(400))).calls(.segmented).count == 1)
    world.store = LaunchStore()
    world.script[.segmented] = [wrong]
    world.script[.fetchProfile].append(Answer(Script.profile(timestamp: 7, sources: [], segment: "segment-2")))
    #expect(try run(world, expecting: .failure(.status(400))).calls(.segmented).count == 2)
  }

  @Test func `a call that is banned is not made before the ban is over`() throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [
      Answer(.null, status: 429, fields: ["retry-after": "30"]), Answer(Script.paywall("segment")),
    ]
    let observed = try world.run { client, _ in
      try await Task.sleep(for: .seconds(1))
      await #expect(throws: ClientError.status(429)) { try await client.getPaywall(placement: "onboarding") }
      try await Task.sleep(for: .milliseconds(29_999))
      await #expect(throws: ClientError.banned("segmented paywall")) {
        try await client.getPaywall(placement: "onboarding")
      }
      try await Task.sleep(for: .milliseconds(1))
      _ = try await client.getPaywall(placement: "onboarding")
    }
    #expect(observed.calls(.segmented).map(\.at) == [1000, 31_100].milliseconds)
  }

  @Test func `401 of the main host ends everything in the process`() throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(.null, status: 401)]
    let observed = try world.run { client, phone in
      try await Task.sleep(for: .seconds(1))
      await #expect(throws: ClientError.status(401)) { try await client.getPaywall(placement: "onboarding") }
      for _ in 0..<3 {
        await #expect(throws: ClientError.banned("default paywall")) {
          try await client.getPaywallForDefaultAudience(placement: "onboarding")
        }
        try await Task.sleep(for: .seconds(61))
        try await phone.becomeActive()
      }
    }
    #expect(observed.starts.last == .seconds(1))
  }

  static let languages: [(String, [Answer], [String], Result<String, ClientError>)] = [
    ("de", [Answer(.null, status: 404), Answer(Script.paywall("english"))], ["de", "en"], .success("english")),
    ("DE", [Answer(Script.paywall("german"))], ["de"], .success("german")),
    ("de", [Answer(.null, status: 404)], ["de", "en"], .failure(.status(404))),
    ("de", [Answer(.null, status: 500)], ["de"], .failure(.status(500))),
    ("en", [Answer(.null, status: 404)], ["en"], .failure(.status(404))),
  ]

  @Test(arguments: languages) func `a language without a file gets the English one`(
    language: String, answers: [Answer], asked: [String], outcome: Result<String, ClientError>
  ) throws {
    var world = AdaptyWorld()
    world.device.language = language
    world.script[.defaultPaywall] = answers
    let observed = try run(world, default: true, expecting: outcome)
    #expect(
      observed.calls(.defaultPaywall).map { $0.request.location.path.split(separator: "/").suffix(3).first }
        == asked.map { Substring($0) })
    #expect(observed.calls(.fallbackPaywall).isEmpty)
  }

  @Test func `the default audience's paywall waits for no profile, and has only the session's time-out`() throws {
    var world = AdaptyWorld()
    world.script.cut(.createProfile)
    world.script[.defaultPaywall] = [Answer(parts: [.init(at: .zero, .fault(.hang))])]
    let error = ClientError.transport(
      TransportError(.timeout, during: .response, "no complete response arrived in time"))
    let observed = try run(world, default: true, expecting: .failure(error))
    #expect(observed.calls(.defaultPaywall).map(\.end) == [31_000].milliseconds)
    _ = try run(world, default: true, bundled: Self.bundle(1), expecting: .success("bundled"))
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
    var world = AdaptyWorld()
    let variations = weights.map {
      JSON.object(["attributes": ["variation_id": .string($0.0), "weight": .integer($0.1)]])
    }
    let placement: JSON = ["developer_id": "p", "placement_audience_version_id": "v1"]
    world.script[.segmented] = [Answer(["meta": ["placement": placement], "data": .array(variations)])]
    _ = try run(world, expecting: .success(variation))
  }

  @Test(arguments: [JSON.null, ["data": []], ["meta": ["placement": ["developer_id": "p"]], "data": []]])
  func `an answer without a paywall is unreadable`(answer: JSON) throws {
    var world = AdaptyWorld()
    world.script[.segmented] = [Answer(answer)]
    _ = try run(world, expecting: .failure(.unreadable("segmented paywall")))
  }

  @Test func `a test over several placements is joined once, and its variation is forced from then on`() throws {
    var world = AdaptyWorld()
    let attributes: JSON = [
      "variation_id": "a", "weight": 100,
      "cross_placement_info": ["placement_with_variation_map": ["onboarding": "a", "settings": "b"]],
    ]
    let placement: JSON = ["developer_id": "onboarding"]
    world.script[.segmented] = [Answer(["meta": ["placement": placement], "data": [["attributes": attributes]]])]
    world.script[.forced] = [
      Answer(["meta": ["placement": placement], "data": ["attributes": ["variation_id": "b", "weight": 0]]])
    ]
    let observed = try world.run { client, _ in
      _ = try await client.getPaywall(placement: "onboarding")
      let settings = try await client.getPaywall(placement: "settings")
      #expect(settings.variation == "b")
      _ = try await client.getPaywall(placement: "other")
    }
    #expect(observed.calls.filter { [.segmented, .forced].contains($0) } == [.segmented, .forced, .segmented])
    #expect(
      observed.calls(.segmented).map { $0.request.fields["adapty-cross-placement-eligibility"] } == ["true", "false"])
  }

  @Test func `a test user's paywalls come past every cache`() throws {
    var world = AdaptyWorld()
    world.script[.createProfile] = [Answer(Script.profile(timestamp: 9, sources: [], isTestUser: true))]
    let observed = try world.run { client, _ in
      _ = try await client.getPaywall(placement: "onboarding")
      _ = try await client.getPaywall(placement: "onboarding")
      _ = try await client.getPaywallForDefaultAudience(placement: "onboarding")
    }
    let queries = (observed.calls(.segmented) + observed.calls(.defaultPaywall)).map(\.request.location.query)
    #expect(Set(queries).count == 3)
    for query in queries { #expect(query?.hasPrefix("disable_cache=") == true && query?.count == 50) }
  }
}
