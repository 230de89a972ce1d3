import LaunchJSON

/// The user as Adapty's server knows them (vendors.md 2.3, 2), as far as a launch needs it.
///
/// ```swift
/// adapty.delegate = { profile in
///   if profile.hasAppleAds { print("attributed, segment \(profile.segmentHash)") }
/// }
/// ```
///
/// Two profiles that differ in their attribution sources alone are not equal here; in the SDK they are (vendors.md
/// 2.5).
public struct AdaptyProfile: Hashable, Sendable {
  /// How the server spells Apple Ads among the attribution sources.
  public static let appleAds = "apple_search_ads"

  /// May be another one than the device made (vendors.md 2.3, 2).
  public var id: String
  /// Names the audience; part of the key of a segmented paywall.
  public var segmentHash: String
  /// Grows with each change on the server.
  public var timestamp: Int64
  /// Which attributions the server has applied so far; empty is no error (R51).
  public var attributionSources: [String]

  /// Whether Apple Ads is among the sources.
  public var hasAppleAds: Bool { attributionSources.contains(Self.appleAds) }

  /// From the body of an answer; nil when it carries no profile.
  init?(answer json: JSON) {
    let attributes = json["data"]?["attributes"]
    guard let attributes, let id = attributes["profile_id"]?.string?.nonEmpty,
      let segmentHash = attributes["segment_hash"]?.string
    else { return nil }
    self.id = id
    self.segmentHash = segmentHash
    timestamp = attributes["timestamp"]?.integer ?? 0
    attributionSources = (attributes["applied_attribution_sources"]?.array ?? []).compactMap(\.string)
  }
}
