import LaunchHTTP
import LaunchJSON

/// A paywall, as one variation of its placement (vendors.md 2.3).
///
/// ```swift
/// let paywall = try await adapty.getPaywall(placement: "onboarding")
/// print(paywall.name, paywall.variation)
/// ```
public struct AdaptyPaywall: Hashable, Sendable {
  /// `developer_id`: what the app calls the placement.
  public var placement: String
  /// `variation_id` of the variation that was drawn.
  public var variation: String
  /// For people; empty when the answer has none.
  public var name: String
  /// When the server made it, in milliseconds since 1970; 0 when it does not say.
  public var version: Int64

  init(placement: String, variation: String, name: String, version: Int64) {
    self.placement = placement
    self.variation = variation
    self.name = name
    self.version = version
  }
}

/// What a server says about a placement: the variations one of which the device draws (vendors.md 2.3).
struct AdaptyVariations: Hashable, Sendable {
  private let placement: String
  private let audienceVersion: String
  private let version: Int64
  /// The attributes of each; a forced variation comes alone.
  private let variations: [JSON]

  /// - Parameter version: In the place of the answer's own, for answers that the app brings along.
  /// - Returns: nil when the answer has no variation.
  init?(answer json: JSON, version: Int64? = nil) {
    guard let placement = json["meta"]?["placement"], let id = placement["developer_id"]?.string,
      let data = json["data"]
    else { return nil }
    self.placement = id
    audienceVersion = placement["placement_audience_version_id"]?.string ?? ""
    self.version = version ?? json["meta"]?["response_created_at"]?.integer ?? 0
    variations = (data.array ?? [data]).compactMap { $0["attributes"] }.filter { $0["variation_id"]?.string != nil }
    if variations.isEmpty { return nil }
  }

  /// The device draws: the last 8 bytes of a digest as a big-endian number, modulo 100, over the variations sorted by
  /// weight, then id.
  func draw(_ profileID: String) -> AdaptyPaywall? {
    let sorted = variations.sorted { Self.weightAndID($0) < Self.weightAndID($1) }
    let digest = MD5.digest(of: Array("\(audienceVersion)-\(profileID)".utf8))
    let number = digest.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var left = Int64(number % 100)
    for variation in sorted {
      left -= min(max(0, Self.weightAndID(variation).0), 100)
      if left < 0 { return paywall(variation) }
    }
    return sorted.last.map(paywall)
  }

  /// That variation, if it is among them.
  func variation(_ id: String) -> AdaptyPaywall? {
    variations.first { $0["variation_id"]?.string == id }.map(paywall)
  }

  /// The test over several placements that the variation begins; nil when it begins none.
  func crossPlacement(of paywall: AdaptyPaywall) -> JSONObject? {
    let info = variations.first { $0["variation_id"]?.string == paywall.variation }?["cross_placement_info"]
    guard let map = info?["placement_with_variation_map"]?.object, !map.isEmpty else { return nil }
    return map
  }

  private func paywall(_ variation: JSON) -> AdaptyPaywall {
    AdaptyPaywall(
      placement: placement, variation: variation["variation_id"]?.string ?? "",
      name: variation["paywall_name"]?.string ?? "", version: version)
  }

  private static func weightAndID(_ variation: JSON) -> (Int64, String) {
    (variation["weight"]?.integer ?? 0, variation["variation_id"]?.string ?? "")
  }
}
