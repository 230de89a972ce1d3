/// Sends the package queue, which outlives the process: a package leaves it only with its answer (vendors.md 1.5).
@MainActor
final class AdjustDelivery {
  private let run: AdjustRun
  private let exchange: AdjustExchange
  private var queue: AdjustQueue
  private var isSending = false
  /// Nothing leaves before.
  private var rest: (end: ContinuousClock.Instant, retry: Duration?)?

  init(_ run: AdjustRun) {
    self.run = run
    exchange = AdjustExchange(run)
    queue = AdjustQueue(run.stored.packages)
  }

  /// Adds a package; it is in the store before it leaves.
  func add(_ package: AdjustPackage) {
    queue.add(package, at: .now)
    save()
    sendNext()
  }

  /// Sends what may be sent, unless that is being done.
  func sendNext() {
    let hasGivenUp = run.endsAtFailure && rest?.retry != nil
    guard !isSending, !hasGivenUp, run.maySend, queue.head != nil else { return }
    isSending = true
    run.tasks.start {
      defer { self.isSending = false }
      try await self.sendAll()
    }
  }

  func removeAll() {
    queue.removeAll()
    save()
  }

  private func sendAll() async throws {
    while run.maySend, let head = queue.head {
      guard rest == nil else {
        try await finishRest()
        continue
      }
      switch try await exchange.send(head, queue.sendingFields) {
      case .missed:
        queue.succeed()
        save()
      case .answered(let answer, _) where answer.retryIn == nil || answer.isOptedOut:
        queue.succeed()
        save()
        rest = answer.continueIn.map { (.now + $0, nil) }
        run.take(answer, head.kind)
      case .answered(let answer, let package):
        putOff(package, retryIn: answer.retryIn)
        run.take(answer, head.kind)
        guard !run.endsAtFailure else { return }
      case .unanswered(let package):
        putOff(package)
        guard !run.endsAtFailure else { return }
      }
    }
  }

  private func putOff(_ package: AdjustPackage, retryIn: Duration? = nil) {
    let wait = queue.fail(
      package, retryIn: retryIn, isInstallTracked: run.stored.isInstallTracked, at: .now, using: &run.phone.chance)
    save()
    rest = (.now + wait, wait)
  }

  private func finishRest() async throws {
    guard let rest else { return }
    try await run.pause(until: rest.end)
    if let wait = rest.retry {
      queue.headWaited(wait)
      save()
    }
    self.rest = nil
  }

  private func save() { run.stored.packages = queue.packages }
}
