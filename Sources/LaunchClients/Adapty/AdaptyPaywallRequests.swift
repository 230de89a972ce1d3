import LaunchHTTP
import LaunchJSON

/// The requests for paywalls (vendors.md 2.3, 7 and 8).
extension AdaptyRequests {
  /// 7: the paywall of the profile's segment. The digest in the path is over this exact compact text.
  /// - Parameters:
  ///   - isEligible: Whether the user may take part in a test over several placements.
  ///   - disablesCache: What makes the location another one each time; nil for everybody but test users.
  package func segmentedPaywall(
    placement: String, segmentHash: String, isEligible: Bool, disablesCache: String? = nil, _ session: Session
  ) -> AdaptyCall {
    var key: JSONObject = ["builder_version": .string(Self.builderVersion)]
    if isEligible { key["cross_placement_eligibility"] = true }
    key["locale"] = .string(language)
    key["segment_hash"] = .string(segmentHash)
    key["store"] = "app_store"
    var fields = paywallFields(session)
    fields.append("adapty-cross-placement-eligibility", isEligible ? "true" : "false")
    fields.append("adapty-profile-segment-hash", segmentHash)
    return AdaptyCall(
      name: .segmentedPaywall, server: .main, path: "\(variations(of: placement))/\(digest(of: key))/",
      query: query(disablesCache), fields: fields)
  }

  /// 7: the variation that a test over several placements has given the user.
  package func forcedPaywall(
    placement: String, variation: String, disablesCache: String? = nil, _ session: Session
  ) -> AdaptyCall {
    let key: JSONObject = [
      "builder_version": .string(Self.builderVersion), "locale": .string(language), "store": "app_store",
    ]
    return AdaptyCall(
      name: .forcedPaywall, server: .main,
      path: "\(variations(of: placement))/\(digest(of: key))/\(variation.percentEncoded)/",
      query: query(disablesCache), fields: paywallFields(session))
  }

  /// 8: the paywall for everybody, from the CDN or, when the main host fails, from the fallback host.
  /// - Parameter server: `.configs` or `.fallback`.
  package func audiencePaywall(
    _ server: AdaptyCall.Server, placement: String, language: String, disablesCache: String? = nil
  ) -> AdaptyCall {
    AdaptyCall(
      name: server == .fallback ? .fallbackPaywall : .defaultPaywall, server: server,
      path: "\(variations(of: placement))/app_store/\(language.percentEncoded)/\(Self.builderVersion)/fallback.json",
      query: query(disablesCache))
  }

  private func variations(of placement: String) -> String {
    "/sdk/in-apps/\(prefix)/paywall/variations/\(placement.percentEncoded)"
  }

  private func digest(of key: JSONObject) -> String { MD5.hexDigest(of: JSON.object(key).serialized) }

  private func query(_ disablesCache: String?) -> String? { disablesCache.map { "disable_cache=\($0.percentEncoded)" } }

  private func paywallFields(_ session: Session) -> Fields {
    [
      "adapty-sdk-profile-id": session.profileID,
      "adapty-paywall-locale": language,
      "adapty-paywall-builder-version": Self.builderVersion,
      "adapty-paywall-builder-config-format-version": Self.builderConfigVersion,
    ]
  }
}
