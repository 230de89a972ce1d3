import LaunchJSON

/// The paywalls to show when no server gives one: the newest of each placement, and those the app brings along
/// (vendors.md 2.5).
struct AdaptyPaywallCache {
  static let prefix = "adapty.paywall."

  private let store: LaunchStore
  private let language: String
  /// The variations of each placement in the app's file.
  private var bundled: [String: AdaptyVariations] = [:]

  init(store: LaunchStore, language: String) {
    self.store = store
    self.language = language
  }

  /// Reads the file of the dashboard: `{"meta":{"version":9,"response_created_at":…},"data":{placement:answer}}`, where
  /// an answer may stand as its text (AdaptySDK-iOS 3.17, `FallbackPlacements.swift`).
  mutating func bundle(_ file: [UInt8]) throws(ClientError) {
    guard let json = try? JSON(parsing: file), json["meta"]?["version"]?.integer == 9,
      let created = json["meta"]?["response_created_at"]?.integer, let answers = json["data"]?.object
    else { throw .unreadable("fallback file") }
    bundled = [:]
    for answer in answers.members {
      let json = answer.value.string.map { try? JSON(parsing: $0) } ?? answer.value
      bundled[answer.key] = json.flatMap { AdaptyVariations(answer: $0, version: created) }
    }
  }

  /// Keeps `paywall`, and returns what is now the newest of its placement: an answer may be older than the one before.
  func keep(_ paywall: AdaptyPaywall) -> AdaptyPaywall {
    if let known = stored(paywall.placement), known.version > paywall.version { return known }
    store.set(
      Self.prefix + paywall.placement,
      [
        "variation": .string(paywall.variation), "name": .string(paywall.name), "version": .integer(paywall.version),
        "language": .string(language),
      ])
    return paywall
  }

  /// What there is without a server: the stored one, unless the app's file is newer.
  /// - Parameter isKnown: Whether the user is; only then is anything stored their own.
  func paywall(_ placement: String, profileID: String, isKnown: Bool) -> AdaptyPaywall? {
    let brought = bundled[placement]?.draw(profileID)
    guard isKnown, let stored = stored(placement) else { return brought }
    if let brought, brought.version > stored.version { return brought }
    return stored
  }

  private func stored(_ placement: String) -> AdaptyPaywall? {
    guard let json = store[Self.prefix + placement], let variation = json["variation"]?.string,
      let language = json["language"]?.string, language == self.language || language == AdaptyRequests.defaultLanguage
    else { return nil }
    return AdaptyPaywall(
      placement: placement, variation: variation, name: json["name"]?.string ?? "",
      version: json["version"]?.integer ?? 0)
  }
}
