import LaunchHTTP

/// What the parts of OneSignal's client share: what is on disk, how to send, and what is under way.
@MainActor
final class OneSignalCore {
  private static let key = "onesignal.state"

  let store: LaunchStore
  let requests: OneSignalRequests
  let caller: OneSignalCaller
  let phone: Phone
  let list: InAppList

  /// On disk before anything follows from a change.
  private(set) var state: OneSignalState { didSet { store.set(Self.key, state.json) } }
  var records = NewRecords()
  /// The parameters are known, or cannot be had: users may be spoken of.
  var isStarted = false
  /// Creating the user was refused for good: nothing is sent about anybody before the next session (vendors.md 3.4).
  var isHeld = false
  /// Called when the user or the subscription may have changed.
  var onChange: () -> Void = {}
  /// Called when nothing is under way.
  var onIdle: () -> Void = {}

  private(set) var underWay = 0
  private let tasks = TaskBag()

  init(transport: any Transport, appID: String, phone: Phone, store: LaunchStore) {
    self.store = store
    self.phone = phone
    requests = OneSignalRequests(appID: appID, device: phone.device)
    caller = OneSignalCaller(transport: transport, consent: OneSignalConsent(store: store))
    list = InAppList(caller: caller, requests: requests)
    state = OneSignalState(store[Self.key], device: phone.device)
  }

  /// Whether anything may be sent about users now.
  var isOpen: Bool { isStarted && !isHeld && caller.consent.isGranted }

  /// Makes one change of what is on disk.
  func change(_ body: (inout OneSignalState) -> Void) { body(&state) }

  /// Starts something that whoever settles waits for.
  @discardableResult
  func start(_ work: @escaping @MainActor () async throws -> Void) -> Task<Void, any Error> {
    underWay += 1
    return tasks.start {
      defer { self.finished() }
      try await work()
    }
  }

  func cancelAll() { tasks.cancelAll() }

  private func finished() {
    underWay -= 1
    if underWay == 0 { onIdle() }
  }
}
