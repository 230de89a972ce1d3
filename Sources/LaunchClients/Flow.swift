public import LaunchHTTP
public import LaunchTrace

/// A built-in launch, by the name the command line knows it by.
///
/// ```swift
/// try await Flow.named("first-launch")?.run(transport, marks: tap)
/// ```
public struct Flow: Sendable {
  /// What stands behind `--flow`.
  public let name: String
  /// One line for people.
  public let summary: String
  /// What happens when nothing is known about the outside world.
  public let scenario: LaunchScenario

  /// The flow called `name`; nil when there is none.
  public static func named(_ name: String) -> Flow? { all.first { $0.name == name } }

  /// In the order in which to list them.
  public static var allNames: [String] { all.map(\.name) }

  private static let all = [
    Flow(
      name: "first-launch", summary: "the published first launch: OneSignal, ATT, Adjust, the Adapty paywall race",
      scenario: .firstLaunch)
  ]

  /// Runs the flow over `transport` until it has settled.
  /// - Parameter scenario: What the user and the system do, for a replay as recorded; nil for the flow's own.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func run(
    _ transport: any Transport, marks: (any MarkSink)? = nil, scenario: LaunchScenario? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws {
    try await AppLaunch(transport: transport, marks: marks, scenario: scenario ?? self.scenario, log: log).run()
  }
}
