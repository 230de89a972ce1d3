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
  /// How the app names the user; nil for one without a name.
  public var customerUserID: String?
  /// Names the audience; part of the key of a segmented paywall.
  public var segmentHash: String
  /// Grows with each change on the server.
  public var timestamp: Int64
  /// Whether the dashboard marks the user as a tester, whose paywalls come past every cache (vendors.md 2.3, 7; 2.7).
  public var isTestUser: Bool
  /// Which attributions the server has applied so far; empty is no error (R51).
  public var attributionSources: [String]

  /// Whether Apple Ads is among the sources.
  public var hasAppleAds: Bool { attributionSources.contains(Self.appleAds) }

  /// From the body of an answer; nil when it carries no profile.
  init?(answer json: JSON) { self.init(attributes: json["data"]?["attributes"]) }

  /// From `attributes` of an answer, or from the store; nil when they are none.
  init?(attributes: JSON?) {
    guard let attributes, let id = attributes["profile_id"]?.string?.nonEmpty,
      let segmentHash = attributes["segment_hash"]?.string
    else { return nil }
    self.id = id
    customerUserID = attributes["customer_user_id"]?.string
    self.segmentHash = segmentHash
    timestamp = attributes["timestamp"]?.integer ?? 0
    isTestUser = attributes["is_test_user"]?.bool ?? false
    attributionSources = (attributes["applied_attribution_sources"]?.array ?? []).compactMap(\.string)
  }

  /// As the store keeps it, in the form of an answer.
  var attributes: JSON {
    [
      "profile_id": .string(id), "customer_user_id": customerUserID.map(JSON.string) ?? .null,
      "segment_hash": .string(segmentHash), "timestamp": .integer(timestamp), "is_test_user": .bool(isTestUser),
      "applied_attribution_sources": .array(attributionSources.map(JSON.string)),
    ]
  }
}
