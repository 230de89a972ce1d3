package import LaunchHTTP
package import LaunchJSON

/// Adapty's requests, byte for byte (vendors.md 2.1 to 2.3).
///
/// Only a request with a body says its type, and the list of products names no profile: AdaptySDK-iOS 3.17,
/// `HTTPRequest+URLRequest.swift` and `FetchAllProductInfoRequest.swift`.
package struct AdaptyRequests: Hashable, Sendable {
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

  /// What is true of the device when it describes itself.
  package struct Environment: Hashable, Sendable {
    package var status: ATTStatus
    /// Nil until it has been looked up in this process.
    package var address: String?

    package init(status: ATTStatus, address: String? = nil) {
      self.status = status
      self.address = address
    }
  }

  package static let sdkVersion = "3.17.2"
  /// Tells the device's address (vendors.md 2.1).
  package static let addressHost = "api.ipify.org"
  package static let builderVersion = "4_4"
  package static let builderConfigVersion = "4.4.0"
  /// In which language a default-audience file exists if in any (vendors.md 2.3, 8).
  package static let defaultLanguage = "en"

  package let publicKey: String
  package let device: Device

  package init(publicKey: String, device: Device) {
    self.publicKey = publicKey
    self.device = device
  }

  /// 2.3, 1: where the servers are.
  package var netConfig: AdaptyCall {
    AdaptyCall(name: .netConfig, server: .fallback, path: "/sdk/company/\(prefix)/app/net-config.json")
  }

  /// 2.3, 2.
  package func createProfile(_ session: Session, _ environment: Environment, customer: String? = nil) -> AdaptyCall {
    var attributes: JSONObject = [:]
    attributes["customer_user_id"] = customer.map(JSON.string)
    attributes["analytics_disabled"] = false
    return profile(.createProfile, "POST", session, attributes.describing(environment, installation(environment)))
  }

  /// 2.3, 5, when there is something to say: the environment, or the address alone.
  package func updateProfile(_ session: Session, _ environment: Environment?, address: String? = nil) -> AdaptyCall {
    guard var environment else {
      var attributes: JSONObject = [:]
      attributes["ip_v4_address"] = address.map(JSON.string)
      return profile(.updateProfile, "PATCH", session, attributes)
    }
    environment.address = address ?? environment.address
    let attributes = JSONObject().describing(environment, installation(environment))
    return profile(.updateProfile, "PATCH", session, attributes)
  }

  /// 2.3, 5, when there is nothing to say.
  package func fetchProfile(_ session: Session) -> AdaptyCall { profile(.fetchProfile, "GET", session) }

  /// 2.3, 2: which variations a known user has been given elsewhere.
  package func crossPlacement(_ session: Session) -> AdaptyCall {
    AdaptyCall(
      name: .crossPlacement, server: .main, path: "/sdk/in-apps/profile/cross-placement-info/",
      fields: ["adapty-sdk-profile-id": session.profileID])
  }

  /// 2.3, 3.
  package var products: AdaptyCall {
    AdaptyCall(name: .products, server: .main, path: "/sdk/in-apps/\(prefix)/products/app_store/")
  }

  /// 2.3, 4: the token of Apple's AdServices.
  package func appleAds(token: String, _ session: Session) -> AdaptyCall {
    AdaptyCall(
      name: .appleAds, server: .main, method: "POST", path: "/sdk/attribution/asa/", fields: profileFields(session),
      body: ["data": ["type": "adapty_attribution_asa", "attributes": ["token": .string(token)]]])
  }

  /// 2.3, 6.
  package func events(_ events: [JSON], _ session: Session) -> AdaptyCall {
    AdaptyCall(
      name: .events, server: .main, method: "POST", path: "/sdk/events/",
      fields: ["adapty-sdk-profile-id": session.profileID],
      body: ["data": ["type": "sdk_background_event", "attributes": ["events": .array(events)]]])
  }

  /// 2.3, 3: the registration of the installation, with times in whole seconds since 1970.
  package func install(_ session: Session, status: ATTStatus, now: WallTime) -> AdaptyCall {
    var body: JSONObject = ["bundle_id": .string(device.bundleID), "idfv": .string(device.idfv)]
    if status == .authorized { body["idfa"] = .string(device.idfa) }
    let more: JSONObject = [
      "os": "iOS", "os_major": .string(device.osVersion), "device_brand": "apple",
      "device_model": .string(device.model), "screen_w": .integer(device.screenWidth),
      "screen_h": .integer(device.screenHeight), "screen_dpr": .integer(device.screenScale),
      "timezone": .string(device.timeZone), "client_time": .integer(now.milliseconds / 1000),
      "locale": .string(device.locale), "install_time": .integer(device.installedAt.milliseconds / 1000),
    ]
    return AdaptyCall(
      name: .install, server: .ua, method: "POST", path: "/attribution/install",
      fields: ["adapty-sdk-profile-id": session.profileID], body: .object(JSONObject(body.members + more.members)))
  }

  /// 2.3, 3: a third party's service over the system's shared session, so nothing of Adapty's is in it; such a session
  /// waits a minute.
  package var address: Request {
    Request(
      method: "GET", location: Location(scheme: "https", host: Self.addressHost, query: "format=json"),
      timeout: .seconds(60))
  }

  /// The request that `call` makes of the server at `base`.
  package func request(_ call: AdaptyCall, at base: Location) -> Request {
    var location = base
    location.path = (base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path) + call.path
    location.query = call.query
    var fields = serverFields(call.server)
    for field in call.fields { fields.append(field.name, field.value) }
    if call.body != nil { fields.append("Content-Type", call.server == .ua ? "application/json" : Self.mainType) }
    return Request(
      method: call.method, location: location, fields: fields, body: call.body?.serialized ?? [], timeout: call.timeout)
  }

  /// The part of the public key before the dot (2.1).
  var prefix: String { String(publicKey.prefix { $0 != "." }).percentEncoded }

  /// Paywalls are asked for in the language alone, lower-cased (2.3, 7).
  var language: String { device.language.lowercased() }

  private static let mainType = "application/vnd.api+json"

  /// 2.2: nothing for the fallback host; the configs host gets what the main one does.
  private func serverFields(_ server: AdaptyCall.Server) -> Fields {
    if server == .fallback { return [:] }
    var fields: Fields = [
      "Authorization": "Api-Key \(publicKey)",
      "adapty-sdk-version": Self.sdkVersion,
      "adapty-sdk-platform": "iOS",
      "adapty-sdk-session": device.adaptySessionID,
      "adapty-sdk-device-id": device.adaptyInstallationID,
      "adapty-app-version": device.appVersion,
    ]
    if server == .ua { return fields }
    fields.append("adapty-sdk-store", "app_store")
    fields.append("adapty-sdk-observer-mode-enabled", "false")
    fields.append("adapty-sdk-storekit2-enabled", "enabled")
    return fields
  }

  private func installation(_ environment: Environment) -> JSONObject {
    var meta: JSONObject = [
      "device_id": .string(device.adaptyInstallationID), "adapty_sdk_version": .string(Self.sdkVersion),
      "app_build": .string(device.appBuild), "app_version": .string(device.appVersion),
      "device": .string(device.model), "os": .string(device.osVersion), "platform": "iOS",
      "locale": .string(device.locale), "timezone": .string(device.timeZone),
    ]
    if environment.status == .authorized { meta["idfa"] = .string(device.idfa) }
    meta["idfv"] = .string(device.idfv)
    return meta
  }

  private func profile(
    _ name: AdaptyCall.Name, _ method: String, _ session: Session, _ attributes: JSONObject? = nil
  ) -> AdaptyCall {
    let data = attributes.map { attributes -> JSON in
      ["type": "adapty_analytics_profile", "id": .string(session.profileID), "attributes": .object(attributes)]
    }
    return AdaptyCall(
      name: name, server: .main, method: method, path: "/sdk/analytics/profiles/\(session.profileID.percentEncoded)/",
      fields: name == .createProfile ? ["adapty-sdk-profile-id": session.profileID] : profileFields(session),
      body: data.map { ["data": $0] })
  }

  private func profileFields(_ session: Session) -> Fields {
    var fields: Fields = ["adapty-sdk-profile-id": session.profileID]
    fields["adapty-sdk-previous-response-hash"] = session.responseHash
    return fields
  }
}

extension JSONObject {
  /// With the members that say what the device is.
  fileprivate func describing(_ environment: AdaptyRequests.Environment, _ installation: JSONObject) -> JSONObject {
    var attributes = self
    attributes["installation_meta"] = .object(installation)
    attributes["ip_v4_address"] = environment.address.map(JSON.string)
    attributes["att_status"] = .integer(Int64(environment.status.rawValue))
    return attributes
  }
}
