import LaunchJSON

/// Which variation a user sees at each placement of a test over several placements (vendors.md 2.3, 2 and 7).
struct AdaptyCrossPlacement: Hashable, Sendable {
  /// Placement and variation.
  var variations: JSONObject
  /// Grows with each change on the server.
  var version: Int64

  /// A new user's, who may take part in any test.
  static let new = AdaptyCrossPlacement(variations: [:], version: 0)

  init(variations: JSONObject, version: Int64) {
    self.variations = variations
    self.version = version
  }

  /// From `data` of an answer, or from the store; nil when it is none.
  init?(_ data: JSON) {
    guard let variations = data["placement_with_variation_map"]?.object,
      variations.members.allSatisfy({ $0.value.string != nil }), let version = data["version"]?.integer
    else { return nil }
    self.init(variations: variations, version: version)
  }

  /// Whether a test may still begin: a user takes part in one at most.
  var isEligible: Bool { variations.isEmpty }

  /// The variation that a test has given the user there.
  func variation(at placement: String) -> String? { variations[placement]?.string }

  var json: JSON { ["placement_with_variation_map": .object(variations), "version": .integer(version)] }
}
