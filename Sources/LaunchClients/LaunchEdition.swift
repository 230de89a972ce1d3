/// Which of two launches an app makes of the same parts.
///
/// ```swift
/// try await AppLaunch(transport: transport, edition: .strict).run()
/// ```
public enum LaunchEdition: String, Hashable, Sendable, CaseIterable {
  /// As the public guides print it, its quirks included (launch-flow.md section 8).
  case published
  /// The same launch without them: every wait is bounded and released once, in-app messages stay paused until the
  /// tags are acknowledged, a message that is on the screen is not cut, no zero advertising identifier becomes a tag,
  /// nobody but the tracking prompt asks for permission, the profile delegate is there before the SDK is activated, a
  /// loser of the paywall race sends nothing, and when both paywalls fail the app shows its own.
  case strict
}
