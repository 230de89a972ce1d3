import LaunchTrace

/// Holds the launch for an in-app message: opens it the way, and closes when it has been looked at or time is up
/// (launch-flow.md section 2, steps 15 to 23).
@MainActor
final class InAppGate {
  private static let trigger = "app_ready"

  private let oneSignal: OneSignalClient
  private let log: WaitingTimeLog
  private let tasks: TaskBag
  private let limit: Duration
  private let home = Signal()
  private var isDisplayed = false
  /// Whether the gate's own timer opens home over a message that is on the screen (Q7).
  private let isCut: Bool

  init(edition: LaunchEdition, oneSignal: OneSignalClient, log: WaitingTimeLog, tasks: TaskBag) {
    limit = edition == .published ? LaunchNumbers.gateLimit : LaunchNumbers.strictGateLimit
    isCut = edition == .published
    self.oneSignal = oneSignal
    self.log = log
    self.tasks = tasks
  }

  /// The display listener's callback: 2.8 s later home may open, if the gate's own timer has not been faster (Q7).
  func didDisplay() {
    guard !isDisplayed else { return }
    isDisplayed = true
    log.mark(.didDisplay)
    tasks.start {
      // The published flow paints the message's web view white again and again while it animates in.
      for _ in 0..<LaunchNumbers.paintRounds { try await Task.sleep(for: LaunchNumbers.paintInterval) }
      try await Task.sleep(for: LaunchNumbers.waitAfterPaint)
      self.signalHome()
    }
  }

  /// Steps 15 to 21. The trigger is set before the first unpause (R33).
  /// - Throws: `CancellationError` when the task is cancelled.
  func pass() async throws {
    log.mark(.startInAppWait)
    oneSignal.addTrigger(Self.trigger, "true")
    oneSignal.isPaused = false
    let rounds = tasks.start {
      for _ in 0..<LaunchNumbers.gateRounds { try await self.attempt(then: LaunchNumbers.gateRoundInterval) }
    }
    let timer = tasks.start {
      try await Task.sleep(for: self.limit)
      if self.isCut || !self.isDisplayed { self.signalHome() }
    }
    try await home.wait()
    rounds.cancel()
    timer.cancel()
    log.mark(.gateFinished)
  }

  /// The gate of a launch whose tags nobody has acknowledged: messages stay paused, and home may open at once.
  func passClosed() {
    log.mark(.startInAppWait)
    log.mark(.gateFinished)
  }

  /// Step 23: after home, until a message is displayed.
  /// - Throws: `CancellationError` when the task is cancelled.
  func attemptLate() async throws {
    for _ in 0..<LaunchNumbers.lateRounds where !isDisplayed {
      try await attempt(then: LaunchNumbers.lateRoundInterval)
    }
  }

  private func attempt(then pause: Duration) async throws {
    openTheWay()
    try await Task.sleep(for: pause)
  }

  private func openTheWay() {
    oneSignal.isPaused = false
    oneSignal.addTrigger(Self.trigger, "true")
  }

  /// Step 20: the first one only.
  private func signalHome() {
    guard !home.hasFired else { return }
    openTheWay()
    home.fire()
  }
}
