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

  /// Draws the variation of `profileID` from the answer; nil when the answer has none.
  init?(answer json: JSON, profileID: String) {
    guard let placement = json["meta"]?["placement"], let id = placement["developer_id"]?.string,
      let drawn = Self.draw(
        from: (json["data"]?.array ?? []).compactMap { $0["attributes"] },
        seed: "\(placement["placement_audience_version_id"]?.string ?? "")-\(profileID)"),
      let variation = drawn["variation_id"]?.string
    else { return nil }
    self.placement = id
    self.variation = variation
    name = drawn["paywall_name"]?.string ?? ""
  }

  /// The device draws: the last 8 bytes of the seed's MD5 as a big-endian number, modulo 100, over the variations
  /// sorted by weight, then id.
  private static func draw(from variations: [JSON], seed: String) -> JSON? {
    let sorted = variations.sorted { weightAndID($0) < weightAndID($1) }
    let number = MD5.digest(of: Array(seed.utf8)).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var left = Int64(number % 100)
    for variation in sorted {
      left -= min(max(0, weightAndID(variation).0), 100)
      if left < 0 { return variation }
    }
    return sorted.last
  }

  private static func weightAndID(_ variation: JSON) -> (Int64, String) {
    (variation["weight"]?.integer ?? 0, variation["variation_id"]?.string ?? "")
  }
}
