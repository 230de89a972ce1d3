import LaunchClients
import LaunchHTTP
import LaunchSandbox
import LaunchSimulation
import Synchronization

/// What an app that is launched again remembers.
enum LaunchHistory {
  /// The store that `flow` starts with: an empty one, or for a later launch one that a first launch against `sandbox` has
  /// filled, in virtual time and unrecorded. The stand-ins then know the app as well.
  static func store(for flow: Flow, _ sandbox: inout VendorSandbox) throws -> LaunchStore {
    let store = LaunchStore()
    guard flow.isLater else { return store }
    // What goes wrong is meant for the launch that is recorded.
    let faults = sandbox.faults
    sandbox.faults = FaultScript()
    let standIns = Mutex(sandbox)
    try Simulation.run {
      let transport = AnswerTransport { request in standIns.withLock { $0.respond(to: request) } }
      try await AppLaunch(transport: transport, store: store).run()
    }
    sandbox = standIns.withLock(\.self)
    sandbox.faults = faults
    return store
  }
}
