import LaunchHTTP
import LaunchJSON

/// Makes the device's users known to the server, one request after the other: the SDK's user executor
/// (vendors.md 3.2, calls 2 and 6; 3.3; 3.4).
@MainActor
final class OneSignalUsers {
  private let core: OneSignalCore
  private var isSending = false
  /// The first request failed in a way that time may heal: the next flush tries again.
  private var isWaitingForFlush = false
  /// It failed while the client was settling.
  private var isGivenUp = false
  private var isPausing = false

  init(core: OneSignalCore) { self.core = core }

  /// Whether a request will leave without anybody's doing.
  var isPending: Bool { !isGivenUp && !core.state.requests.isEmpty }

  /// With the next flush, or the next session.
  func retry() {
    isWaitingForFlush = false
    run()
  }

  /// Sends the first request, if it may leave now; its answer sends the next.
  func run() {
    guard core.isOpen, !isSending, !isWaitingForFlush, !isGivenUp, let request = core.state.requests.first else {
      return
    }
    guard let wire = wire(request) else {
      // A user that has no id by now never gets one: what creates it stands before this request.
      core.change { $0.finishRequest() }
      return run()
    }
    guard isCool(request) else { return pause() }
    isSending = true
    core.start {
      let reply = try await self.core.caller.reply(to: wire)
      self.isSending = false
      self.take(reply, to: request)
      self.run()
    }
  }

  /// Nothing is asked of a user that is too new (vendors.md 3.4).
  private func isCool(_ request: OneSignalState.Request) -> Bool {
    switch request {
    case .create: true
    case .identify(let user, _), .fetch(let user, _):
      core.records.isCool(core.state.user(user)?.id ?? "", at: .now)
    }
  }

  private func pause() {
    guard !isPausing else { return }
    isPausing = true
    core.start {
      try await OneSignalCaller.pause(OneSignalClient.flushDelay)
      self.isPausing = false
      self.run()
    }
  }

  private func wire(_ request: OneSignalState.Request) -> Request? {
    let (state, requests) = (core.state, core.requests)
    switch request {
    case .create(let number):
      guard let user = state.user(number) else { return nil }
      // The subscription goes with the device, and the device to its newest user.
      if number != state.current?.number, let externalID = user.externalID {
        return requests.createUser(externalID: externalID)
      }
      return requests.createUser(externalID: user.externalID, with: state.subscription)
    case .identify(let former, let number):
      guard let id = state.user(former)?.id, let externalID = state.user(number)?.externalID else { return nil }
      return requests.identify(user: id, as: externalID)
    case .fetch(let number, _):
      return state.user(number)?.id.map(requests.fetchUser)
    }
  }

  private func take(_ reply: OneSignalReply, to request: OneSignalState.Request) {
    if reply.outcome == .retryable {
      isGivenUp = core.caller.isSettling
      isWaitingForFlush = true
      return
    }
    switch request {
    case .create(let user): takeCreation(reply, of: user)
    case .identify(let former, let user): takeIdentity(reply, of: former, as: user)
    case .fetch(let user, let isNewSession): takeUser(reply, user, isNewSession)
    }
    core.onChange()
  }

  /// An answer that names no user is as good as a refusal. Either leaves the request where it is, for the next session.
  private func takeCreation(_ reply: OneSignalReply, of number: Int64) {
    guard reply.outcome == .accepted, let id = reply.json?["identity"]?["onesignal_id"]?.string?.nonEmpty else {
      core.isHeld = true
      return
    }
    let subscription = reply.json?["subscriptions"]?.array?.first(where: \.isTokenlessPush)?["id"]?.string?.nonEmpty
    for id in [id, subscription] { if let id { core.records.note(id, at: .now) } }
    core.change { $0.created(number, id: id, subscription: subscription) }
    core.list.note(.creation, of: id, answer: reply.json)
  }

  /// 409 leads to the user who has the external id (vendors.md 3.2, call 6).
  private func takeIdentity(_ reply: OneSignalReply, of former: Int64, as number: Int64) {
    switch reply.outcome {
    case .accepted:
      // The server may not show the external id at once.
      if let id = core.state.user(former)?.id { core.records.note(id, at: .now, isRenewed: true) }
      core.change { $0.identified(former, as: number) }
    case .conflict: core.change { $0.conflicted(as: number) }
    case .missing: core.change { $0.finishRequest(losing: number) }
    case .invalid, .unauthorized, .retryable: core.change { $0.finishRequest() }
    }
  }

  /// A session's first look also shows whether the server still has the device's subscription.
  private func takeUser(_ reply: OneSignalReply, _ number: Int64, _ isNewSession: Bool) {
    let subscriptions = isNewSession ? reply.json?["subscriptions"]?.array : nil
    switch reply.outcome {
    case .accepted: core.change { $0.fetched(number, subscriptions: subscriptions?.compactMap { $0["id"]?.string }) }
    case .missing: core.change { $0.finishRequest(losing: number) }
    case .invalid, .unauthorized, .conflict, .retryable: core.change { $0.finishRequest() }
    }
  }
}

extension JSON {
  /// The form in which the server lists this device's subscription: its push has no token yet.
  fileprivate var isTokenlessPush: Bool {
    (self["type"] ?? "iOSPush") == "iOSPush" && (self["token"]?.string ?? "").isEmpty
  }
}
