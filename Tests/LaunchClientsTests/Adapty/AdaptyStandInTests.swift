import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// The client over Adapty's stand-in, which refuses what the vendor would.
@Suite struct AdaptyStandInTests {
  @Test(arguments: AdaptyConfiguration.Cluster.allCases)
  func `every call of a first and of a later launch is accepted`(cluster: AdaptyConfiguration.Cluster) throws {
    var configuration = AdaptyConfiguration()
    configuration.cluster = cluster
    configuration.registersInstall = true
    configuration.customerUserID = "ann"
    let (first, later) = try launch(.sample, configuration)
    for observed in [first, later] {
      for case .call(let id, .response(let head)) in observed.events.map(\.kind) {
        #expect((200...299).contains(head.status), "call \(id)")
      }
      #expect(!observed.events.contains { if case .call(_, .error) = $0.kind { true } else { false } })
    }
    #expect(
      Set(first.calls) == [
        .netConfig, .ipLookup, .install, .createProfile, .products, .updateProfile, .fetchProfile, .events, .appleAds,
        .segmented, .defaultPaywall,
      ])
    #expect(
      Set(later.calls) == [.ipLookup, .products, .updateProfile, .fetchProfile, .events, .segmented, .defaultPaywall])
    // Creation and attribution; then the stored profile, which no answer changes.
    #expect(first.marks.filter { $0.mark.name == "profile" }.map(\.mark.fields) == [["sources": 0], ["sources": 1]])
    #expect(later.marks.filter { $0.mark.name == "profile" }.map(\.mark.fields) == [["sources": 1]])
  }

  @Test func `a second device of the same user gets the first one's profile`() throws {
    let servers = Servers()
    var configuration = AdaptyConfiguration()
    configuration.customerUserID = "ann"
    _ = try launch(.sample, configuration, LaunchStore(), servers)
    var device = Device.sample
    device.adaptyProfileID = "22222222-6c1d-4f2a-9a37-5d2c80e1f3b6"
    let store = LaunchStore()
    let observed = try launch(device, configuration, store, servers)
    #expect(observed.calls(.crossPlacement).count == 1)
    #expect(store["adapty.profileID"] == .string(Device.sample.adaptyProfileID))
    #expect(observed.calls(.segmented).first?.request.fields["adapty-cross-placement-eligibility"] == "true")
  }

  private func launch(
    _ device: Device, _ configuration: AdaptyConfiguration
  ) throws -> (first: Observed, later: Observed) {
    let (servers, store) = (Servers(), LaunchStore())
    let first = try launch(device, configuration, store, servers)
    return (first, try launch(device, configuration, store, servers))
  }

  private func launch(
    _ device: Device, _ configuration: AdaptyConfiguration, _ store: LaunchStore, _ servers: Servers
  ) throws -> Observed {
    try Simulation.run(horizon: .seconds(1000)) {
      let recording = Recording(AnswerTransport { request in servers.answer(request) })
      try await use(recording, device, configuration, store)
      return Observed(recording)
    }
  }

  /// Everything that an app asks for, for a good minute.
  @MainActor
  private func use(
    _ recording: Recording, _ device: Device, _ configuration: AdaptyConfiguration, _ store: LaunchStore
  ) async throws {
    let phone = Phone(device: device, marks: recording)
    let client = AdaptyClient(
      transport: recording, publicKey: "public_live_fakefake.0000", phone: phone, store: store,
      configuration: configuration, marks: recording)
    client.delegate = { profile in
      recording.mark(Mark("profile", ["sources": .integer(Int64(profile.attributionSources.count))]))
    }
    await client.activate()
    try await phone.becomeActive()
    _ = try await phone.requestTracking()
    _ = try await client.getPaywall(placement: "onboarding")
    _ = try await client.getPaywallForDefaultAudience(placement: "onboarding")
    try await Task.sleep(for: .seconds(61))
    await client.settle()
  }
}

/// Servers that live longer than a launch.
private final class Servers: Sendable {
  private let sandbox = Mutex(AdaptySandbox())

  func answer(_ request: Request) -> Answer { sandbox.withLock { $0.respond(to: request) } }
}
