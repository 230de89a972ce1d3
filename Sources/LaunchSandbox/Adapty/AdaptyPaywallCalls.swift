import LaunchHTTP
import LaunchJSON

/// What Adapty's main, configs and fallback hosts know about paywalls (vendors.md 2.3).
extension AdaptySandbox {
  /// Step 3.
  func products(_ request: RoutedRequest, _ key: String) throws(Refusal) -> Reply {
    try request.checkPrefix(of: key)
    var products: [JSON] = []
    for placement in placements {
      for variation in placement.everyone.variations + placement.attributed.variations {
        for product in variation["products"]?.array ?? [] where !products.contains(product) { products.append(product) }
      }
    }
    return Reply(["data": .array(products)])
  }

  /// Step 7.
  func segmentedPaywall(_ request: RoutedRequest, _ key: String, _ app: AdaptyApp) throws(Refusal) -> Reply {
    try request.checkPrefix(of: key)
    let placement = try placement(request[1])
    let profile = try app.profile(of: request)
    let isEligible = request.header("adapty-cross-placement-eligibility") == "true"
    let digest = Self.digest(request, segmentHash: profile.segmentHash, isCrossPlacementEligible: isEligible)
    guard request.header("adapty-profile-segment-hash") == profile.segmentHash, request[2] == digest else {
      throw Refusal(
        400, "INCORRECT_SEGMENT_HASH_ERROR",
        "header and path have to belong to the profile's segment, \(profile.segmentHash)")
    }
    let audience = profile.isAttributed ? placement.attributed : placement.everyone
    return compressed(Reply(placement.answer(for: audience, createdAt: Self.epoch)), for: request)
  }

  /// Step 7, for a variation that the user has been given: it comes alone, whatever the segment.
  func forcedPaywall(_ request: RoutedRequest, _ key: String, _ app: AdaptyApp) throws(Refusal) -> Reply {
    try request.checkPrefix(of: key)
    let placement = try placement(request[1])
    _ = try app.profile(of: request)
    guard request[2] == Self.digest(request) else {
      throw Refusal(400, "invalid_request", "the digest of the path is not that of builder version, locale and store")
    }
    guard let answer = placement.answer(forVariation: request[3], createdAt: Self.epoch) else {
      throw Refusal(404, "variation_not_found", "no variation \(request[3]) at \(placement.id)")
    }
    return compressed(Reply(answer), for: request)
  }

  /// Step 8.
  func defaultPaywall(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let placement = try placement(request[1])
    guard languages.contains(request[2]) else {
      throw Refusal(404, "not_found", "no file for the language \(request[2])")
    }
    return compressed(Reply(placement.answer(for: placement.everyone, createdAt: Self.epoch)), for: request)
  }

  /// The path's digest: MD5 of this exact compact text (vendors.md 2.3, step 7).
  private static func digest(
    _ request: RoutedRequest, segmentHash: String? = nil, isCrossPlacementEligible: Bool = false
  ) -> String {
    var text: JSONObject = ["builder_version": .string(request.header("adapty-paywall-builder-version") ?? "4_4")]
    if isCrossPlacementEligible { text["cross_placement_eligibility"] = true }
    text["locale"] = .string((request.header("adapty-paywall-locale") ?? "en").lowercased())
    text["segment_hash"] = segmentHash.map(JSON.string)
    text["store"] = "app_store"
    return MD5.hexDigest(of: JSON.object(text).serialized)
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
}

extension RoutedRequest {
  fileprivate var acceptsGzip: Bool {
    (header("Accept-Encoding") ?? "").lowercased().split(separator: ",").contains { coding in
      let words = coding.split { $0 == ";" || $0 == " " }
      return words.first == "gzip" && !words.contains("q=0")
    }
  }
}
