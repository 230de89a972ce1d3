public import LaunchHTTP
public import LaunchJSON
public import LaunchTrace

/// OneSignal's SDK as a launch uses it: the user, tags, triggers and in-app messages (vendors.md section 3).
///
/// ```swift
/// let oneSignal = OneSignalClient(transport: transport, appID: appID, phone: phone, store: store, marks: tap)
/// oneSignal.initialize()
/// oneSignal.isPaused = true
/// oneSignal.addTags(["mmp_id": "0a1b"])  // on the wire with the next flush, up to 5 s later
/// ```
///
/// Every method returns at once; requests leave in the background. A call that fails is not an error of the app's. What
/// the SDK keeps on disk is in the store: a client over a store that another has filled is a later launch (vendors.md
/// 3.3), also when the other was killed.
///
/// Not modelled: identity verification, with its signed requests (vendors.md 3.1); the token that comes with the
/// permission to push, which the published launch never asks for; session times, the sessions of newer builds, which a
/// feature switches on, and clicks on a message (3.2, calls 4 to 6).
@MainActor
public final class OneSignalClient {
  /// Vendors.md 3.4: the operation repository is flushed every 5000 ms.
  public nonisolated static let flushInterval = Duration.seconds(5)
  /// Vendors.md 3.4: nothing is asked of a new user for 3 s.
  public nonisolated static let coolDown = Duration.seconds(3)
  /// Vendors.md 3.4: the user executor's flush delay, after which it tries again what the cool-down held back.
  public nonisolated static let flushDelay = Duration.milliseconds(3200)
  /// Vendors.md 3.3: who comes back to the app after more than this begins a new session.
  public nonisolated static let sessionGap = Duration.seconds(30)

  private let core: OneSignalCore
  private let users: OneSignalUsers
  private let updates: OneSignalUpdates
  private let session: OneSignalSession
  private let messages: InAppMessages
  private let marks: (any MarkSink)?
  private var userObservers: [@MainActor (String) -> Void] = []
  /// Whom the observers know of.
  private var announced: OneSignalState.User?
  private var quiet: Signal?

  /// - Parameters:
  ///   - store: What earlier launches have left; by default nothing.
  ///   - marks: Hears of every call of the app, not of the requests.
  public init(
    transport: any Transport, appID: String, phone: Phone, store: LaunchStore = LaunchStore(),
    marks: (any MarkSink)? = nil
  ) {
    self.marks = marks
    core = OneSignalCore(transport: transport, appID: appID, phone: phone, store: store)
    users = OneSignalUsers(core: core)
    messages = InAppMessages(core: core)
    updates = OneSignalUpdates(core: core, users: users)
    session = OneSignalSession(core: core, users: users, updates: updates, messages: messages)
    announced = core.state.current
    core.onChange = { [weak self] in self?.userMayHaveChanged() }
    core.onIdle = { [weak self] in self?.lookForQuiet() }
  }

  /// Starts the SDK: parameters and features, the user, the in-app list, and the flushes. Only the first call counts.
  public func initialize() {
    guard !session.isInitialized else { return }
    marks?.mark("onesignal initialize")
    session.initialize()
  }

  /// The user's id: from disk, or once creating the user has succeeded. Nil without the user's consent.
  public var onesignalID: String? {
    session.isInitialized && core.caller.consent.isGranted ? core.state.current?.id : nil
  }

  /// Calls `observer` with the id each time the user changes; nothing is replayed.
  public func addUserObserver(_ observer: @escaping @MainActor (String) -> Void) { userObservers.append(observer) }

  /// Calls back when a message is about to appear and when it has appeared.
  public func addLifecycleListener(
    willDisplay: @escaping @MainActor () -> Void, didDisplay: @escaping @MainActor () -> Void
  ) {
    messages.listeners.append((willDisplay, didDisplay))
    marks?.mark("lifecycle listener added")
  }

