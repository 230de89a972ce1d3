package import LaunchHTTP
package import LaunchJSON

/// Adapty's requests, byte for byte (vendors.md 2.1 to 2.3).
package struct AdaptyRequests: Hashable, Sendable {
  package enum Host: String, Hashable, Sendable {
    case main = "api.adapty.io"
    case fallback = "fallback.adapty.io"
    case configs = "configs-cdn.adapty.io"
  }

  /// What the server knows of this installation, as far as requests carry it.
  package struct Session: Hashable, Sendable {
    package var profileID: String
    /// The `x-response-hash` of the newest profile.
    package var responseHash: String?

    package init(profileID: String, responseHash: String? = nil) {
      self.profileID = profileID
      self.responseHash = responseHash
    }
  }

  /// Vendors.md 2.2.
  package static let timeout = Duration.seconds(30)
  package static let sdkVersion = "3.17.2"
  package static let builderVersion = "4_4"
  package static let builderConfigVersion = "4.4.0"

  package let publicKey: String
  package let device: Device

  package init(publicKey: String, device: Device) {
    self.publicKey = publicKey
    self.device = device
  }

  /// 2.3, 1: where the servers are. No Adapty headers at all.
  package var netConfig: Request {
    Request(
      method: "GET", location: location(.fallback, "/sdk/company/\(prefix)/app/net-config.json"), timeout: Self.timeout)
  }

  /// 2.3, 2.
  package func createProfile(_ session: Session, status: ATTStatus) -> Request {
    let attributes: JSONObject = [
      "analytics_disabled": false, "installation_meta": .object(installation(status)),
      "att_status": .integer(Int64(status.rawValue)),
    ]
    return profile("POST", session, data: profileData(session, attributes))
  }

  /// 2.3, 5, when there is something to say.
  package func updateProfile(_ session: Session, status: ATTStatus) -> Request {
    let attributes: JSONObject = [
      "installation_meta": .object(installation(status)), "att_status": .integer(Int64(status.rawValue)),
    ]
    return profile("PATCH", session, data: profileData(session, attributes))
  }

  /// 2.3, 3.
  package func products(_ session: Session) -> Request {
    main("GET", "/sdk/in-apps/\(prefix)/products/app_store/", ["adapty-sdk-profile-id": session.profileID])
  }

  /// 2.3, 4: the token of Apple's AdServices.
  package func appleAds(token: String, _ session: Session) -> Request {
    main(
      "POST", "/sdk/attribution/asa/", profileFields(session),
      body: ["data": ["type": "adapty_attribution_asa", "attributes": ["token": .string(token)]]])
  }

  /// 2.3, 6.
  package func events(_ events: [JSON], _ session: Session) -> Request {
    main(
      "POST", "/sdk/events/", ["adapty-sdk-profile-id": session.profileID],
      body: ["data": ["type": "sdk_background_event", "attributes": ["events": .array(events)]]])
  }

  /// 2.3, 7: the paywall of the profile's segment. The digest in the path is over this exact compact text.
  package func segmentedPaywall(placement: String, segmentHash: String, _ session: Session) -> Request {
    let key: JSON = [
      "builder_version": .string(Self.builderVersion), "locale": .string(language),
      "segment_hash": .string(segmentHash), "store": "app_store",
    ]
    let digest = MD5.hexDigest(of: key.serialized)
    return main(
      "GET", "/sdk/in-apps/\(prefix)/paywall/variations/\(placement.percentEncoded)/\(digest)/",
      [
        "adapty-sdk-profile-id": session.profileID,
        "adapty-paywall-locale": language,
        "adapty-paywall-builder-version": Self.builderVersion,
        "adapty-paywall-builder-config-format-version": Self.builderConfigVersion,
        "adapty-cross-placement-eligibility": "false",
        "adapty-profile-segment-hash": segmentHash,
      ])
  }

  /// 2.3, 8: the paywall for everybody, from the CDN. Waits for no profile; carries the main host's headers (2.2).
  package func defaultPaywall(placement: String) -> Request {
    let path =
      "/sdk/in-apps/\(prefix)/paywall/variations/\(placement.percentEncoded)/app_store/\(language)/"
      + "\(Self.builderVersion)/fallback.json"
    return adapty(.configs, "GET", path)
  }

  /// The part of the public key before the dot (2.1).
  private var prefix: String { String(publicKey.prefix { $0 != "." }).percentEncoded }

  /// Paywalls are asked for in the language alone, lower-cased (2.3, 7).
  private var language: String { device.language.lowercased() }

  private func installation(_ status: ATTStatus) -> JSONObject {
    var meta: JSONObject = [
      "device_id": .string(device.adaptyInstallationID), "adapty_sdk_version": .string(Self.sdkVersion),
      "app_build": .string(device.appBuild), "app_version": .string(device.appVersion),
      "device": .string(device.model), "os": .string(device.osVersion), "platform": "iOS",
      "locale": .string(device.locale), "timezone": .string(device.timeZone),
    ]
    if status == .authorized { meta["idfa"] = .string(device.idfa) }
    meta["idfv"] = .string(device.idfv)
    return meta
  }

  private func profileData(_ session: Session, _ attributes: JSONObject) -> JSON {
    ["data": ["type": "adapty_analytics_profile", "id": .string(session.profileID), "attributes": .object(attributes)]]
  }

  private func profile(_ method: String, _ session: Session, data: JSON? = nil) -> Request {
    let path = "/sdk/analytics/profiles/\(session.profileID.percentEncoded)/"
    return main(method, path, profileFields(session), body: data)
  }

  private func profileFields(_ session: Session) -> Fields {
    var fields: Fields = ["adapty-sdk-profile-id": session.profileID]
    fields["adapty-sdk-previous-response-hash"] = session.responseHash
    return fields
  }

  private func main(_ method: String, _ path: String, _ fields: Fields, body: JSON? = nil) -> Request {
    adapty(.main, method, path, fields, body: body)
  }

  /// A request with the headers of the main configuration (2.2).
  private func adapty(
    _ host: Host, _ method: String, _ path: String, _ extra: Fields = [:], body: JSON? = nil
  ) -> Request {
    var fields: Fields = [
      "Authorization": "Api-Key \(publicKey)",
      "adapty-sdk-version": Self.sdkVersion,
      "adapty-sdk-platform": "iOS",
      "adapty-sdk-session": device.adaptySessionID,
      "adapty-sdk-device-id": device.adaptyInstallationID,
      "adapty-app-version": device.appVersion,
      "adapty-sdk-store": "app_store",
      "adapty-sdk-observer-mode-enabled": "false",
      "adapty-sdk-storekit2-enabled": "enabled",
    ]
    for field in extra { fields.append(field.name, field.value) }
    fields.append("Content-Type", "application/vnd.api+json")
    return Request(
      method: method, location: location(host, path), fields: fields, body: body?.serialized ?? [],
      timeout: Self.timeout)
  }

  private func location(_ host: Host, _ path: String) -> Location {
    Location(scheme: "https", host: host.rawValue, path: "/api/v1\(path)")
  }
}
