import LaunchHTTP

/// The running SDK: sessions, the foreground timer, and what reports to Adjust when (vendors.md 1.3 and 1.4).
@MainActor
final class AdjustEngine {
  /// How often a running app looks at the tracking status and the clock (vendors.md 1.3 D).
  nonisolated static let foregroundInterval = Duration.seconds(60)

  let run: AdjustRun
  private let stored: AdjustStored
  private let reception: AdjustReception
  private let consentWait: AdjustConsentWait
  private let delivery: AdjustDelivery
  private let clicks: AdjustClicks
  private let question: AdjustQuestion
  private var foregroundTimer: Task<Void, any Error>?

  init(_ run: AdjustRun, _ configuration: AdjustConfiguration, _ reception: AdjustReception) {
    self.run = run
    self.reception = reception
    stored = run.stored
    consentWait = AdjustConsentWait(run, configuration)
    delivery = AdjustDelivery(run)
    clicks = AdjustClicks(run)
    question = AdjustQuestion(run)
    run.take = { [weak self] in self?.take($0, $1) }
  }

  /// - Parameter pushToken: Set before the start.
  func start(pushToken: String?) {
    consentWait.start {
      self.delivery.sendNext()
      self.clicks.sendNext()
    }
    if stored.activity == nil {
      stored.pushToken = pushToken?.nonEmpty ?? stored.pushToken
    } else {
      lookAtStatus()
      if let pushToken { setPushToken(pushToken) }
    }
    enterForeground()
  }

  /// What is left is sent first; then comes the session, if one is due.
  func enterForeground() {
    guard !run.isForeground, !stored.isOptedOut else { return }
    run.isForeground = true
    foregroundTimer = Task { try await self.keepTime() }
    delivery.sendNext()
    clicks.sendNext()
    beginSession()
    askForAttribution()
  }

  func leaveForeground() {
    guard run.isForeground else { return }
    run.isForeground = false
    foregroundTimer?.cancel()
    stored.activity?.note(at: run.phone.now)
  }

  func setPushToken(_ token: String) {
    guard !stored.isOptedOut, !token.isEmpty, token != stored.pushToken else { return }
    stored.pushToken = token
    inform(.push)
  }

  /// Ends all calls, waits and timers.
  func stop() {
    foregroundTimer?.cancel()
    run.stop()
  }

  /// Vendors.md 1.4. The package is in the store before the session counts: a process that dies in between sends a
  /// second one rather than none.
  private func beginSession() {
    let now = run.phone.now
    var activity = stored.activity ?? AdjustActivity(at: now, trackingStatus: run.phone.trackingStatus)
    if stored.activity != nil, activity.begin(at: now) != .session {
      stored.activity = activity
      return
    }
    delivery.add(run.forms.session(activity, pushToken: stored.pushToken, at: run.moment))
    if let server = run.server { report(server.session(of: run.phone.device, status: run.phone.trackingStatus)) }
    activity.counted(at: now)
    stored.activity = activity
    clicks.check()
  }

  /// From server to server, once: what comes of it changes nothing on the device.
  private func report(_ session: Request) {
    let transport = run.transport
    run.tasks.start { _ = try await transport.response(to: session) }
  }

  /// Only when none is known or a question was left unanswered (vendors.md 1.4), and in an install only after its
  /// session's answer (1.5).
  private func askForAttribution() {
    guard stored.isSessionAnswered, let activity = stored.activity else { return }
    guard reception.attribution.value == nil || activity.isAskingAttribution else { return }
    question.ask(in: .zero, .sdk)
  }

  private func keepTime() async throws {
    while true {
      try await Task.sleep(for: Self.foregroundInterval, tolerance: .zero)
      delivery.sendNext()
      stored.activity?.note(at: run.phone.now)
      lookAtStatus()
    }
  }

  private func lookAtStatus() {
    guard var activity = stored.activity, activity.trackingStatus != run.phone.trackingStatus else { return }
    activity.trackingStatus = run.phone.trackingStatus
    stored.activity = activity
    inform(.att)
  }

  private func inform(_ source: AdjustForms.Information) {
    delivery.add(run.forms.information(source, stored.activity, pushToken: stored.pushToken, at: run.moment))
  }

  private func take(_ answer: AdjustAnswer, _ kind: AdjustPackage.Kind) {
    guard answer.isOptedOut else { return reception.take(answer, kind, asking: question) }
    // Vendors.md 1.3 A: the SDK disables itself and empties the queue.
    stored.isOptedOut = true
    delivery.removeAll()
    question.cancel()
    run.stopPauses()
    foregroundTimer?.cancel()
  }
}
