/// What the SDK does while the app is used: it keeps the profile fresh, says that the app was opened, and looks whether
/// the user allows tracking (vendors.md 2.4).
@MainActor
final class AdaptyLifecycle {
  /// How old the profile gets before it is asked for again.
  static let profileInterval = Duration.seconds(60)
  /// The same after a failure.
  static let profileRetryInterval = Duration.seconds(10)
  /// In which time the app is opened once at most.
  static let openedInterval = Duration.seconds(60)
  /// How often it is looked whether the user has answered the tracking prompt.
  static let trackingCheckInterval = Duration.seconds(5)
  /// How long.
  static let trackingCheckLimit = Duration.seconds(600)

  private let sync: AdaptySync
  private let events: AdaptyEvents
  private let errands: AdaptyErrands
  private let phone: Phone
  private let work: AdaptyWork
  private let registersInstall: Bool
  private var updates: Task<Void, any Error>?
  private var trackingChecks: Task<Void, any Error>?
  private var opened: ContinuousClock.Instant?

  init(
    sync: AdaptySync, events: AdaptyEvents, errands: AdaptyErrands, phone: Phone, work: AdaptyWork,
    registersInstall: Bool
  ) {
    self.sync = sync
    self.events = events
    self.errands = errands
    self.phone = phone
    self.work = work
    self.registersInstall = registersInstall
  }

  /// The SDK is active. An app that has become active before is not noticed until it does again.
  func start() {
    if registersInstall { errands.registerInstall() }
    phone.whenActive { [weak self] in self?.becameActive() }
    updates = work.start { try await self.keepUpdated(after: Self.profileInterval) }
    trackingChecks = work.start { try await self.checkTracking() }
  }

  /// Ends the checks that have nothing to report yet.
  func settle() {
    if phone.trackingStatus != .authorized { trackingChecks?.cancel() }
  }

  /// A profile is asked for at once (AdaptySDK-iOS 3.17, `LifecycleManager.swift`).
  private func becameActive() {
    updates?.cancel()
    updates = work.start { try await self.keepUpdated(after: nil) }
    if registersInstall { errands.registerInstall() }
    if let opened, .now - opened < Self.openedInterval { return }
    opened = .now
    events.add("app_opened")
  }

  private func keepUpdated(after interval: Duration?) async throws {
    if let interval { try await work.waitBeforeRepeating(interval) }
    while true {
      var next = Self.profileInterval
      do {
        _ = try await sync.created.wait()
        try await sync.update()
      } catch {
        try Task.checkCancellation()
        next = Self.profileRetryInterval
      }
      try await work.waitBeforeRepeating(next)
    }
  }

  /// An allowed identifier makes the profile's next update carry it; a refused one is nothing to report.
  private func checkTracking() async throws {
    let end = ContinuousClock.now + Self.trackingCheckLimit
    while phone.trackingStatus == .notDetermined {
      let next = ContinuousClock.now + Self.trackingCheckInterval
      if next > end { return }
      try await Task.sleep(until: next, tolerance: .zero, clock: .continuous)
    }
    guard phone.trackingStatus == .authorized else { return }
    _ = try await sync.created.wait()
    try await sync.update()
  }
}
