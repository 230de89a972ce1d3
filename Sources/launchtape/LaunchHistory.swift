import LaunchClients
import LaunchExplore
import LaunchFile
import LaunchSandbox

/// What an app knows when it is launched: what it remembers, and the device it is on.
struct LaunchHistory {
  static let option = Usage.Option(
    "store", "DIR", "keep what the app remembers there: a later launch goes on from a first one's")

  var store = LaunchStore()
  var device = Device.sample

  /// Nothing, on the sample.
  init() {}

  /// For a replay of `flow`: an empty store, or for a later launch one that a first launch against `sandbox` has filled, in
  /// virtual time and unrecorded.
  init(for flow: Flow, _ sandbox: inout VendorSandbox) throws {
    if flow.isLater { store = try .afterFirstLaunch(in: &sandbox) }
  }

  /// For a recording of `flow`. Stand-ins that start with a later launch know the app as they would after a first one.
  /// - Parameter folder: Where the app's memory is; nil for one that ends with the recording.
  /// - Throws: `Failure` when the folder does not hold what the flow begins with, or real vendors have no first launch to
  ///   go on from.
  init(for flow: Flow, in folder: String?, _ access: VendorAccess?, _ sandbox: inout VendorSandbox) throws {
    if flow.isLater, folder == nil, access != nil {
      throw Failure(
        message: "\(flow.name) with --env goes on from a first launch at the same vendors, and --store is missing",
        next: "record the first one: launchtape record … --flow first-launch --env … --store DIR")
    }
    let kept = try folder.map { try Self.store(in: $0, for: flow) }
    var generator = SystemRandomNumberGenerator()
    let now = WallTime(milliseconds: microsecondsSince1970() / 1000)
    if let kept, let known = Device.remembered(in: kept, at: now, using: &generator) {
      device = known
    } else if access != nil {
      device = Device.new(at: now, using: &generator)
      if let kept { device.remember(in: kept) }
    }
    let credentials = access?.credentials ?? .sample
    if flow.isLater { store = try .afterFirstLaunch(of: device, credentials: credentials, in: &sandbox) }
    store = kept ?? store
    // What the flow adds for the time between two launches has really passed.
    if access != nil { device.launchedAt = now.advanced(by: .zero - (flow.processes.first?.startsAfter ?? .zero)) }
  }

  private static func store(in folder: String, for flow: Flow) throws -> LaunchStore {
    let unknown = Failure(
      message: "\(folder) remembers no launch that \(flow.name) could go on from",
      next: "record one: launchtape record … --flow first-launch --store \(folder)")
    // Looking for a launch makes no folder.
    guard !flow.isLater || pathExists(joinPath(folder, "launch-state.part")) else { throw unknown }
    let store = try LaunchStore(folder: folder)
    guard store.remembersLaunch || !flow.isLater else { throw unknown }
    guard !store.remembersLaunch || flow.isLater else {
      throw Failure(
        message: "\(folder) remembers a launch, and \(flow.name) is an app's first one",
        next: "go on from it with --flow later-launch, or name another folder")
    }
    return store
  }
}
