import LaunchHTTP

/// The calls of a launch, told apart by method, host and path.
enum VendorCallKind: Hashable, Sendable {
  case parameters, features, createUser, fetchUser, messages, updateUser, content, impression
  case identify, createSubscription, updateSubscription
  case session, click, attribution, info
  case netConfig, createProfile, fetchProfile, updateProfile, crossPlacement, products, appleAds, events
  case segmented, forced, defaultPaywall, fallbackPaywall, install, ipLookup
  case motiSigUser, motiSigSubscription, motiSigPing, motiSigClick
  case unknown

  init(_ request: Request) {
    let (method, path) = (request.method, request.location.path)
    switch request.location.host {
    case "api.onesignal.com": self = Self.oneSignal(method, path)
    case "consent.adjust.com", "analytics.adjust.com", "consent.adjust.io", "analytics.adjust.io":
      self =
        ["/session": .session, "/sdk_click": .click, "/attribution": .attribution, "/sdk_info": .info][path]
        ?? .unknown
    case "api.ipify.org": self = .ipLookup
    case "api.motisig.ai": self = Self.motiSig(path)
    case let host where path.hasPrefix("/api/v1/"): self = Self.adapty(method, path, host)
    default: self = .unknown
    }
  }

  private static func motiSig(_ path: String) -> Self {
    if path.hasSuffix("/users") { return .motiSigUser }
    if path.hasSuffix("/push-subscriptions") { return .motiSigSubscription }
    if path.hasSuffix("/ping") { return .motiSigPing }
    return path.hasSuffix("/track/click") ? .motiSigClick : .unknown
  }

  private static func oneSignal(_ method: String, _ path: String) -> Self {
    if path.hasSuffix("/ios_params.js") { return .parameters }
    if path.contains("/sdk/features/") { return .features }
    if path.hasSuffix("/users") { return .createUser }
    if path.hasSuffix("/iams") { return .messages }
    if path.hasSuffix("/html") { return .content }
    if path.hasSuffix("/impression") { return .impression }
    if path.hasSuffix("/identity") { return .identify }
    if path.hasSuffix("/subscriptions") { return .createSubscription }
    if path.contains("/users/by/") { return method == "PATCH" ? .updateUser : .fetchUser }
    return method == "PATCH" ? .updateSubscription : .unknown
  }

  /// By its path: the main hosts can be any (vendors.md 2.1).
  private static func adapty(_ method: String, _ path: String, _ host: String) -> Self {
    if path.contains("/profiles/") {
      return ["POST": .createProfile, "GET": .fetchProfile, "PATCH": .updateProfile][method] ?? .unknown
    }
    if path.hasSuffix("/net-config.json") { return .netConfig }
    if path.hasSuffix("/fallback.json") { return host.hasPrefix("fallback") ? .fallbackPaywall : .defaultPaywall }
    if path.hasSuffix("/cross-placement-info/") { return .crossPlacement }
    if path.hasSuffix("/attribution/install") { return .install }
    if path.contains("/products/") { return .products }
    if path.hasSuffix("/asa/") { return .appleAds }
    if path.hasSuffix("/events/") { return .events }
    guard path.contains("/variations/") else { return .unknown }
    // Behind the placement stands a digest, and behind that a forced variation.
    return path.split(separator: "/").count == 10 ? .forced : .segmented
  }
}
