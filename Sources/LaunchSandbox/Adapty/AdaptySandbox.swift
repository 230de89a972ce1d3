public import LaunchHTTP
import LaunchJSON

/// Adapty's servers as a value: profiles, attribution and paywalls (vendors.md section 2).
///
/// ```swift
/// var sandbox = AdaptySandbox()
/// let answer = sandbox.respond(to: createProfile)   // {"data":{…,"attributes":{"profile_id":"…","segment_hash":"…",…}}}
/// ```
///
/// Answers for the main, fallback, configs and install-attribution hosts of all clusters, and for the IP look-up. What it
/// learns it keeps for each app, by public key, whatever the cluster. A profile becomes attributed, and its segment
/// another one, with the Apple Ads token. Every answer of a main host has an `x-response-hash`, equal exactly when the
/// body is. Where vendors.md is silent the stand-in chooses: creating answers 201, of the error bodies that 2.5 lists it
/// is `{"errors":[{"code":"…","detail":"…"}]}`, and times stand still, because it has no clock.
public struct AdaptySandbox: Sendable {
  /// The placements it knows; of two with one id the first answers.
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
  /// By public key.
  var apps: [String: AdaptyApp] = [:]

  /// The time of every answer: 2026-01-01 00:00 UTC, in milliseconds.
  static let epoch: Int64 = 1_767_225_600_000

  /// Servers that know no profile yet.
  /// - Parameter latency: When the parts of the answers are due.
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
    let inApps = "/api/v1/sdk/in-apps"
    let variations = "\(inApps)/*/paywall/variations/*"
    return [
      Route(main, "POST", profile, .adaptyCreateProfile),
      Route(main, "GET", profile, .adaptyFetchProfile),
      Route(main, "PATCH", profile, .adaptyUpdateProfile),
      Route(main, "POST", "/api/v1/sdk/attribution/asa/", .adaptyAppleAds),
      Route(main, "POST", "/api/v1/sdk/events/", .adaptyEvents),
      Route(main, "GET", "\(inApps)/profile/cross-placement-info/", .adaptyCrossPlacement),
      Route(main, "GET", "\(inApps)/*/products/app_store/", .adaptyProducts),
      Route(main, "GET", "\(variations)/*/", .adaptySegmentedPaywall),
      Route(main, "GET", "\(variations)/*/*/", .adaptyForcedPaywall),
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
  /// vendors.md 2.3, step 1.
  private static let netConfig: JSON = [
    "data": [
      "event_blacklist": [],
      "api_endpoints": [
        "default": ["https://api.adapty.io/api/v1"], "eu": ["https://api-eu.adapty.io/api/v1"],
        "cn": ["https://api-cn.adapty.io/api/v1"],
      ],
      "expires_in": 3_600_000, "retry_interval": 60_000,
    ]
  ]

  private mutating func mainReply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    let key = try request.adaptyKey()
    try request.checkMainHeaders()
    var app = apps[key, default: AdaptyApp()]
    let reply = try reply(to: call, request, of: &app, key)
    apps[key] = app
    return reply
  }

  private func reply(
    to call: VendorCall, _ request: RoutedRequest, of app: inout AdaptyApp, _ key: String
  ) throws(Refusal) -> Reply {
    switch call {
    case .adaptyCreateProfile: return try app.createProfile(request)
    case .adaptyFetchProfile: return try app.fetchProfile(request)
    case .adaptyUpdateProfile: return try app.updateProfile(request)
    case .adaptyAppleAds: return try app.appleAds(request, explains: isAttributed)
    case .adaptyEvents: return try app.events(request)
    case .adaptyCrossPlacement: return try app.crossPlacement(request)
    case .adaptyProducts: return try products(request, key)
    case .adaptySegmentedPaywall: return try segmentedPaywall(request, key, app)
    case .adaptyForcedPaywall: return try forcedPaywall(request, key, app)
    default: throw Refusal(404, "not_found", "this stand-in does not know \(call)")
    }
  }

  /// Step 3. An installation registers as often as it likes and stays the same.
  private func install(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let key = try request.adaptyKey()
    try request.checkSDKHeaders()
    let body = try AdaptySchema.install.checked(try request.object())
    let id = inventedUUID("install", key, try body.text("bundle_id"), body["idfv"]?.string ?? "")
    return Reply(["data": ["install_id": .string(id), "payload": .string(JSON.object([:]).text)]])
  }

  /// Step 3.
  private func address(_ request: RoutedRequest) -> Reply {
    let address = "203.0.113.7"
    if request.query["format"] == "json" { return Reply(["ip": .string(address)]) }
    return Reply(Array(address.utf8), contentType: "text/plain")
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
