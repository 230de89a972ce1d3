import LaunchHTTP
import LaunchJSON

/// Asks for the list of in-app messages, as of the newest write (vendors.md 3.2, call 3, and 3.4).
@MainActor
final class InAppList {
  /// Vendors.md 3.4: no longer than this for a token.
  nonisolated static let longestTokenWait = Duration.seconds(30)
  /// Vendors.md 3.4: before the next try, unless the answer says otherwise.
  nonisolated static let retryWait = Duration.seconds(1)

  private let caller: OneSignalCaller
  private let requests: OneSignalRequests
  private var writes = ReadYourWrite()
  /// Who waits for a token, and of whom.
  private var waiting: (user: String, signal: Signal)?

  init(caller: OneSignalCaller, requests: OneSignalRequests) {
    self.caller = caller
    self.requests = requests
  }

  /// A write about `user` has been answered.
  func note(_ kind: ReadYourWrite.Kind, of user: String, answer: JSON?) {
    writes.note(kind, of: user, answer: answer)
    if let waiting, writes.isReady(for: waiting.user) { waiting.signal.fire() }
  }

  /// A list that is loaded from now on is to show what the next write about `user` says.
  func expectWrite(of user: String, andOfSubscription isSubscriptionPending: Bool) {
    writes.expectWrite(of: user)
    writes.isSubscriptionPending = isSubscriptionPending
  }

  /// The answer with the messages for `subscription` of `user`; nil when there is none to be had.
  /// - Throws: `CancellationError` when the task is cancelled.
  func load(
    user: String, subscription: String, sessionDuration: @MainActor () -> Duration
  ) async throws -> JSON? {
    let write = try await newestWrite(of: user)
    try await OneSignalCaller.pause(write.delay)
    var retries: Int64 = 0
    var limit: Int64?
    while true {
      let reply = try await caller.reply(
        to: requests.messages(
          subscription: subscription, token: write.token, sessionDuration: sessionDuration(), retries: retries))
      guard reply.isTooEarly else { return reply.outcome == .accepted ? reply.json : nil }
      let most = limit ?? reply.positive("OneSignal-Retry-Limit") ?? 0
      limit = most
      guard retries < most, !caller.isSettling else { break }
      retries += 1
      try await OneSignalCaller.pause(reply.positive("Retry-After").map { .seconds($0) } ?? Self.retryWait)
    }
    // Better an old list than none: the last request names no write.
    let reply = try await caller.reply(
      to: requests.messages(subscription: subscription, token: nil, sessionDuration: sessionDuration()))
    return reply.outcome == .accepted ? reply.json : nil
  }

  private func newestWrite(of user: String) async throws -> ReadYourWrite.Write {
    if !writes.isReady(for: user) {
      let signal = Signal()
      waiting = (user, signal)
      let timer = Task {
        try await OneSignalCaller.pause(Self.longestTokenWait)
        signal.fire()
      }
      defer {
        timer.cancel()
        if waiting?.signal === signal { waiting = nil }
      }
      try await signal.wait()
    }
    writes.isSubscriptionPending = false
    return writes.newest(for: user)
  }
}

extension OneSignalReply {
  /// The server asks to be asked again: 425 and 429 (vendors.md 3.4).
  fileprivate var isTooEarly: Bool { status == 425 || status == 429 }
}
