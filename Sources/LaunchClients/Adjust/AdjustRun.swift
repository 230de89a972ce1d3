import LaunchHTTP

/// What the parts of one running SDK share.
@MainActor
final class AdjustRun {
  let transport: any Transport
  let phone: Phone
  let stored: AdjustStored
  let forms: AdjustForms
  let requests: AdjustRequests
  /// Whose calls are waited for when the launch settles.
  let tasks = TaskBag()

  /// Nothing is sent from the background.
  var isForeground = false
  /// Nothing is sent while the prompt may still be answered (vendors.md 1.6).
  var isWaitingForConsent = false
  /// Whether a failure ends the sending, because somebody waits for the end.
  var endsAtFailure = false
  /// Tells of sessions from server to server; nil when nobody does.
  var server: AdjustS2S?
  /// Whether the app hears of remote triggers.
  var hearsTriggers = false
  /// Takes each answer that ended a call.
  var take: (AdjustAnswer, AdjustPackage.Kind) -> Void = { _, _ in }

  private let pauses = TaskBag()
  private let started: WallTime

  init(
    transport: any Transport, phone: Phone, stored: AdjustStored, forms: AdjustForms, requests: AdjustRequests
  ) {
    self.transport = transport
    self.phone = phone
    self.stored = stored
    self.forms = forms
    self.requests = requests
    started = phone.now
  }

  var maySend: Bool { isForeground && !isWaitingForConsent && !stored.isOptedOut }

  /// What a package made now is made of.
  var moment: AdjustForms.Moment {
    var moment = AdjustForms.Moment(status: phone.trackingStatus, now: phone.now, started: started)
    moment.isForeground = isForeground
    moment.hearsTriggers = hearsTriggers
    return moment
  }

  /// Waits for `due`.
  /// - Throws: `CancellationError` when the pauses or the SDK are stopped.
  func pause(until due: ContinuousClock.Instant) async throws {
    try await pauses.start { try await Task.sleep(until: due, tolerance: .zero, clock: .continuous) }.value
  }

  /// Ends all that waits, and nothing that is under way.
  func stopPauses() { pauses.cancelAll() }

  func stop() {
    pauses.cancelAll()
    tasks.cancelAll()
  }
}
