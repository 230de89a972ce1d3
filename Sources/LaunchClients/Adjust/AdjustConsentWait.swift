/// The wait for the user's answer to the tracking prompt, inside the SDK (vendors.md 1.6).
@MainActor
final class AdjustConsentWait {
  /// The longest there is, in seconds.
  nonisolated static let limit: Int64 = 360
  nonisolated static let pollInterval = Duration.seconds(1)

  private let run: AdjustRun
  private let configuration: AdjustConfiguration

  init(_ run: AdjustRun, _ configuration: AdjustConfiguration) {
    self.run = run
    self.configuration = configuration
  }

  /// Starts waiting, if there is something to wait for.
  /// - Parameter end: Called when the status is known or the time has run out; not called when there is no wait.
  func start(_ end: @escaping @MainActor () -> Void) {
    guard var left = seconds() else { return }
    run.isWaitingForConsent = true
    run.stored.consentSeconds = left
    run.tasks.start {
      while left > 0, self.run.phone.trackingStatus == .notDetermined {
        try await self.run.pause(until: .now + Self.pollInterval)
        // Seconds count only while the prompt can be shown.
        guard self.run.isForeground, self.run.phone.isActive else { continue }
        left -= 1
        self.run.stored.consentSeconds = left
      }
      if self.run.phone.trackingStatus != .notDetermined { self.run.stored.consentSeconds = nil }
      self.run.isWaitingForConsent = false
      end()
    }
  }

  /// How many seconds to wait, nil for none; what an earlier launch has waited counts.
  private func seconds() -> Int64? {
    guard !configuration.delaysFirstSession else { return nil }
    let left = run.stored.consentSeconds
    guard run.phone.trackingStatus == .notDetermined else {
      run.stored.consentSeconds = nil
      return nil
    }
    let wanted = min(configuration.attConsentWaitingInterval.components.seconds, Self.limit)
    guard wanted > 0 else {
      // A launch that did not wait ends the waiting of all later ones.
      if left != nil { run.stored.consentSeconds = 0 }
      return nil
    }
    let seconds = min(left ?? wanted, wanted)
    return seconds > 0 ? seconds : nil
  }
}
