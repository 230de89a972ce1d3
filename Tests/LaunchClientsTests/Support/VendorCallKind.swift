import LaunchHTTP

/// The calls of a launch, told apart by method, host and path.
enum VendorCallKind: Hashable, Sendable {
  case parameters, createUser, messages, updateUser, content, impression
  case session, click, attribution, info
  case netConfig, createProfile, updateProfile, products, appleAds, events, segmented, defaultPaywall
  case unknown

  init(_ request: Request) {
    let (method, path) = (request.method, request.location.path)
    switch request.location.host {
    case "api.onesignal.com": self = Self.oneSignal(method, path)
    case "consent.adjust.com", "analytics.adjust.com", "consent.adjust.io", "analytics.adjust.io":
      self =
        ["/session": .session, "/sdk_click": .click, "/attribution": .attribution, "/sdk_info": .info][path]
        ?? .unknown
    case "fallback.adapty.io": self = .netConfig
    case "configs-cdn.adapty.io": self = .defaultPaywall
    case "api.adapty.io": self = Self.adapty(method, path)
    default: self = .unknown
    }
  }

  private static func oneSignal(_ method: String, _ path: String) -> Self {
    if path.hasSuffix("/ios_params.js") { return .parameters }
    if path.hasSuffix("/users") { return .createUser }
    if path.hasSuffix("/iams") { return .messages }
    if path.hasSuffix("/html") { return .content }
    if path.hasSuffix("/impression") { return .impression }
    return method == "PATCH" ? .updateUser : .unknown
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
