import LaunchHTTP
import LaunchJSON

/// What Adapty's main, configs and fallback hosts know about paywalls (vendors.md 2.3).
extension AdaptySandbox {
  /// Step 3.
  func products(_ request: RoutedRequest) throws(Refusal) -> Reply {
    try checkPrefix(request)
    var products: [JSON] = []
    for placement in placements {
      for variation in placement.everyone.variations + placement.attributed.variations {
        for product in variation["products"]?.array ?? [] where !products.contains(product) { products.append(product) }
      }
    }
    return Reply(["data": .array(products)])
  }

  /// Step 7.
  func segmentedPaywall(_ request: RoutedRequest) throws(Refusal) -> Reply {
    try checkPrefix(request)
    let placement = try placement(request[1])
    let profile = profiles[try index(of: request.header("adapty-sdk-profile-id"))]
    let builder = request.header("adapty-paywall-builder-version") ?? "4_4"
    let locale = (request.header("adapty-paywall-locale") ?? "en").lowercased()
    let isEligible = request.header("adapty-cross-placement-eligibility") == "true"
    let digest = Self.variationsDigest(
      builder: builder, locale: locale, segmentHash: profile.segmentHash, isCrossPlacementEligible: isEligible)
    guard request.header("adapty-profile-segment-hash") == profile.segmentHash, request[2] == digest else {
      throw Refusal(
        400, "INCORRECT_SEGMENT_HASH_ERROR",
        "header and path have to belong to the profile's segment, \(profile.segmentHash)")
    }
    return compressed(
      paywall(placement, profile.isAttributed ? placement.attributed : placement.everyone), for: request)
  }

  /// Step 8.
  func defaultPaywall(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let placement = try placement(request[1])
    guard languages.contains(request[2]) else {
      throw Refusal(404, "not_found", "no file for the language \(request[2])")
    }
    return compressed(paywall(placement, placement.everyone), for: request)
  }

  /// The path's digest: MD5 of this exact compact text (vendors.md 2.3, step 7).
  private static func variationsDigest(
    builder: String, locale: String, segmentHash: String, isCrossPlacementEligible: Bool
  ) -> String {
    var text: JSONObject = ["builder_version": .string(builder)]
    if isCrossPlacementEligible { text["cross_placement_eligibility"] = true }
    text["locale"] = .string(locale)
    text["segment_hash"] = .string(segmentHash)
    text["store"] = "app_store"
    return MD5.hexDigest(of: JSON.object(text).serialized)
  }

  private func paywall(_ placement: AdaptyPlacement, _ audience: AdaptyPlacement.Audience) -> Reply {
    Reply(placement.answer(for: audience, createdAt: Self.epoch))
  }

  private func compressed(_ reply: Reply, for request: RoutedRequest) -> Reply {
    guard let gzip, request.acceptsGzip else { return reply }
    var reply = reply
    reply.body = gzip(reply.body)
    reply.fields.append("Content-Encoding", "gzip")
    return reply
  }

  private func placement(_ id: String) throws(Refusal) -> AdaptyPlacement {
    guard let placement = placements.first(where: { $0.id == id }) else {
      throw Refusal(404, "placement_not_found", "no placement \(id)")
    }
    return placement
  }

  private func checkPrefix(_ request: RoutedRequest) throws(Refusal) {
    let key = (request.header("Authorization") ?? "").dropFirst("Api-Key ".count)
    guard key.prefix(while: { $0 != "." }) == request[0] else {
      throw Refusal(400, "invalid_request", "the path belongs to another key than Authorization")
    }
  }
}

extension RoutedRequest {
  fileprivate var acceptsGzip: Bool {
    (header("Accept-Encoding") ?? "").lowercased().split(separator: ",").contains { coding in
      let words = coding.split { $0 == ";" || $0 == " " }
      return words.first == "gzip" && !words.contains("q=0")
    }
  }
}
