public import LaunchHTTP
public import LaunchJSON
public import LaunchTrace

/// MotiSig's SDK as a launch uses it: the user, tags, attributes, events, pings, the push subscription, and the clicks on
/// messages, which outlive the process (vendors.md section 4, launch-flow.md section 6).
///
/// ```swift
/// let motiSig = MotiSigClient(transport: transport, phone: phone, store: store, marks: tap)
/// motiSig.initialize(launchPayload: payload)   // inside didFinishLaunching: a tap that started the app is taken down
/// try motiSig.setUser("u1")                    // POST users, then the push subscription once there is a token
/// try motiSig.addTags(["beta"])                // after it, in the order of the calls
/// ```
///
/// Every method returns at once; requests leave in the background, those that change something strictly one after
/// another, each in the name of the user of its call. One that fails is not tried again; clicks are. What the SDK keeps
/// on the device is in the store: a client over a store that another has filled is a later launch, also when the other
/// was killed.
///
/// Not modelled: what the SDK shows (rich notifications, listeners), its log levels, GET `/users/{id}`, and the call
/// forms below `/organizations` (vendors.md 4.2).
@MainActor
public final class MotiSigClient {
  /// Which SDK it is.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// As the guide promises (S2): a call has the user of its moment from the first `setUser` on, clicks keep theirs and
    /// wait until the server knows it, and a subscription is sent once and for a known user only.
    case promised
    /// SDK 1.0.2 with its defects (vendors.md 4.3 and 4.4, Q14): right after the first `setUser` there is no user yet;
    /// clicks go out in the name of whoever is the user then, also before the server knows it, and spin without one;
    /// a subscription is sent at each opportunity, also for a user that the server has refused.
    case faithful
  }

  /// Vendors.md 4.3.
  public nonisolated static let pingInterval = Duration.seconds(60)
  /// Vendors.md 4.4: a ping without an answer is sent once more.
  public nonisolated static let pingRetryDelay = Duration.milliseconds(1500)
  /// Where requests go without a base of one's own (vendors.md 4.1).
  public nonisolated static let baseURL = MotiSigRequests.base

  private let core: MotiSigCore
  private let marks: (any MarkSink)?
  private let users: MotiSigUsers
  private let subscriptions: MotiSigSubscriptions
  private let clicks: ClickDispatcher
  private let pings: MotiSigPings
  private var isInitialized = false

  /// - Parameters:
  ///   - store: What earlier launches have left; by default nothing.
  ///   - marks: Hears of the start, of the user's coming and going, and of clicks.
  ///   - baseURL: What stands before the paths of all requests, as the SDK's own argument has it (vendors.md 4.5).
  ///   - pingInterval: 1 to 86,400 s; what lies outside counts as the nearer end.
  public init(
    transport: any Transport, credentials: Credentials = .sample, phone: Phone, store: LaunchStore = LaunchStore(),
    marks: (any MarkSink)? = nil, mode: Mode = .promised, baseURL: Location = MotiSigClient.baseURL,
    pingInterval: Duration = MotiSigClient.pingInterval
  ) {
    let core = MotiSigCore(
      transport: transport, requests: MotiSigRequests(credentials: credentials, device: phone.device, base: baseURL),
      phone: phone, mode: mode, store: store)
    self.core = core
    self.marks = marks
    clicks = ClickDispatcher(core: core, store: store, marks: marks)
    users = MotiSigUsers(core: core, clicks: clicks)
    subscriptions = MotiSigSubscriptions(core: core)
    pings = MotiSigPings(core: core, interval: pingInterval)
  }

  /// Starts the SDK; only the first call counts. It belongs inside `didFinishLaunching`, because a tap that has started
  /// the app is taken down here, before this returns (R55, R64).
  ///
  /// Without a user from an earlier launch nothing is sent. The token is asked for when the question for permission, if
  /// there is one, has been answered.
  /// - Parameter launchPayload: The payload of the notification whose tap has started the app.
  public func initialize(launchPayload: JSONObject? = nil, skipPermissionRequest: Bool = false) {
    guard !isInitialized else { return }
    isInitialized = true
    marks?.mark("motisig initialize")
    users.resume()
    if let launchPayload { didReceiveTap(launchPayload, isForeground: false) }
    subscriptions.offer(for: users.named)
    clicks.wake()
    core.tasks.start { try await self.setUpPush(asks: !skipPermissionRequest) }
  }

  /// Names the user: POST `/users`, where 409 is as good as a success, and then the subscription if there is a token. Any
  /// other answer, or none, and there is no user again (vendors.md 4.4). An empty id is ignored.
  /// - Throws: `ClientError.missing` before `initialize`.
  public func setUser(_ id: String, _ profile: MotiSigProfile = MotiSigProfile()) throws(ClientError) {
    guard isInitialized else { throw .missing("initialize") }
    guard !id.isEmpty else { return }
    marks?.mark("motisig set user")
    users.set(id, profile)
    subscriptions.offer(for: id)
  }

  /// Sends the names and the address; tags and attributes of the profile are for new users.
  /// - Throws: `ClientError.missing` when there is no user, as for all calls below.
  public func updateUser(_ profile: MotiSigProfile) throws(ClientError) {
    try mutate { $0.updateUser($1, profile) }
  }

  public func addTags(_ tags: [String]) throws(ClientError) { try mutate { $0.addTags(tags, to: $1) } }

  public func removeTags(_ tags: [String]) throws(ClientError) { try mutate { $0.removeTags(tags, from: $1) } }

  public func setAttributes(_ attributes: JSONObject) throws(ClientError) {
    try mutate { $0.setAttributes(attributes, of: $1) }
  }

  public func removeAttributes(_ keys: [String]) throws(ClientError) {
    try mutate { $0.removeAttributes(keys, of: $1) }
  }

  public func trackEvent(_ name: String, data: JSON? = nil) throws(ClientError) {
    try mutate { $0.event(name, data: data, by: $1) }
  }

  /// The user tapped a notification: what is a message of MotiSig's is taken down before this returns, and then delivered
  /// until it has arrived or is given up. Before `initialize` nothing happens.
  /// - Parameter isForeground: Whether the app was on the screen.
  public func didReceiveTap(_ payload: JSONObject, isForeground: Bool? = nil) {
    guard isInitialized, let notification = MotiSigNotification(payload: payload) else { return }
    let userID = core.mode == .promised ? core.state.userID : nil
    clicks.record(notification.messageID, by: userID, isForeground: isForeground)
  }

  /// Apple's push service has a token: the old one is removed and this one added once there is a user.
  public func didRegisterForPush(token: String) {
    guard isInitialized, !token.isEmpty else { return }
    core.state.token = token
    subscriptions.offer(for: core.state.userID ?? users.named)
  }

  /// The app comes to the front: a ping now and at each interval, and a changed permission is told.
  public func didBecomeActive() {
    guard isInitialized else { return }
    subscriptions.permissionMayHaveChanged(for: core.state.userID)
    pings.start()
  }

  /// The app leaves the front: one more ping, and no more after it.
  public func didEnterBackground() {
    guard isInitialized else { return }
    pings.stop()
    pings.ping()
  }

  /// Forgets the user. What is queued still runs in the user's name, clicks too (R58, R59); in the faithful mode clicks
  /// wait for the next user.
  public func logout() {
    guard isInitialized else { return }
    marks?.mark("motisig logout")
    users.forget()
    // The device keeps its token; the SDK forgets it with the rest, and has it again with Apple's next callback.
    if core.mode == .faithful { core.state.token = nil }
    subscriptions.forget()
  }

  /// Returns when no call is under way and none will follow without the app's doing, and ends the pings. A click that
  /// waits for its user does not count.
  ///
  /// Without a deadline a click that fails from now on is left to the next launch.
  /// - Parameter deadline: When to return at the latest; what is under way then goes on until `stop()`.
  public func settle(until deadline: ContinuousClock.Instant? = nil) async {
    clicks.isSettling = deadline == nil
    if deadline == nil { pings.stop() }
    let quiet = Signal()
    let drain = Task {
      await core.tasks.drain()
      quiet.fire()
    }
    let timer = deadline.map { deadline in
      Task {
        try await Task.sleep(until: deadline, tolerance: .zero, clock: .continuous)
        quiet.fire()
      }
    }
    try? await quiet.wait()
    drain.cancel()
    timer?.cancel()
    pings.stop()
  }

  /// Cancels every call and wait that is under way.
  public func stop() {
    pings.stop()
    clicks.stop()
    core.tasks.cancelAll()
  }

  /// How often clicks have looked for a user in vain.
  package var spins: Int { clicks.spins }
}

extension MotiSigClient {
  private func mutate(_ request: (MotiSigRequests, _ userID: String) -> Request) throws(ClientError) {
    guard isInitialized else { throw .missing("initialize") }
    guard let userID = core.state.userID else { throw .missing("setUser") }
    let request = request(core.requests, userID)
    core.mutations.add { [core] in _ = await core.response(to: request) }
  }

  private func setUpPush(asks: Bool) async throws {
    if asks { _ = try await core.phone.requestPush() }
    guard let token = try await core.phone.pushToken() else { return }
    marks?.mark(Mark("push token", ["permission": .string(core.phone.pushPermission.rawValue)]))
    didRegisterForPush(token: token)
  }
}
