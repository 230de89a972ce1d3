/// Asks for the attribution, when it is time (vendors.md 1.3 B).
@MainActor
final class AdjustQuestion {
  private let run: AdjustRun
  private let exchange: AdjustExchange
  private var timer: (due: ContinuousClock.Instant, task: Task<Void, any Error>)?

  init(_ run: AdjustRun) {
    self.run = run
    exchange = AdjustExchange(run)
  }

  /// Asks after `delay`. A longer wait that already runs stays (vendors.md 1.5).
  func ask(in delay: Duration, _ initiator: AdjustForms.Initiator) {
    let due = ContinuousClock.now + delay
    if let timer {
      guard timer.due <= due else { return }
      timer.task.cancel()
    }
    let task = run.tasks.start {
      try await Task.sleep(until: due, tolerance: .zero, clock: .continuous)
      self.timer = nil
      try await self.send(initiator)
    }
    timer = (due, task)
  }

  /// Forgets what is still to be asked.
  func cancel() {
    timer?.task.cancel()
    timer = nil
  }

  /// Not tried again when it fails, and not asked at all while nothing may be sent: the next chance is the next start
  /// or foreground.
  private func send(_ initiator: AdjustForms.Initiator) async throws {
    guard run.maySend else { return }
    let outcome = try await exchange.send(run.forms.question(initiator, at: run.moment))
    if case .answered(let answer, _) = outcome { run.take(answer, .attribution) }
  }
}
