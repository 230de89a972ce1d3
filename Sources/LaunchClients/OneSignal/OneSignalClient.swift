public import LaunchHTTP
public import LaunchJSON
public import LaunchTrace

/// OneSignal's SDK as a launch uses it: the user, tags, triggers and in-app messages (vendors.md section 3).
///
/// ```swift
/// let oneSignal = OneSignalClient(transport: transport, appID: appID, phone: phone, marks: tap)
/// oneSignal.initialize()
/// oneSignal.isPaused = true
/// oneSignal.addTags(["mmp_id": "0a1b"])  // on the wire with the next flush, up to 5 s later
/// ```
///
/// Every method returns at once; requests leave in the background. A call that fails is not an error of the app's, and
/// what depends on it does not happen in this launch.
///
/// Not modelled yet: the five tries 5, 15, 45 and 135 s apart after 5xx or no answer, and what each class of status does
/// to the queue and the user, such as a user made anew after 404 (vendors.md 3.4); asking for the in-app list again after
/// 425 or 429, and with the token of a later write (3.4); consent and identity verification, which the parameters can
/// demand (3.1, 3.2); the feature list, and changes of subscription, identity and session (3.2); clicks on a message
/// (3.2, call 5); later launches and sessions, with the user on disk (3.3).
@MainActor
public final class OneSignalClient {
  /// Vendors.md 3.4: the operation repository is flushed every 5000 ms.
  public nonisolated static let flushInterval = Duration.seconds(5)
  /// Vendors.md 3.4: nothing is asked of a new user for 3 s.
  public nonisolated static let coolDown = Duration.seconds(3)
  /// Vendors.md 3.4: the user executor's flush delay, after which what was held back by the cool-down is sent.
  public nonisolated static let flushDelay = Duration.milliseconds(3200)

  private struct User {
    var id: String
    var subscription: String
    var created: ContinuousClock.Instant
    var isCool: Bool { .now - created >= OneSignalClient.coolDown }
  }

  private let transport: any Transport
  private let requests: OneSignalRequests
  private let phone: Phone
  private let marks: (any MarkSink)?
  private let tasks = TaskBag()
  private let messages: InAppMessages

  /// Nil until the client is initialized.
  private var nextFlush: ContinuousClock.Instant?
  private var flushes: Task<Void, any Error>?
  private var user: User?
  private var readYourWriteToken: String?
  private var changes = UserChanges()
  private var userObservers: [@MainActor (String) -> Void] = []

  /// - Parameter marks: Hears of every call of the app, not of the requests.
  public init(transport: any Transport, appID: String, phone: Phone, marks: (any MarkSink)? = nil) {
    self.transport = transport
    self.phone = phone
    self.marks = marks
    requests = OneSignalRequests(appID: appID, device: phone.device)
    messages = InAppMessages(transport: transport, requests: requests, phone: phone, tasks: tasks)
  }

  /// Starts the SDK: parameters, the user, the in-app list, and the flushes. Only the first call counts.
  public func initialize() {
    guard nextFlush == nil else { return }
    nextFlush = .now + Self.flushInterval
    marks?.mark("onesignal initialize")
    changes.sessionCount = 1
    tasks.start { try await self.start() }
    flushes = Task { try await self.flushPeriodically() }
  }

  /// The user's id, once creating the user has succeeded.
  public var onesignalID: String? { user?.id }

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

  /// Adds tags to the user. They leave with the next flush, merged with all else that changed until then.
  public func addTags(_ tags: JSONObject) {
    marks?.mark(Mark("tags added", tags))
    for tag in tags.members { changes.tags[tag.key] = tag.value }
  }

  /// Returns when everything that will be sent without the app's doing has been answered, and stops the flushes.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func settle() async throws {
    await tasks.drain()
    while let nextFlush, user != nil, !changes.isEmpty {
      try await Task.sleep(until: nextFlush, tolerance: .zero, clock: .continuous)
      flush()
      await tasks.drain()
    }
    flushes?.cancel()
  }

  /// Cancels every call and wait that is under way.
  public func stop() {
    flushes?.cancel()
    tasks.cancelAll()
  }

  /// Parameters, then the user; the answer to the first is not needed for the second (vendors.md 3.2).
  private func start() async throws {
    _ = try? await transport.success(of: requests.parameters)
    let response = try await transport.success(of: requests.createUser)
    guard let json = response.json, let id = json["identity"]?["onesignal_id"]?.string,
      let subscription = json["subscriptions"]?[0]?["id"]?.string
    else { throw ClientError.unreadable("create user") }
    user = User(id: id, subscription: subscription, created: .now)
    readYourWriteToken = json["ryw_token"]?.string
    for observer in userObservers { observer(id) }
    tasks.start {
      try await Task.sleep(for: Self.flushDelay)
      self.flush()
    }
    try await loadMessages(for: subscription, after: json["ryw_delay"]?.integer)
  }

  /// The list is asked for with the token of the user's creation once the server may have caught up; without a delay in
  /// the answer at once: the SDK's own default of half a second is an integer constant and becomes 0 (vendors.md 3.4).
  private func loadMessages(for subscription: String, after milliseconds: Int64?) async throws {
    try await Task.sleep(for: .milliseconds(max(0, milliseconds ?? 0)))
    let request = requests.messages(
      subscription: subscription, token: readYourWriteToken, sessionDuration: phone.uptime)
    let response = try await transport.success(of: request)
    let list = response.json?["in_app_messages"]?.array ?? []
    messages.load(list.compactMap { InAppMessage($0, language: phone.device.language) }, subscription: subscription)
  }

  private func flushPeriodically() async throws {
    while let nextFlush {
      try await Task.sleep(until: nextFlush, tolerance: .zero, clock: .continuous)
      self.nextFlush = nextFlush + Self.flushInterval
      flush()
    }
  }

  /// Sends what changed, as one update; keeps it while there is no user, or a user that is too new.
  private func flush() {
    guard let user, user.isCool, !changes.isEmpty else { return }
    let request = requests.update(user: user.id, subscription: user.subscription, with: changes)
    changes = UserChanges()
    tasks.start {
      let response = try await self.transport.success(of: request)
      self.readYourWriteToken = response.json?["ryw_token"]?.string ?? self.readYourWriteToken
    }
  }
}
