import LaunchHTTP
import LaunchJSON

/// The app in front of the user: what OneSignal's SDK does when a session begins, and again and again until it ends
/// (vendors.md 3.2 and 3.3).
@MainActor
final class OneSignalSession {
  private struct Reader: Hashable {
    var user: String
    var subscription: String
  }

  private let core: OneSignalCore
  private let users: OneSignalUsers
  private let updates: OneSignalUpdates
  private let messages: InAppMessages
  private let features: FeatureList

  private var flushes: Task<Void, any Error>?
  private var listing: Task<Void, any Error>?
  /// For whom the in-app list was asked for.
  private var reader: Reader?
  private(set) var isInitialized = false
  private var areParametersMissing = false
  private var started = ContinuousClock.now
  /// When the app went to the background.
  private var left: ContinuousClock.Instant?

  init(core: OneSignalCore, users: OneSignalUsers, updates: OneSignalUpdates, messages: InAppMessages) {
    self.core = core
    self.users = users
    self.updates = updates
    self.messages = messages
    features = FeatureList(core: core)
  }

  /// Whether something will be sent without the app's doing, the periodic calls aside.
  var isPending: Bool {
    flushes != nil && left == nil && core.isOpen && (users.isPending || updates.isPending)
  }

  func initialize() {
    isInitialized = true
    started = .now
    loadParameters()
    startUser()
    features.start()
    flushes = Task { try await self.flushPeriodically() }
  }

  /// Ends what is periodic.
  func end() {
    flushes?.cancel()
    flushes = nil
    features.stop()
  }

  /// What has changed is sent at once.
  func leave() {
    guard isInitialized, left == nil else { return }
    left = .now
    features.stop()
    updates.flush()
  }

  /// After more than 30 s the app comes back to a new session.
  func comeBack() {
    guard let left else { return }
    self.left = nil
    features.start()
    guard .now - left > OneSignalClient.sessionGap else { return }
    started = .now
    if areParametersMissing { loadParameters() }
    if core.isStarted, core.caller.consent.isGranted { startSession() }
  }

  /// There is a user from the first moment on, but nothing is said about it before the parameters are known: they may
  /// demand consent (vendors.md 3.2 and 3.4, "params → create user").
  func startUser() {
    guard isInitialized, core.caller.consent.isGranted else { return }
    core.change { state in
      state.ensureUser()
      state.update(device: PushSubscription(of: core.phone.device))
    }
    guard !core.isStarted, areParametersMissing || core.caller.consent.areParametersKnown else { return }
    core.isStarted = true
    startSession()
  }

  /// Another user or another subscription gets another list.
  func loadListIfOutdated() {
    guard let reader = currentReader, reader != self.reader else { return }
    loadList()
  }

  /// The session is counted at once, if the user has been known for a while, and the user looked at; the list shows
  /// what that brings.
  private func startSession() {
    core.isHeld = false
    core.change { state in
      state.fetch()
      state.changes.sessionCount &+= 1
    }
    if let user = core.state.current?.id {
      core.list.expectWrite(of: user, andOfSubscription: core.state.isSubscriptionOutdated)
    }
    users.retry()
    updates.flush()
    loadList()
  }

  private var currentReader: Reader? {
    guard let user = core.state.current?.id, let subscription = core.state.subscription.id else { return nil }
    return Reader(user: user, subscription: subscription)
  }

  private func loadList() {
    guard let reader = currentReader else { return }
    self.reader = reader
    listing?.cancel()
    listing = core.start {
      let list = try await self.core.list.load(
        user: reader.user, subscription: reader.subscription, sessionDuration: { .now - self.started })
      if let list { self.messages.take(list, subscription: reader.subscription) }
    }
  }

  /// A failure is made good with the next session (vendors.md 3.2, call 1).
  private func loadParameters() {
    core.start {
      let reply = try await self.core.caller.reply(to: self.core.requests.parameters)
      if reply.outcome == .accepted, let parameters = reply.json, parameters.object != nil {
        self.core.caller.consent.take(parameters: parameters)
        self.areParametersMissing = false
      } else {
        self.areParametersMissing = true
      }
      self.startUser()
    }
  }

  private func flushPeriodically() async throws {
    var next = ContinuousClock.now
    while true {
      next += OneSignalClient.flushInterval
      try await Task.sleep(until: next, tolerance: .zero, clock: .continuous)
      if left == nil { updates.flush() }
    }
  }
}
