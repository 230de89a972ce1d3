import LaunchJSON

/// Whether the user has agreed to being known, where app or server demand it; kept over launches (vendors.md 3.1).
@MainActor
final class OneSignalConsent {
  private static let givenKey = "onesignal.consent-given"
  private static let appsKey = "onesignal.consent-required"
  private static let parametersKey = "onesignal.parameters"
  private static let serversMember = "requires_user_privacy_consent"

  private let store: LaunchStore

  init(store: LaunchStore) { self.store = store }

  /// Whether more than GET requests may go out.
  var isGranted: Bool { isGiven || !(isRequiredByApp || isRequiredByServer) }

  var isGiven: Bool {
    get { store[Self.givenKey]?.bool ?? false }
    set { store.set(Self.givenKey, .bool(newValue)) }
  }

  var isRequiredByApp: Bool {
    get { store[Self.appsKey]?.bool ?? false }
    set { store.set(Self.appsKey, .bool(newValue)) }
  }

  private var isRequiredByServer: Bool { store[Self.parametersKey]?[Self.serversMember]?.bool ?? false }

  /// Whether the parameters have been answered, in this launch or an earlier one.
  var areParametersKnown: Bool { store[Self.parametersKey] != nil }

  /// Takes over what the parameters say (vendors.md 3.2, call 1).
  func take(parameters: JSON) {
    store.set(Self.parametersKey, [Self.serversMember: .bool(parameters[Self.serversMember]?.bool ?? false)])
  }
}
