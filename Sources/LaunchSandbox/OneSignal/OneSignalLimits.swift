import LaunchHTTP

/// What OneSignal documents that it accepts: one request a second for a user or a subscription, and 100 property
/// changes a request (documentation.onesignal.com/reference/rate-limits, vendors.md 3.4).
///
/// ```swift
/// sandbox.limits = OneSignalLimits(now: { .now })
/// ```
public struct OneSignalLimits: Sendable {
  private static let interval = Duration.seconds(1)
  private static let propertyChanges = 100

  private let now: @Sendable () -> ContinuousClock.Instant
  private var admitted: [String: ContinuousClock.Instant] = [:]

  /// - Parameter now: The clock of whoever hosts the stand-in, which has none itself.
  public init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// Lets a request about `record` pass, or says when to come back; a refused one does not count.
  mutating func admit(_ record: String) throws(Refusal) {
    let instant = now()
    if let last = admitted[record], instant - last < Self.interval {
      throw Refusal(
        429, "rate_limited", "one request a second for a user or a subscription", fields: ["Retry-After": "1"])
    }
    admitted[record] = instant
  }

  func admit(propertyChanges count: Int) throws(Refusal) {
    guard count > Self.propertyChanges else { return }
    throw Refusal(400, "invalid_request", "more than \(Self.propertyChanges) property changes in one request")
  }
}
