public import LaunchHTTP
import LaunchJSON

/// Adapty's servers as a value: profiles, attribution and paywalls (vendors.md section 2).
///
/// ```swift
/// var sandbox = AdaptySandbox()
/// let answer = sandbox.respond(to: createProfile)   // {"data":{…,"attributes":{"profile_id":"…","segment_hash":"…",…}}}
/// ```
///
/// Answers for the main, fallback, configs and install-attribution hosts of all clusters, and for the IP look-up. A
/// profile becomes attributed, and its segment another one, with the Apple Ads token. Every answer of a main host has an
/// `x-response-hash`, equal exactly when the body is. Where vendors.md is silent the stand-in chooses: creating answers
/// 201, an error body is `{"errors":[{"code":"…","detail":"…"}]}`, and times stand still, because it has no clock.
public struct AdaptySandbox: Sendable {
  public var placements: [AdaptyPlacement]
  /// The languages for which default-audience files exist.
  public var languages: [String]
  /// Whether the Apple Ads token explains the install; if not, profiles stay without attribution.
  public var isAttributed: Bool
  /// Compresses the paywalls for a client that accepts gzip; nil sends them as they are.
  ///
  /// For stand-ins behind a server: in process nobody undoes the encoding.
  public var gzip: (@Sendable ([UInt8]) -> [UInt8])?

  var pace: Pace
  private var profiles: [AdaptyProfile] = []

  /// The time of every answer: 2026-01-01 00:00 UTC, in milliseconds.
  static let epoch: Int64 = 1_767_225_600_000

  public init(
    placements: [AdaptyPlacement] = [.onboarding], languages: [String] = ["en"], isAttributed: Bool = true,
    gzip: (@Sendable ([UInt8]) -> [UInt8])? = nil, latency: LatencyProfile = .typical
  ) {
    self.placements = placements
    self.languages = languages
    self.isAttributed = isAttributed
    self.gzip = gzip
    pace = Pace(latency)
  }

  /// Answers any request; a wrong one gets an error answer.
  public mutating func respond(to request: Request) -> Answer { answer(request) }
}

extension AdaptySandbox: StandIn {
  static let routes: [Route] = {
    // vendors.md 2.1
    let main = ["api.adapty.io", "api-eu.adapty.io", "api-cn.adapty.io"]
    let fallback = ["fallback.adapty.io", "fallback-cn.adapty.io"]
    let configs = ["configs-cdn.adapty.io", "configs-cdn-cn.adapty.io"]
    let install = ["api-ua.adapty.io", "api-ua-cn.adapty.io"]
    let profile = "/api/v1/sdk/analytics/profiles/*/"
    let variations = "/api/v1/sdk/in-apps/*/paywall/variations/*"
    return [
      Route(main, "POST", profile, .adaptyCreateProfile),
      Route(main, "GET", profile, .adaptyFetchProfile),
      Route(main, "PATCH", profile, .adaptyUpdateProfile),
      Route(main, "POST", "/api/v1/sdk/attribution/asa/", .adaptyAppleAds),
      Route(main, "POST", "/api/v1/sdk/events/", .adaptyEvents),
      Route(main, "GET", "/api/v1/sdk/in-apps/*/products/app_store/", .adaptyProducts),
      Route(main, "GET", "\(variations)/*/", .adaptySegmentedPaywall),
      Route(configs + fallback, "GET", "\(variations)/app_store/*/4_4/fallback.json", .adaptyDefaultPaywall),
      Route(fallback, "GET", "/api/v1/sdk/company/*/app/net-config.json", .adaptyNetConfig),
      Route(install, "POST", "/api/v1/attribution/install", .adaptyInstall),
      Route(["api.ipify.org"], "GET", "/", .ipLookup),
    ]
  }()

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    switch call {
    case .adaptyNetConfig: return Reply(Self.netConfig)
    case .adaptyDefaultPaywall: return try defaultPaywall(request)
    case .ipLookup: return address(request)
    case .adaptyInstall: return try install(request)
    default: return try mainReply(to: call, request).withResponseHash
    }
  }

  static func errorBody(of refusal: Refusal) -> JSON {
    ["errors": [["code": .string(refusal.code), "detail": .string(refusal.message)]]]
  }
}

extension AdaptySandbox {
  private static let mainContentType = "application/vnd.api+json"

  /// vendors.md 2.3, step 1.
  private static let netConfig: JSON = [
    "data": [
      "event_blacklist": [], "api_endpoints": ["default": ["https://api.adapty.io/api/v1"]],
      "expires_in": 3_600_000, "retry_interval": 60_000,
    ]
  ]

