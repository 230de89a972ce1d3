import LaunchHTTP
import LaunchJSON

/// What Adapty's main hosts know of one app, and do with its profiles (vendors.md 2.3).
struct AdaptyApp {
  private var profiles: [AdaptyProfile] = []

  /// Step 2. A customer who is known already gets the profile of the first device.
  mutating func createProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let id = request[0]
    let attributes = try profileAttributes(request)
    guard id.isLowerCaseUUID else { throw Refusal(400, "invalid_request", "\(id) is no lower-case UUID") }
    _ = try attributes.object("installation_meta")
    let customer = attributes["customer_user_id"]?.string
    if let customer, let index = profiles.firstIndex(where: { $0.isNamed(customer) }) {
      return Reply(profiles[index].document)
    }
    if let index = profiles.firstIndex(where: { $0.id == id }) {
      if let customer { profiles[index].name(customer) }
      return Reply(profiles[index].document)
    }
    let profile = AdaptyProfile(id: id, customerUserID: customer)
    profiles.append(profile)
    return Reply(profile.document, status: 201)
  }

  /// Step 5.
  func fetchProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    try checkOwner(request)
    return Reply(profiles[try index(of: request[0])].document)
  }

  /// Step 5.
  mutating func updateProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request[0])
    profiles[index].update(try profileAttributes(request))
    return Reply(profiles[index].document)
  }

  /// Step 2, for a profile that the server knew better: it takes part in no test yet.
  func crossPlacement(_ request: RoutedRequest) throws(Refusal) -> Reply {
    _ = try profile(of: request)
    return Reply(["data": ["placement_with_variation_map": [:], "version": 1]])
  }

  /// Step 4.
  mutating func appleAds(_ request: RoutedRequest, explains: Bool) throws(Refusal) -> Reply {
    let index = try index(of: request.header("adapty-sdk-profile-id"))
    _ = try attributes(request, type: "adapty_attribution_asa").text("token")
    if explains { profiles[index].apply(source: "apple_search_ads") }
    return Reply(profiles[index].document)
  }

  /// Step 6.
  func events(_ request: RoutedRequest) throws(Refusal) -> Reply {
    _ = try profile(of: request)
    let events = try attributes(request, type: "sdk_background_event").array("events")
    guard events.count <= 500 else { throw Refusal(400, "invalid_request", "more than 500 events in one batch") }
    for (number, event) in events.enumerated() {
      guard let event = event.object else {
        throw Refusal(400, "invalid_request", "events[\(number)] has to be an object")
      }
      _ = try AdaptySchema.event.checked(event, in: "events[\(number)].")
    }
    return Reply([:])
  }

  /// The profile that the request is made for.
  func profile(of request: RoutedRequest) throws(Refusal) -> AdaptyProfile {
    profiles[try index(of: request.header("adapty-sdk-profile-id"))]
  }

  private func index(of id: String?) throws(Refusal) -> Int {
    guard let id else { throw Refusal(400, "invalid_request", "adapty-sdk-profile-id is missing") }
    guard let index = profiles.firstIndex(where: { $0.id == id }) else {
      throw Refusal(404, "profile_not_found", "no profile \(id)")
    }
    return index
  }

  private func profileAttributes(_ request: RoutedRequest) throws(Refusal) -> JSONObject {
    try checkOwner(request)
    let attributes = try AdaptySchema.profile.checked(
      try attributes(request, type: "adapty_analytics_profile", id: request[0]))
    if let installation = attributes["installation_meta"]?.object {
      _ = try AdaptySchema.installation.checked(installation, in: "installation_meta.")
    }
    return attributes
  }

  /// The header names the profile of the path.
  private func checkOwner(_ request: RoutedRequest) throws(Refusal) {
    guard request.header("adapty-sdk-profile-id") == request[0] else {
      throw Refusal(400, "invalid_request", "adapty-sdk-profile-id is not the profile of the path")
    }
  }

  /// `data.attributes` of a JSON:API body.
  private func attributes(_ request: RoutedRequest, type: String, id: String? = nil) throws(Refusal) -> JSONObject {
    let data = try request.object(contentType: "application/vnd.api+json").object("data")
    guard data["type"]?.string == type else { throw Refusal(400, "invalid_request", "data.type has to be \(type)") }
    guard id == nil || data["id"]?.string == id else {
      throw Refusal(400, "invalid_request", "data.id is not the profile of the path")
    }
    return try data.object("attributes")
  }
}

extension String {
  fileprivate var isLowerCaseUUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
