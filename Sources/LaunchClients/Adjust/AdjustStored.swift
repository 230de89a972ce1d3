import LaunchJSON

/// What Adjust's SDK keeps on disk, by name (vendors.md 1.4 to 1.6).
struct AdjustStored: Sendable {
  private let store: LaunchStore

  init(_ store: LaunchStore) { self.store = store }

  /// Nil before the first session.
  var activity: AdjustActivity? {
    get { AdjustActivity(store["adjust.activity"]) }
    nonmutating set { store.set("adjust.activity", newValue?.json) }
  }

  /// The package queue; what cannot be read is no package.
  var packages: [AdjustPackage] {
    get { (store["adjust.packages"]?.array ?? []).compactMap(AdjustPackage.init) }
    nonmutating set { store.set("adjust.packages", .array(newValue.map(\.json))) }
  }

  var adid: String? {
    get { store["adjust.adid"]?.string?.nonEmpty }
    nonmutating set { store.set("adjust.adid", newValue.map(JSON.string)) }
  }

  /// The object as the answer had it.
  var attribution: JSON? {
    get { store["adjust.attribution"] }
    nonmutating set { store.set("adjust.attribution", newValue) }
  }

  var pushToken: String? {
    get { store["adjust.push_token"]?.string }
    nonmutating set { store.set("adjust.push_token", newValue.map(JSON.string)) }
  }

  var controlParameters: JSONObject? {
    get { store["adjust.control_params"]?.object }
    nonmutating set { store.set("adjust.control_params", newValue.map(JSON.object)) }
  }

  /// How many seconds of waiting for the tracking prompt are left; zero once they have run out.
  var consentSeconds: Int64? {
    get { store["adjust.att_waiting_seconds"]?.integer }
    nonmutating set { store.set("adjust.att_waiting_seconds", newValue.map(JSON.integer)) }
  }

  /// Whether a session has been answered, with any JSON.
  var isSessionAnswered: Bool {
    get { self["session_answered"] }
    nonmutating set { self["session_answered"] = newValue }
  }

  /// Whether a session has been answered with success.
  var isInstallTracked: Bool {
    get { self["install_tracked"] }
    nonmutating set { self["install_tracked"] = newValue }
  }

  /// Whether the Apple Ads click has been answered.
  var isAppleAdsTracked: Bool {
    get { self["apple_ads_tracked"] }
    nonmutating set { self["apple_ads_tracked"] = newValue }
  }

  /// Whether the user has opted out: nothing is sent any more.
  var isOptedOut: Bool {
    get { self["opted_out"] }
    nonmutating set { self["opted_out"] = newValue }
  }

  private subscript(flag: String) -> Bool {
    get { store["adjust.\(flag)"]?.bool ?? false }
    nonmutating set { store.set("adjust.\(flag)", .bool(newValue)) }
  }
}
