import LaunchJSON

/// Asks which features of the SDK are switched on, as newer builds do: at once when the app comes to the foreground, and
/// again and again while it stays there (vendors.md 3.2, call 1).
///
/// A list that cannot be had leaves the last one as it is. Nothing in a launch depends on it.
@MainActor
final class FeatureList {
  /// From one answer to the next request.
  nonisolated static let interval = Duration.seconds(480)
  private static let key = "onesignal.features"

  private let core: OneSignalCore
  private var polls: Task<Void, any Error>?

  init(core: OneSignalCore) { self.core = core }

  func start() {
    stop()
    polls = Task {
      while true {
        try await core.start { try await self.load() }.value
        try await Task.sleep(until: .now + Self.interval, tolerance: .zero, clock: .continuous)
      }
    }
  }

  func stop() { polls?.cancel() }

  private func load() async throws {
    let reply = try await core.caller.attempt(core.requests.features)
    guard reply.outcome == .accepted, let names = reply.json?["features"]?.array else { return }
    core.store.set(Self.key, .array(names.filter { $0.string != nil }))
  }
}
