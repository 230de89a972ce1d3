import LaunchCassette
import LaunchClients
import LaunchDeck
import LaunchExplore
import LaunchHTTP
import LaunchSandbox
import LaunchTrace
import Synchronization

/// A built-in flow as an exploration runs it: each time from the same history, with stand-ins of its own.
struct ExploredFlow: Sendable {
  private let flow: Flow
  private let scenario: LaunchScenario
  private let history: LaunchHistory
  private let sandbox: VendorSandbox

  init(_ flow: Flow, _ cassette: Cassette) throws {
    self.flow = flow
    scenario = LaunchScenario(events: cassette.events, otherwise: flow.processes[0].scenario)
    var sandbox = VendorSandbox(latency: .lan)
    history = try LaunchHistory(for: flow, &sandbox)
    self.sandbox = sandbox
  }

  /// What outlives a process.
  private final class Installation: Sendable {
    let store: LaunchStore
    private let launches: Mutex<Int>

    init(_ store: LaunchStore, launches: Int = 0) {
      self.store = LaunchStore(copying: store)
      self.launches = Mutex(launches)
    }

    /// As it is now.
    var copy: Installation { Installation(store, launches: launches.withLock(\.self)) }

    /// The number of the process that starts now, from 1.
    func start() -> Int {
      launches.withLock { launches in
        launches += 1
        return launches
      }
    }
  }

  @Sendable func launch(_ launch: Launch) async throws {
    let installation = launch.kept({ Installation(history.store) }, copy: \.copy)
    if installation.start() == 1 {
      try await flow.run(launch.transport, scenario: scenario, device: history.device, store: installation.store)
    } else {
      // The user has answered before, and starts the app again.
      var later = LaunchScenario.laterLaunch
      if let motiSig = scenario.motiSig { later.motiSig?.mode = motiSig.mode } else { later.motiSig = nil }
      try await AppLaunch(
        transport: launch.transport, edition: flow.edition, scenario: later, device: history.device,
        store: installation.store
      ).run()
    }
  }

  /// The vendors' stand-ins, which see every request. What the cassette has said in the place of their own answers is put
  /// right in both directions: the launch knows its user by the recorded name.
  @Sendable func fallback() -> Fallback? {
    let understudies = Mutex(Understudies(sandbox))
    return Fallback { request, answer in
      understudies.withLock { $0.note(request, answer) }
    } answer: { request in
      VendorSandbox.call(of: request) == .unknown ? nil : understudies.withLock { $0.answer(request) }
    }
  }
}
