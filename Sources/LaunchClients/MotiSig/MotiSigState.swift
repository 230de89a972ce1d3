import LaunchJSON

/// What MotiSig's SDK keeps on the device beside its clicks.
struct MotiSigState: Sendable {
  private static let userKey = "motisig.user"
  private static let registeredKey = "motisig.registered"
  private static let tokenKey = "motisig.token"
  private static let subscriptionKey = "motisig.subscription"
  /// How many users are remembered as known to the server: those with clicks still to be delivered, by far.
  private static let registeredLimit = 100

  private let store: LaunchStore

  init(_ store: LaunchStore) { self.store = store }

  /// Whom the app has named last; nil after a logout.
  var userID: String? {
    get { store[Self.userKey]?.string }
    nonmutating set { store.set(Self.userKey, newValue.map(JSON.string)) }
  }

  /// Apple's token, once it has come.
  var token: String? {
    get { store[Self.tokenKey]?.string }
    nonmutating set { store.set(Self.tokenKey, newValue.map(JSON.string)) }
  }

  /// What the server has acknowledged last.
  var subscription: MotiSigSubscription? {
    get { MotiSigSubscription(store[Self.subscriptionKey]) }
    nonmutating set { store.set(Self.subscriptionKey, newValue?.json) }
  }

  /// Whether the server has taken POST `/users` for the user, ever.
  func isRegistered(_ userID: String) -> Bool { registered.contains(.string(userID)) }

  func remember(registered userID: String) {
    guard registered.last != .string(userID) else { return }
    let others = registered.filter { $0 != .string(userID) }
    store.set(Self.registeredKey, .array((others + [.string(userID)]).suffix(Self.registeredLimit)))
  }

  private var registered: [JSON] { store[Self.registeredKey]?.array ?? [] }
}
