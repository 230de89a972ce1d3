import LaunchHTTP
import LaunchJSON

/// What Adapty's main hosts do with profiles (vendors.md 2.3).
extension AdaptySandbox {
  /// Step 2. A customer who is known already gets the profile of the first device.
  mutating func createProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
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
  func fetchProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    Reply(profiles[try index(of: request[0])].document)
  }

  /// Step 5.
  mutating func updateProfile(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request[0])
    profiles[index].update(try attributes(request, type: "adapty_analytics_profile", id: request[0]))
    return Reply(profiles[index].document)
  }

  /// Step 4.
  mutating func appleAds(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request.header("adapty-sdk-profile-id"))
    _ = try attributes(request, type: "adapty_attribution_asa").text("token")
    if isAttributed { profiles[index].apply(source: "apple_search_ads") }
    return Reply(profiles[index].document)
  }

  /// Step 6.
  func events(_ request: RoutedRequest) throws(Refusal) -> Reply {
    _ = try index(of: request.header("adapty-sdk-profile-id"))
    let events = try attributes(request, type: "sdk_background_event").array("events")
    guard events.count <= 500 else { throw Refusal(400, "invalid_request", "more than 500 events in one batch") }
    return Reply([:])
  }
}

extension String {
  fileprivate var isLowerCaseUUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
