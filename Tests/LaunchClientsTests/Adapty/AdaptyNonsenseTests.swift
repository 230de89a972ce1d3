import LaunchClients
import LaunchHTTP
import LaunchJSON
import TestSupport
import Testing

/// Whatever the servers say, the client neither traps nor waits for ever.
@Suite struct AdaptyNonsenseTests {
  private static let kinds: [VendorCallKind] = [
    .netConfig, .createProfile, .fetchProfile, .updateProfile, .crossPlacement, .products, .appleAds, .events,
    .segmented,
    .forced, .defaultPaywall, .fallbackPaywall, .install, .ipLookup,
  ]

  static let nonsense: [Answer] =
    ([
      "nonsense", [], [:], 7, ["data": []], ["data": ["attributes": []]], ["data": ["attributes": ["profile_id": 7]]],
      ["data": ["attributes": ["profile_id": "p", "segment_hash": "s", "timestamp": .integer(.min)]]],
      ["data": ["attributes": ["profile_id": "p", "segment_hash": "s", "timestamp": .number("1e999")]]],
      ["ip": 7], ["errors": "x"], ["error_code": []], ["meta": ["placement": []], "data": [[]]],
    ] as [JSON]).map { Answer($0) }
    + [
      Answer(head: ResponseHead(status: 200)), Answer(head: ResponseHead(status: 204), body: [0xff, 0xfe]),
      Answer(head: ResponseHead(status: 200), body: Array("{\"data\":".utf8)),
      Answer(.null, status: 429, fields: ["retry-after": "-1e308"]), Answer("-99999999999999999999", status: 444),
      Answer(.null, status: 302), Answer(.null, status: 599), Answer(.null, status: 401),
    ]

  @Test(arguments: nonsense.indices) func `nonsense is survived`(index: Int) throws {
    for kinds in Self.kinds.map({ [$0] }) + [Self.kinds] {
      var script = Script()
      for kind in kinds { script[kind] = [Self.nonsense[index]] }
      try launch(script)
    }
  }

  @Test(arguments: UInt64(1)...12) func `damaged answers are survived`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      var script = Script()
      for kind in Self.kinds where Bool.random(using: &random) {
        script[kind] = script[kind].map { damaged($0, using: &random) } + script[kind]
      }
      try launch(script)
    }
  }

  @Test func `a fallback file that is cut anywhere is none, or one without the placement`() throws {
    let file = AdaptyPaywallsTests.bundle(1).serialized
    _ = try AdaptyWorld().run { client, _ in
      for count in 0..<file.count {
        #expect(throws: ClientError.unreadable("fallback file")) { try client.setFallback(Array(file[..<count])) }
      }
      try client.setFallback(file)
    }
  }

  /// A first launch and a later one, each with everything that an app can ask for.
  private func launch(_ script: Script) throws {
    var world = AdaptyWorld(script)
    world.configuration.collectsAddress = true
    world.configuration.registersInstall = true
    for _ in 0..<2 {
      _ = try world.run { client, _ in
        _ = try? await client.getPaywall(placement: "onboarding")
        _ = try? await client.getPaywallForDefaultAudience(placement: "onboarding")
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// The same with its body cut, or with other bytes in it.
  private func damaged(_ answer: Answer, using random: inout SeededGenerator) -> Answer {
    var body = answer.parts.flatMap { part -> [UInt8] in
      if case .chunk(let chunk) = part.part { Array(chunk.content) } else { [] }
    }
    if body.isEmpty { return answer }
    if Bool.random(using: &random) { body.removeLast(Int.random(in: 1...body.count, using: &random)) }
    for _ in 0..<Int.random(in: 0...3, using: &random) where !body.isEmpty {
      let junk: [UInt8] = [0x00, 0x22, 0x2d, 0x30, 0x39, 0x5b, 0x65, 0x7b, 0x7d, 0xff]
      body[Int.random(in: 0..<body.count, using: &random)] = junk.randomElement(using: &random) ?? 0
    }
    return Answer(head: ResponseHead(status: 200), body: body, after: .milliseconds(100))
  }
}
