public import LaunchHTTP
public import LaunchTrace

/// A built-in launch, by the name the command line knows it by.
///
/// ```swift
/// try await Flow.named("first-launch")?.run(transport, marks: tap)
/// ```
public struct Flow: Sendable {
  /// One life of the app's process.
  public struct Process: Hashable, Sendable {
    /// What happens when nothing is known about the outside world.
    public var scenario: LaunchScenario
    /// How long after its start the process is killed; nil for one that settles.
    public var lifetime: Duration?
    /// The civil time at which it starts, counted from the device's.
    public var startsAfter: Duration

    init(_ scenario: LaunchScenario, lifetime: Duration? = nil, startsAfter: Duration = .zero) {
      self.scenario = scenario
      self.lifetime = lifetime
      self.startsAfter = startsAfter
    }
  }

  /// What stands behind `--flow`.
  public let name: String
  /// One line for people.
  public let summary: String
  /// Which launch the app makes.
  public let edition: LaunchEdition
  /// One after the other, over one store.
  public let processes: [Process]
  /// Whether the app has been launched before, so that the store has to be filled by a first launch.
  public let isLater: Bool

  init(
    name: String, summary: String, edition: LaunchEdition = .published, isLater: Bool = false, _ processes: Process...
  ) {
    self.name = name
    self.summary = summary
    self.edition = edition
    self.isLater = isLater
    self.processes = processes
  }

  /// The flow called `name`; nil when there is none.
  public static func named(_ name: String) -> Flow? { all.first { $0.name == name } }

  /// In the order in which to list them.
  public static var allNames: [String] { all.map(\.name) }

  private static let all = [
    Flow(
      name: "first-launch",
      summary: "the published first launch: OneSignal, ATT, Adjust, the Adapty paywall race, MotiSig",
      Process(.firstLaunch)),
    Flow(
      name: "first-launch-strict", summary: "the same launch with the quirks of the published one corrected",
      edition: .strict, Process(.strictFirstLaunch)),
    Flow(
      name: "later-launch", summary: "the published launch of an app that was launched the day before", isLater: true,
      Process(.laterLaunch, startsAfter: .seconds(86_400))),
    Flow(
      name: "clicks-across-restart",
      summary: "the app is killed before MotiSig has taken a click, and started again",
      Process(.pushTap, lifetime: .seconds(4)), Process(.laterLaunch, startsAfter: .seconds(60))),
    Flow(
      name: "clicks-as-shipped", summary: "the same with MotiSig's SDK 1.0.2 as it is, not as its guide has it",
      Process(asShipped(.pushTap), lifetime: .seconds(4)),
      Process(asShipped(.laterLaunch), startsAfter: .seconds(60))),
  ]

  private static func asShipped(_ scenario: LaunchScenario) -> LaunchScenario {
    var scenario = scenario
    scenario.motiSig?.mode = .faithful
    return scenario
  }

  /// Runs the flow over `transport` until it has settled.
  /// - Parameters:
  ///   - scenario: What the user and the system do in the first process, for a replay as recorded; nil for the flow's own.
  ///   - store: What the app keeps; a flow that `isLater` needs one that a first launch has filled.
  /// - Throws: `CancellationError` when the task is cancelled; `FileError` when the store could not be written.
  public func run(
    _ transport: any Transport, marks: (any MarkSink)? = nil, scenario: LaunchScenario? = nil,
    device: Device = .sample, credentials: Credentials = .sample, store: LaunchStore = LaunchStore(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws {
    let marks = marks ?? (transport as? any MarkSink)
    for (index, process) in processes.enumerated() {
      if index > 0 { marks?.relaunch() }
      var device = device
      device.launchedAt = WallTime(
        milliseconds: device.launchedAt.milliseconds + process.startsAfter.wholeMilliseconds)
      let launch = AppLaunch(
        transport: transport, marks: marks, edition: edition,
        scenario: index == 0 ? scenario ?? process.scenario : process.scenario, device: device,
        credentials: credentials, store: store, log: log)
      try await launch.run(lifetime: process.lifetime)
    }
  }
}
