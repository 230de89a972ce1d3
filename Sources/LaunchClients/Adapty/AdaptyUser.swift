import LaunchHTTP
import LaunchJSON

/// Who the user of this installation is, from launch to launch (vendors.md 2.3, 2, and 2.5).
@MainActor
final class AdaptyUser {
  /// What the servers know of the device in this process (vendors.md 2.4: the environment is sent once).
  enum Environment: Hashable, Sendable { case unknown, withoutIDFA, withIDFA }

  /// Made on the device, or the server's where it knows better.
  private(set) var id: String
  /// Nil before the server has answered once.
  private(set) var profile: AdaptyProfile?
  /// That of the profile's answer.
  private(set) var responseHash: String?
  /// Nil for a user who takes part in no test over several placements.
  private(set) var crossPlacement: AdaptyCrossPlacement?
  var environment = Environment.unknown

  private let store: LaunchStore

  /// The user of an earlier launch, or a new one, who is kept at once: an id that the server has seen must not be lost.
  init(store: LaunchStore, newID: String) {
    self.store = store
    id = store[Key.id]?.string?.nonEmpty ?? newID
    let stored = store[Key.profile]
    if let profile = AdaptyProfile(attributes: stored?["attributes"]), profile.id == id {
      self.profile = profile
      responseHash = stored?["hash"]?.string
    }
    crossPlacement = store[Key.crossPlacement].flatMap(AdaptyCrossPlacement.init)
    store.set(Key.id, .string(id))
  }

  var session: AdaptyRequests.Session { AdaptyRequests.Session(profileID: id, responseHash: responseHash) }

  /// Whether the server has been given this profile's Apple Ads token. Written after success only (2.3, 4).
  var hasSentAppleAds: Bool {
    get { store[Key.appleAds]?.string == id }
    set { store.set(Key.appleAds, newValue ? .string(id) : nil) }
  }

  /// Takes the answer to a profile's creation. Another user than the one the device made takes nothing over from it.
  func adopt(_ profile: AdaptyProfile, hash: String?, _ crossPlacement: AdaptyCrossPlacement) {
    if profile.id != id {
      id = profile.id
      store.set(Key.appleAds, nil)
      store.set(Key.crossPlacement, nil)
      self.crossPlacement = nil
      for entry in store.entries(under: AdaptyPaywallCache.prefix) { store.set(entry.key, nil) }
      store.set(Key.id, .string(id))
    }
    keep(profile, hash: hash)
    if let known = self.crossPlacement, known.version >= crossPlacement.version { return }
    take(crossPlacement)
  }

  /// Takes the answer to a request that carried `sentHash`, and returns the profile to tell the delegate, if any.
  ///
  /// The hash that was sent means nothing new. A profile that is older, or has the stored one's hash, is not stored, but
  /// the delegate gets the stored one (2.5). Another user's profile is nobody's business.
  func take(_ response: Response, sentHash: String?) throws(AdaptyFailure) -> AdaptyProfile? {
    let hash = response.fields["x-response-hash"]
    if let hash, hash == sentHash { return nil }
    guard let received = response.json.flatMap(AdaptyProfile.init(answer:)) else { throw .unreadable }
    guard received.id == id else { return nil }
    if received.timestamp >= profile?.timestamp ?? .min, hash == nil || hash != responseHash {
      keep(received, hash: hash)
    }
    return profile
  }

  func take(_ crossPlacement: AdaptyCrossPlacement) {
    self.crossPlacement = crossPlacement
    store.set(Key.crossPlacement, crossPlacement.json)
  }

  private enum Key {
    static let id = "adapty.profileID"
    static let profile = "adapty.profile"
    static let appleAds = "adapty.appleAds"
    static let crossPlacement = "adapty.crossPlacement"
  }

  private func keep(_ profile: AdaptyProfile, hash: String?) {
    self.profile = profile
    responseHash = hash
    var stored: JSONObject = ["attributes": profile.attributes]
    stored["hash"] = hash.map(JSON.string)
    store.set(Key.profile, .object(stored))
  }
}
