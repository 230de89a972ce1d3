import LaunchHTTP

/// Reports Apple Ads' token as a click, in a queue of its own beside the packages (vendors.md 1.3 C).
///
/// The queue is lost with the process; what stays is whether the click was answered, so that a later session makes
/// another.
@MainActor
final class AdjustClicks {
  /// From a failed question for the token to the only other one.
  nonisolated static let tokenRetry = Duration.seconds(5)

  private let run: AdjustRun
  private let exchange: AdjustExchange
  private var queue: [AdjustPackage] = []
  private var retries = 0
  private var retryIn: Duration?

  init(_ run: AdjustRun) {
    self.run = run
    exchange = AdjustExchange(run)
  }

  /// A session has begun.
  func check() {
    guard !run.stored.isAppleAdsTracked || run.stored.attribution == nil else { return }
    run.tasks.start { try await self.report() }
  }

  /// Sends what may be sent.
  func sendNext() {
    while run.maySend, !queue.isEmpty {
      let click = queue.removeFirst()
      run.tasks.start { try await self.send(click) }
    }
  }

  private func report() async throws {
    var token = try await run.phone.adServicesToken(attempt: 1)
    if case .failure(let error)? = token, error != .platformNotSupported {
      try await run.pause(until: .now + Self.tokenRetry)
      token = try await run.phone.adServicesToken(attempt: 2)
    }
    guard let token, !run.stored.isOptedOut else { return }
    add(run.forms.click(token, run.stored.activity, pushToken: run.stored.pushToken, at: run.moment))
  }

  private func add(_ click: AdjustPackage) {
    queue.append(click)
    sendNext()
  }

  private func send(_ click: AdjustPackage) async throws {
    if let wait = nextWait { try await run.pause(until: .now + wait) }
    guard run.maySend else { return queue.insert(click, at: 0) }
    switch try await exchange.send(refreshed(click)) {
    case .missed: return
    case .unanswered(let package):
      if retries < .max { retries += 1 }
      tryAgain(package)
    case .answered(let answer, let package):
      retries = 0
      retryIn = answer.isOptedOut ? nil : answer.retryIn
      guard retryIn == nil else { return tryAgain(package) }
      run.stored.isAppleAdsTracked = true
      run.take(answer, .click)
    }
  }

  private var nextWait: Duration? {
    retries == 0 ? retryIn : AdjustQueue.quickBackoff.wait(beforeRetry: retries, using: &run.phone.chance)
  }

  private func tryAgain(_ click: AdjustPackage) {
    queue.append(click)
    if !run.endsAtFailure { sendNext() }
  }

  /// The token is fetched anew just before sending; another one makes another click.
  private func refreshed(_ click: AdjustPackage) -> AdjustPackage {
    let token = run.phone.currentAdServicesToken
    guard let old = click.form["attribution_token"], old != token else { return click }
    var click = click
    click.form["attribution_token"] = token
    click.form["created_at"] = run.phone.now.adjust
    return click
  }
}
