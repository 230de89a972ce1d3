import LaunchHTTP

/// Keeps the server's idea of the push subscription up to date, through the queue of mutations (vendors.md 4.3).
@MainActor
final class MotiSigSubscriptions {
  private let core: MotiSigCore
  /// What the server will know once everything queued is done.
  private var expected: MotiSigSubscription?

  init(core: MotiSigCore) {
    self.core = core
    expected = core.state.subscription
  }

  /// At a start, a `setUser`, a new token: what is not known yet is sent; everything is in the faithful mode.
  func offer(for userID: String?) {
    guard let wanted = wanted(for: userID) else { return }
    let changes = wanted.changes(from: expected)
    let isKnown = !changes.contains(.add(wanted))
    send(isKnown && core.mode == .faithful ? [.add(wanted)] : changes, wanted)
  }

  /// At the front: a permission that has changed since it was sent is one PATCH.
  func permissionMayHaveChanged(for userID: String?) {
    guard let wanted = wanted(for: userID), wanted.changes(from: expected) == [.update(wanted)] else { return }
    send([.update(wanted)], wanted)
  }

  /// The user has gone.
  func forget() {
    core.state.subscription = nil
    expected = nil
  }

  private func wanted(for userID: String?) -> MotiSigSubscription? {
    guard let userID, let token = core.state.token else { return nil }
    return MotiSigSubscription(userID: userID, token: token, permission: core.phone.pushPermission)
  }

  private func send(_ changes: [MotiSigSubscription.Change], _ wanted: MotiSigSubscription) {
    guard !changes.isEmpty else { return }
    expected = wanted
    for change in changes { core.mutations.add { await self.perform(change, wanted) } }
  }

  private func perform(_ change: MotiSigSubscription.Change, _ wanted: MotiSigSubscription) async {
    let isSent = core.mode == .faithful || core.state.isRegistered(wanted.userID)
    let response = isSent ? await core.response(to: core.requests.change(change)) : nil
    // Whether an old token is gone is not looked at.
    if case .remove = change { return }
    guard let response, (200...299).contains(response.status) else {
      if expected == wanted { expected = core.state.subscription }
      return
    }
    if expected == wanted { core.state.subscription = wanted }
  }
}
