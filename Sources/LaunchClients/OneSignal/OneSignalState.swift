import LaunchJSON

/// Who the device's user is and what is still to be sent, as the SDK keeps it on disk (vendors.md 3.3, 3.4).
///
/// A pure value: its methods are what the SDK does when something happens, less the sending. Users are numbered on the
/// device, because the server's id of one may still have to come.
struct OneSignalState: Hashable, Sendable {
  struct User: Hashable, Sendable {
    let number: Int64
    /// The `onesignal_id`; nil until the server has given it one.
    var id: String?
    /// The app's own id of the user; nil for an anonymous one.
    var externalID: String?
  }

  /// What makes a user known, one after the other.
  enum Request: Hashable, Sendable {
    case create(Int64)
    /// Gives the first, anonymous user the external id of the second.
    case identify(Int64, as: Int64)
    case fetch(Int64, isNewSession: Bool)
  }

  /// The merged changes of one flush.
  struct Update: Hashable, Sendable {
    let number: Int64
    let user: Int64
    let changes: UserChanges
  }

  private(set) var users: [User] = []
  private(set) var requests: [Request] = []
  private(set) var updates: [Update] = []
  /// Since the last flush, about the newest user.
  var changes = UserChanges()
  var subscription: PushSubscription
  /// The server knows an older form of the subscription.
  var isSubscriptionOutdated = false
  /// The user whose subscription the server has lost.
  var subscriptionOwner: Int64?

  /// Of users so far, and of updates: their numbers.
  private(set) var userCount: Int64
  private(set) var updateCount: Int64

  init(
    subscription: PushSubscription, users: [User] = [], requests: [Request] = [], updates: [Update] = [],
    userCount: Int64 = 0, updateCount: Int64 = 0
  ) {
    self.subscription = subscription
    self.users = users
    self.requests = requests
    self.updates = updates
    self.userCount = userCount
    self.updateCount = updateCount
  }

  /// The user whom the device belongs to: the newest.
  var current: User? { users.last }

  func user(_ number: Int64) -> User? { users.first { $0.number == number } }

  /// Makes an anonymous user when there is none.
  mutating func ensureUser() {
    guard users.isEmpty else { return }
    requests.append(.create(addUser(nil)))
  }

  /// Takes over what is new about the device since the subscription was stored.
  mutating func update(device: PushSubscription) {
    var device = device
    device.id = subscription.id
    guard device != subscription else { return }
    if device.id != nil, device.changeable != subscription.changeable { isSubscriptionOutdated = true }
    subscription = device
  }

  /// An anonymous user is asked to become that of `externalID`; anybody else gives way to a new one. No-op for the
  /// user it already is.
  mutating func login(_ externalID: String) {
    guard let former = current, former.externalID != externalID else { return }
    let user = addUser(externalID)
    requests.append(former.externalID == nil ? .identify(former.number, as: user) : .create(user))
  }

  /// Merges what changed since the last flush into one update.
  mutating func flush() {
    guard let current, !changes.isEmpty else { return }
    updateCount &+= 1
    updates.append(Update(number: updateCount, user: current.number, changes: changes))
    changes = UserChanges()
  }

  /// The number of the update that carries the newest change, now or with the next flush.
  var newestUpdate: Int64 { changes.isEmpty ? updateCount : updateCount &+ 1 }

  /// Whether everything up to the update of that number has been answered.
  func isAnswered(upTo number: Int64) -> Bool {
    updateCount >= number && !updates.contains { $0.number <= number }
  }

  /// At the start of a session the user is looked at again, once it has an id.
  mutating func fetch() {
    guard let current, current.id != nil else { return }
    requests.append(.fetch(current.number, isNewSession: true))
  }

  /// The first of the requests is answered for good.
  /// - Parameter user: The one it turned out to be about in vain.
  mutating func finishRequest(losing user: Int64? = nil) {
    if !requests.isEmpty { requests.removeFirst() }
    if let user { lost(user) }
    forget()
  }

  /// The same for an update.
  mutating func finish(update number: Int64, losing user: Int64? = nil) {
    updates.removeAll { $0.number == number }
    if let user { lost(user) }
    forget()
  }

  /// The user was created: it has an id, and the device's subscription may have got one. A user that the app named is
  /// then fetched, because it may have existed before.
  mutating func created(_ number: Int64, id: String, subscription: String?) {
    set(number) { $0.id = id }
    if self.subscription.id == nil { self.subscription.id = subscription }
    finishRequest()
    if number == current?.number, current?.externalID != nil { fetchLater(number) }
  }

  /// The anonymous user `former` is now the one the app named.
  mutating func identified(_ former: Int64, as number: Int64) {
    let id = user(former)?.id
    set(number) { $0.id = id }
    finishRequest()
    if number == current?.number { fetchLater(number) }
  }

  /// Somebody else has the external id: the device switches to that user, whom creating leads to.
  mutating func conflicted(as number: Int64) {
    requests.append(.create(number))
    finishRequest()
  }

  /// The user was looked at.
  /// - Parameter subscriptions: Those of the user, where it matters whether the device's is still among them; if not,
  ///   it is made anew.
  mutating func fetched(_ number: Int64, subscriptions: [String]?) {
    if number == current?.number, let id = subscription.id, let subscriptions, !subscriptions.contains(id) {
      subscription.id = nil
      subscriptionOwner = number
    }
    finishRequest()
  }

  /// The server has no such user any more, nor its subscription: an anonymous one takes the user's place.
  mutating func lost(_ number: Int64) {
    guard number == current?.number else { return }
    subscription.id = nil
    subscriptionOwner = nil
    isSubscriptionOutdated = false
    requests.append(.create(addUser(nil)))
  }

  private mutating func addUser(_ externalID: String?) -> Int64 {
    flush()
    userCount &+= 1
    users.append(User(number: userCount, externalID: externalID))
    return userCount
  }

  private mutating func fetchLater(_ number: Int64) { requests.append(.fetch(number, isNewSession: false)) }

  private mutating func set(_ number: Int64, _ change: (inout User) -> Void) {
    if let index = users.firstIndex(where: { $0.number == number }) { change(&users[index]) }
  }

  /// Drops former users that nothing mentions any more.
  private mutating func forget() {
    var mentioned = Set(requests.flatMap(\.users) + updates.map(\.user))
    for user in [subscriptionOwner, current?.number] { if let user { mentioned.insert(user) } }
    users.removeAll { !mentioned.contains($0.number) }
  }
}

extension OneSignalState.Request {
  fileprivate var users: [Int64] {
    switch self {
    case .create(let user), .fetch(let user, _): [user]
    case .identify(let former, let user): [former, user]
    }
  }
}
