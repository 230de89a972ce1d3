import LaunchHTTP
import LaunchJSON

/// Sends what changed about users and the subscription: the SDK's operation repository (vendors.md 3.4).
///
/// Everything is on disk before it is sent, and stays there until it is answered. What failed in a way that time may heal
/// leaves again with the next flush, as the newest SDK has it for subscriptions; of several updates only the first, until
/// the server takes one.
///
/// As in the SDK, no update waits for the one before it: one that is tried again may arrive after a younger one, and
/// overwrite what that said.
@MainActor
final class OneSignalUpdates {
  private let core: OneSignalCore
  private let users: OneSignalUsers
  private var sent: Set<Int64> = []
  /// The last update failed in a way that time may heal.
  private var isHealing = false
  private var isSubscriptionSent = false
  /// What failed while the client was settling.
  private var givenUp: Set<Int64> = []
  private var isSubscriptionGivenUp = false

  private var watches: [Watch] = []

  /// Somebody who waits for the answers to all updates up to one.
  private final class Watch {
    let number: Int64
    let answered = Signal()
    var isRefused = false

    init(upTo number: Int64) { self.number = number }
  }

  init(core: OneSignalCore, users: OneSignalUsers) {
    self.core = core
    self.users = users
  }

  /// Returns when everything that has changed so far has been answered: whether all of it was accepted. Returns early
  /// when something was not.
  /// - Throws: `CancellationError` when the task is cancelled.
  func areAccepted() async throws -> Bool {
    guard core.caller.consent.isGranted else { return false }
    let watch = Watch(upTo: core.state.newestUpdate)
    guard !core.state.isAnswered(upTo: watch.number) else { return true }
    watches.append(watch)
    defer { watches.removeAll { $0 === watch } }
    try await watch.answered.wait()
    return !watch.isRefused
  }

  /// Whether something will leave with one of the next flushes.
  var isPending: Bool {
    let state = core.state
    if !state.changes.isEmpty, state.current?.id != nil { return true }
    if state.updates.contains(where: { !givenUp.contains($0.number) && state.user($0.user)?.id != nil }) { return true }
    return subscriptionWrite != nil && !isSubscriptionGivenUp
  }

  /// Merges what has changed since the last time, and sends everything that may leave now.
  func flush() {
    guard core.isOpen else { return }
    core.change { $0.flush() }
    users.retry()
    sendSubscription()
    sendUpdates()
  }

  private func sendUpdates() {
    for update in core.state.updates {
      if isHealing, !sent.isEmpty, !core.caller.isSettling { return }
      send(update)
    }
  }

  private func send(_ update: OneSignalState.Update) {
    guard let id = core.state.user(update.user)?.id, core.records.isCool(id, at: .now), !sent.contains(update.number),
      !givenUp.contains(update.number)
    else { return }
    let request = core.requests.update(user: id, subscription: core.state.subscription.id, with: update.changes)
    sent.insert(update.number)
    core.start {
      let reply = try await self.core.caller.reply(to: request)
      self.sent.remove(update.number)
      self.take(reply, to: update, of: id)
    }
  }

  private func take(_ reply: OneSignalReply, to update: OneSignalState.Update, of id: String) {
    let isHealed = isHealing && reply.outcome != .retryable
    isHealing = reply.outcome == .retryable
    switch reply.outcome {
    case .accepted:
      core.change { $0.finish(update: update.number) }
      core.list.note(.update, of: id, answer: reply.json)
    case .missing:
      core.change { $0.finish(update: update.number, losing: update.user) }
      users.run()
    case .retryable:
      if core.caller.isSettling { givenUp.insert(update.number) }
    case .invalid, .unauthorized, .conflict:
      core.change { $0.finish(update: update.number) }
    }
    for watch in watches where update.number <= watch.number {
      if reply.outcome != .accepted, reply.outcome != .retryable { watch.isRefused = true }
      if watch.isRefused || core.state.isAnswered(upTo: watch.number) { watch.answered.fire() }
    }
    if isHealed, core.isOpen { sendUpdates() }
  }

  /// What is to be said about the subscription: that it has changed, or that it exists (vendors.md 3.2, call 6).
  private enum SubscriptionWrite {
    case update(String)
    case creation(user: Int64, id: String)
  }

  private var subscriptionWrite: SubscriptionWrite? {
    let state = core.state
    if let owner = state.subscriptionOwner {
      return state.user(owner)?.id.map { .creation(user: owner, id: $0) }
    }
    return state.isSubscriptionOutdated ? state.subscription.id.map { .update($0) } : nil
  }

  private func sendSubscription() {
    guard let write = subscriptionWrite, !isSubscriptionSent, !isSubscriptionGivenUp else { return }
    let request: Request
    switch write {
    case .update(let id):
      guard core.records.isCool(id, at: .now) else { return }
      request = core.requests.updateSubscription(id, to: core.state.subscription)
    case .creation(_, let user):
      guard core.records.isCool(user, at: .now) else { return }
      request = core.requests.createSubscription(core.state.subscription, for: user)
    }
    isSubscriptionSent = true
    core.start {
      let reply = try await self.core.caller.reply(to: request)
      self.isSubscriptionSent = false
      self.take(reply, to: write)
    }
  }

  /// Both ways of writing say all there is to say about the subscription.
  private func take(_ reply: OneSignalReply, to write: SubscriptionWrite) {
    guard reply.outcome != .retryable else {
      isSubscriptionGivenUp = core.caller.isSettling
      return
    }
    core.change { $0.isSubscriptionOutdated = false }
    switch write {
    case .update:
      guard reply.outcome == .accepted, let user = core.state.current?.id else { return }
      core.list.note(.subscription, of: user, answer: reply.json)
    case .creation(let user, let id):
      let made = reply.json?["subscription"]?["id"]?.string?.nonEmpty
      core.change { state in
        state.subscriptionOwner = nil
        if reply.outcome == .accepted { state.subscription.id = state.subscription.id ?? made }
        if reply.outcome == .missing { state.lost(user) }
      }
      if reply.outcome == .accepted { core.list.note(.subscription, of: id, answer: reply.json) }
      users.run()
      core.onChange()
    }
  }
}
