/// When ids came into being: for a while after that, nothing is asked of them (vendors.md 3.4).
struct NewRecords: Hashable, Sendable {
  private var instants: [String: ContinuousClock.Instant] = [:]

  /// - Parameter isRenewed: Whether an id that is known already counts as new again.
  mutating func note(_ id: String, at now: ContinuousClock.Instant, isRenewed: Bool = false) {
    if isRenewed || instants[id] == nil { instants[id] = now }
  }

  func isCool(_ id: String, at now: ContinuousClock.Instant) -> Bool {
    instants[id].map { now - $0 >= OneSignalClient.coolDown } ?? true
  }
}
