public import LaunchCassette
public import LaunchClients
public import LaunchDeck
import LaunchHTTP
import LaunchSandbox
import LaunchTrace
import Synchronization

/// A built-in flow as an exploration runs it: each time from the same history, with stand-ins of its own.
///
/// ```swift
/// let cassette = try Cassette(path: "cassettes/first-launch.cassette")
/// let flow = try ExploredFlow(XCTUnwrap(Flow.named("first-launch")), cassette)
/// var exploration = Exploration(cassette, contracts: [contract], fallback: flow.fallback, launch: flow.launch)
/// ```
public struct ExploredFlow: Sendable {
  private let flow: Flow
  private let scenario: LaunchScenario
  private let store: LaunchStore
  private let sandbox: VendorSandbox

  /// Prepares a flow; a later launch goes on from a first one that is made now, in virtual time.
  /// - Parameter cassette: What the user and the system do is as its marks tell.
  /// - Throws: What that first launch throws.
  public init(_ flow: Flow, _ cassette: Cassette) throws {
    self.flow = flow
    scenario = LaunchScenario(events: cassette.events, otherwise: flow.processes[0].scenario)
    var sandbox = VendorSandbox(latency: .lan)
    store = flow.isLater ? try .afterFirstLaunch(in: &sandbox) : LaunchStore()
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

  /// One process: the flow from its beginning or, after a death, what follows when the app is started again.
  @Sendable public func launch(_ launch: Launch) async throws {
    let installation = launch.kept({ Installation(store) }, copy: \.copy)
    if installation.start() == 1 {
      try await flow.run(launch.transport, scenario: scenario, store: installation.store)
    } else {
      // The user has answered before, and starts the app again.
      var later = LaunchScenario.laterLaunch
      if let motiSig = scenario.motiSig { later.motiSig?.mode = motiSig.mode } else { later.motiSig = nil }
      try await AppLaunch(
        transport: launch.transport, edition: flow.edition, scenario: later, store: installation.store
      ).run()
    }
  }

  /// The vendors' stand-ins, which see every request. What the cassette has said in the place of their own answers is put
  /// right in both directions: the launch knows its user by the recorded name.
  @Sendable public func fallback() -> Fallback? {
    let understudies = Mutex(Understudies(sandbox))
    return Fallback { request, answer in
      understudies.withLock { $0.note(request, answer) }
    } answer: { request in
      VendorSandbox.call(of: request) == .unknown ? nil : understudies.withLock { $0.answer(request) }
    }
  }
}
