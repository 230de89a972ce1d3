import LaunchHTTP

/// Who the user is, here and at the server (vendors.md 4.3 and 4.4).
@MainActor
final class MotiSigUsers {
  /// Whom the app has named last, also when the SDK has not got to it yet.
  private(set) var named: String?

  private let core: MotiSigCore
  private let clicks: ClickDispatcher
  /// Counts what changes the user, so that an answer knows whether it is about the present one.
  private var turn = 0

  init(core: MotiSigCore, clicks: ClickDispatcher) {
    self.core = core
    self.clicks = clicks
  }

  /// At a start: the user of an earlier launch. Its process may have died on the way from the call to the disk, or to the
  /// server.
  func resume() {
    named = core.state.userID
    guard let named, core.mode == .promised else { return }
    clicks.assign(to: named)
    if !core.state.isRegistered(named) { register(named, MotiSigProfile()) }
  }

  func set(_ id: String, _ profile: MotiSigProfile) {
    turn += 1
    named = id
    if core.mode == .promised {
      core.state.userID = id
      clicks.assign(to: id)
    }
    register(id, profile)
  }

  func forget() {
    turn += 1
    named = nil
    core.state.userID = nil
  }

  private func register(_ id: String, _ profile: MotiSigProfile) {
    let turn = turn
    core.mutations.add {
      if self.core.mode == .faithful { await self.announce(id, turn) }
      let response = await self.core.response(to: self.core.requests.createUser(id, profile))
      guard !Task.isCancelled else { return }
      if let response, (200...299).contains(response.status) || response.status == 409 {
        self.core.state.remember(registered: id)
        self.clicks.wake()
      } else if self.turn == turn {
        self.core.state.userID = nil
        self.named = nil
      }
    }
  }

  /// The SDK stores the user and wakes the clicks before it tells the server (vendors.md 4.4).
  private func announce(_ id: String, _ turn: Int) async {
    if self.turn == turn { core.state.userID = id }
    clicks.wake()
    await Task.yield()
  }
}