  /// Whether in-app messages are held back. Setting it to false looks for a message at once, and is no request by
  /// itself (vendors.md 3.4).
  public var isPaused: Bool {
    get { messages.isPaused }
    set {
      marks?.mark(newValue ? "in-app paused" : "in-app unpaused")
      messages.isPaused = newValue
    }
  }

  /// Sets a trigger for in-app messages: local, no request (vendors.md 3.4).
  public func addTrigger(_ name: String, _ value: String) {
    marks?.mark(Mark("trigger set", [name: .string(value)]))
    messages.triggers[name] = value
  }

  /// Adds tags to the user. They leave with the next flush, merged with all else that changed until then. Without the
  /// user's consent they are lost, as the SDK loses them.
  public func addTags(_ tags: JSONObject) {
    marks?.mark(Mark("tags added", tags))
    guard core.caller.consent.isGranted, !tags.isEmpty else { return }
    core.change { state in
      for tag in tags.members { state.changes.tags[tag.key] = tag.value }
    }
  }

  /// Returns when the server has answered everything that the user was changed by so far, however long that takes:
  /// whether it has accepted all of it. The SDK has nothing like it; an app that must know asks the server.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func changesAcknowledged() async throws -> Bool { try await updates.areAccepted() }

  /// Makes the user the one that the app knows as `externalID`: an anonymous user gets the id, unless somebody has it
  /// already; then the device switches to that somebody (vendors.md 3.2, call 6). Nothing happens for an empty id,
  /// before `initialize()`, or without the user's consent.
  public func login(_ externalID: String) {
    guard session.isInitialized, core.caller.consent.isGranted, !externalID.isEmpty else { return }
    core.change { $0.login(externalID) }
    userMayHaveChanged()
    users.run()
  }

  /// Whether the app demands the user's consent; kept over launches. The server's parameters can demand it as well.
  public var isConsentRequired: Bool {
    get { core.caller.consent.isRequiredByApp }
    set {
      core.caller.consent.isRequiredByApp = newValue
      consentMayHaveChanged()
    }
  }

  /// Whether the user has consented; kept over launches. Where consent is required only GET requests go out without it
  /// (vendors.md 3.1).
  public var isConsentGiven: Bool {
    get { core.caller.consent.isGiven }
    set {
      core.caller.consent.isGiven = newValue
      consentMayHaveChanged()
    }
  }

  /// The app leaves the foreground: what has changed is sent at once.
  public func didEnterBackground() { session.leave() }

  /// The app comes back: to a new session after more than 30 s (vendors.md 3.3).
  public func willEnterForeground() { session.comeBack() }

  /// Returns when no call is under way and none will follow without the app's doing, and ends the periodic ones: the
  /// flushes, and the polls of the feature list.
  ///
  /// Without a deadline a call that fails from now on is not tried again, though the SDK might do so for ever.
  /// - Parameter deadline: When to return at the latest, whatever is under way then goes on until `stop()`.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func settle(until deadline: ContinuousClock.Instant? = nil) async throws {
    core.caller.isSettling = deadline == nil
    if !isQuiet {
      let quiet = Signal()
      self.quiet = quiet
      let timer = deadline.map { deadline in
        Task {
          try await Task.sleep(until: deadline, tolerance: .zero, clock: .continuous)
          quiet.fire()
        }
      }
      defer { timer?.cancel() }
      try await quiet.wait()
    }
    session.end()
  }

  /// Cancels every call and wait that is under way.
  public func stop() {
    session.end()
    core.cancelAll()
  }

  private var isQuiet: Bool { core.underWay == 0 && !session.isPending }

  private func lookForQuiet() {
    if isQuiet { quiet?.fire() }
  }

  private func consentMayHaveChanged() {
    session.startUser()
    lookForQuiet()
  }

  private func userMayHaveChanged() {
    if let user = core.state.current, let id = user.id, user != announced {
      announced = user
      for observer in userObservers { observer(id) }
    }
    session.loadListIfOutdated()
  }
}
