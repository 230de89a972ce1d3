import LaunchHTTP

/// Sends OneSignal's requests: withholds what needs the user's consent, and tries again what no server has answered.
@MainActor
final class OneSignalCaller {
  /// Vendors.md 3.4: five attempts in all, these waits between them.
  nonisolated static let retryWaits: [Duration] = [.seconds(5), .seconds(15), .seconds(45), .seconds(135)]
  /// No server makes a client wait longer than this, whatever it answers. The SDK has no limit.
  nonisolated static let longestWait = Duration.seconds(3600)

  let consent: OneSignalConsent
  /// Whether a failure is final from now on: whoever waits for the last answer must not wait for ever.
  var isSettling = false

  private let transport: any Transport

  init(transport: any Transport, consent: OneSignalConsent) {
    self.transport = transport
    self.consent = consent
  }

  /// The answer to `request`, after as many attempts as it takes.
  ///
  /// Without consent only GET requests go out (vendors.md 3.1); the others count as unanswered.
  /// - Throws: `CancellationError` when the task is cancelled.
  func reply(to request: Request) async throws -> OneSignalReply {
    var waits = Self.retryWaits[...]
    while true {
      guard request.method == "GET" || consent.isGranted else { return .none }
      let reply = try await attempt(request)
      guard reply.isServersFault, !isSettling, let wait = waits.popFirst() else { return reply }
      try await Self.pause(wait)
    }
  }

  /// The same with one attempt only.
  func attempt(_ request: Request) async throws -> OneSignalReply {
    let reply: OneSignalReply
    do throws(TransportError) {
      reply = OneSignalReply(try await transport.response(to: request))
    } catch {
      reply = error.isMiss ? .missed : .none
    }
    try Task.checkCancellation()
    return reply
  }

  /// - Throws: `CancellationError` when the task is cancelled.
  static func pause(_ wait: Duration) async throws {
    try await Task.sleep(until: .now + max(.zero, min(wait, longestWait)), tolerance: .zero, clock: .continuous)
  }
}