  private mutating func mainReply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    try authorize(request)
    switch call {
    case .adaptyCreateProfile: return try createProfile(request)
    case .adaptyFetchProfile: return try fetchProfile(request)
    case .adaptyUpdateProfile: return try updateProfile(request)
    case .adaptyAppleAds: return try appleAds(request)
    case .adaptyEvents: return try events(request)
    case .adaptyProducts: return try products(request)
    case .adaptySegmentedPaywall: return try segmentedPaywall(request)
    default: throw Refusal(404, "not_found", "this stand-in does not know \(call)")
    }
  }

  /// vendors.md 2.2: the main hosts want the key, and paths carry its first part.
  private func authorize(_ request: RoutedRequest) throws(Refusal) {
    let value = request.header("Authorization") ?? ""
    guard value.hasPrefix("Api-Key "), value.utf8.count > 8 else {
      throw Refusal(401, "unauthorized", "Authorization has to be Api-Key and the public key")
    }
  }

  /// Step 2. A customer who is known already gets the profile of the first device.
  private mutating func createProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let id = request[0]
    let attributes = try attributes(request, type: "adapty_analytics_profile", id: id)
    guard id.isLowerCaseUUID else { throw Refusal(400, "invalid_request", "\(id) is no lower-case UUID") }
    _ = try attributes.object("installation_meta")
    let customer = attributes["customer_user_id"]?.string
    if let known = profiles.first(where: { $0.id == id || (customer.map($0.isNamed) ?? false) }) {
      return Reply(known.document)
    }
    let profile = AdaptyProfile(id: id, customerUserID: customer)
    profiles.append(profile)
    return Reply(profile.document, status: 201)
  }

  /// Step 5.
  private func fetchProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    Reply(profiles[try index(of: request[0])].document)
  }

  /// Step 5.
  private mutating func updateProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request[0])
    profiles[index].update(try attributes(request, type: "adapty_analytics_profile", id: request[0]))
    return Reply(profiles[index].document)
  }

  /// Step 4.
  private mutating func appleAds(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request.header("adapty-sdk-profile-id"))
    _ = try attributes(request, type: "adapty_attribution_asa").text("token")
    if isAttributed { profiles[index].apply(source: "apple_search_ads") }
    return Reply(profiles[index].document)
  }

  /// Step 6.
  private func events(_ request: RoutedRequest) throws(Refusal) -> Reply {
    _ = try index(of: request.header("adapty-sdk-profile-id"))
    let events = try attributes(request, type: "sdk_background_event").array("events")
    guard events.count <= 500 else { throw Refusal(400, "invalid_request", "more than 500 events in one batch") }
    return Reply([:])
  }

  /// Step 3.
  private func products(_ request: RoutedRequest) throws(Refusal) -> Reply {
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
  private func segmentedPaywall(_ request: RoutedRequest) throws(Refusal) -> Reply {
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
        "neither header nor path belong to the profile's segment \(profile.segmentHash)")
    }
    return compressed(
      paywall(placement, profile.isAttributed ? placement.attributed : placement.everyone), for: request)
  }

  /// Step 8.
  private func defaultPaywall(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let placement = try placement(request[1])
    guard languages.contains(request[2]) else {
      throw Refusal(404, "not_found", "no file for the language \(request[2])")
    }
    return compressed(paywall(placement, placement.everyone), for: request)
  }

  /// Step 3.
  private func install(_ request: RoutedRequest) throws(Refusal) -> Reply {
    try authorize(request)
    let body = try request.object()
    let id = inventedUUID("install", try body.text("bundle_id"), body["idfv"]?.string ?? "")
    return Reply(["data": ["install_id": .string(id), "payload": .string(JSON.object([:]).text)]])
  }

  /// Step 3.
  private func address(_ request: RoutedRequest) -> Reply {
    let address = "203.0.113.7"
    if request.query["format"] == "json" { return Reply(["ip": .string(address)]) }
    return Reply(Array(address.utf8), contentType: "text/plain")
  }

  /// The path's digest: MD5 of this exact compact text (vendors.md 2.3, step 7).
  static func variationsDigest(
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

  /// `data.attributes` of a JSON:API body.
  private func attributes(
    _ request: RoutedRequest, type: String, id: String? = nil
  ) throws(Refusal) -> JSONObject {
    let data = try request.object(contentType: Self.mainContentType).object("data")
    guard data["type"]?.string == type else { throw Refusal(400, "invalid_request", "data.type has to be \(type)") }
    guard id == nil || data["id"]?.string == id else {
      throw Refusal(400, "invalid_request", "data.id is not the profile of the path")
    }
    return try data.object("attributes")
  }

  private func index(of id: String?) throws(Refusal) -> Int {
    guard let id else { throw Refusal(400, "invalid_request", "adapty-sdk-profile-id is missing") }
    guard let index = profiles.firstIndex(where: { $0.id == id }) else {
      throw Refusal(404, "profile_not_found", "no profile \(id)")
    }
    return index
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

extension Reply {
  /// This reply with the hash that tells an unchanged answer (vendors.md 2.5).
  fileprivate var withResponseHash: Reply {
    var reply = self
    reply.fields.append("x-response-hash", MD5.hexDigest(of: body))
    return reply
  }
}

extension String {
  fileprivate var isLowerCaseUUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
