package import LaunchClients
import LaunchHTTP
package import LaunchSandbox
import LaunchSimulation
import Synchronization

extension LaunchStore {
  /// What an app remembers after a first launch against `sandbox`, made in virtual time and unrecorded. The stand-ins know
  /// the app afterwards; none of their faults is used up.
  /// - Parameter device: It was launched as long after the installation as the sample.
  package static func afterFirstLaunch(
    of device: Device = .sample, credentials: Credentials = .sample, in sandbox: inout VendorSandbox
  ) throws -> LaunchStore {
    var device = device
    let sample = Device.sample
    device.launchedAt.milliseconds =
      device.installedAt.milliseconds + sample.launchedAt.milliseconds - sample.installedAt.milliseconds
    let faults = sandbox.faults
    sandbox.faults = FaultScript()
    let standIns = Mutex(sandbox)
    let store = LaunchStore()
    try Simulation.run { [device] in
      let transport = AnswerTransport { request in standIns.withLock { $0.respond(to: request) } }
      try await AppLaunch(transport: transport, device: device, credentials: credentials, store: store).run()
    }
    sandbox = standIns.withLock(\.self)
    sandbox.faults = faults
    return store
  }
}
