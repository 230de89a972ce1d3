import LaunchClients
import LaunchHTTP
import LaunchTrace
import Testing

/// Replays that lack an answer. Whatever an SDK does about a failure, a miss is reported once.
@Suite struct MissTests {
  private static let miss = Answer(
    parts: [.init(at: .zero, .fault(.error(TransportError(.unmatched, during: .request, "was never recorded"))))])

  private func launch(_ script: Script) throws -> Observed {
    var scenario = LaunchScenario.pushTap
    // The published getter holds the splash for ever without Adjust (Q4).
    scenario.adjust.getter = .immediate
    return try script.run { [scenario] recording in
      try await AppLaunch(transport: recording, scenario: scenario).run()
    }
  }

  static let kinds: [VendorCallKind] = [
    .parameters, .createUser, .messages, .features, .updateUser, .content, .impression, .session, .click, .attribution,
    .netConfig, .createProfile, .products, .ipLookup, .appleAds, .events, .segmented, .defaultPaywall, .motiSigUser,
    .motiSigSubscription, .motiSigClick,
  ]

  @Test(arguments: kinds) func `no call is made more often because it missed`(kind: VendorCallKind) throws {
    var script = Script()
    let usual = try launch(script).calls(kind).count
    script[kind] = [Self.miss]
    let missed = try launch(script)
    #expect((1...max(usual, 1)).contains(missed.calls(kind).count))
    #expect(missed.logged.contains(.navigatedToHome))
  }

  @Test func `a launch that misses everywhere asks for nothing twice`() throws {
    var script = Script()
    for kind in script.answers.keys { script[kind] = [Self.miss] }
    let observed = try launch(script)
    let asked = observed.calls
    #expect(asked.count == Set(asked).count, "\(asked)")
    #expect(observed.logged.contains(.navigatedToHome))
  }
}
