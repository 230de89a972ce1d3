import LaunchHTTP

/// The calls of a launch, told apart by method, host and path.
enum VendorCallKind: Hashable, Sendable {
  case parameters, features, createUser, fetchUser, messages, updateUser, content, impression
  case identify, createSubscription, updateSubscription
  case session, click, attribution
  case netConfig, createProfile, updateProfile, products, appleAds, events, segmented, defaultPaywall
  case unknown

  init(_ request: Request) {
    let (method, path) = (request.method, request.location.path)
    switch request.location.host {
    case "api.onesignal.com": self = Self.oneSignal(method, path)
    case "consent.adjust.com", "analytics.adjust.com":
      self = ["/session": .session, "/sdk_click": .click, "/attribution": .attribution][path] ?? .unknown
    case "fallback.adapty.io": self = .netConfig
    case "configs-cdn.adapty.io": self = .defaultPaywall
    case "api.adapty.io": self = Self.adapty(method, path)
    default: self = .unknown
    }
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

  private static func adapty(_ method: String, _ path: String) -> Self {
    if path.contains("/profiles/") {
      return ["POST": .createProfile, "PATCH": .updateProfile][method] ?? .unknown
    }
    if path.contains("/products/") { return .products }
    if path.hasSuffix("/asa/") { return .appleAds }
    if path.hasSuffix("/events/") { return .events }
    return path.contains("/variations/") ? .segmented : .unknown
  }
}
