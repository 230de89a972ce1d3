import LaunchHTTP
import LaunchJSON
import LaunchSandbox

extension Request {
  init(_ method: String, _ url: String, _ fields: Fields = [:], body: [UInt8] = []) throws {
    self.init(method: method, location: try Location(parsing: url), fields: fields, body: body)
  }
}

extension Answer {
  var head: ResponseHead? {
    for part in parts { if case .head(let head) = part.part { return head } }
    return nil
  }

  var status: Int? { head?.status }

  var body: [UInt8] {
    parts.flatMap { part -> ArraySlice<UInt8> in if case .chunk(let chunk) = part.part { chunk.content } else { [] } }
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSON? { try? JSON(parsing: body) }

  /// Status and body in one line, for tables of refusals.
  var summary: String { "\(status ?? 0) \(text)" }
}

/// Requests as OneSignal's SDK makes them (vendors.md 3.1, 3.2).
enum OneSignal {
  static let app = "https://api.onesignal.com/apps/7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34"
  static let fields: Fields = [
    "Accept": "application/vnd.onesignal.v1+json", "Content-Type": "application/json",
    "SDK-Version": "onesignal/ios/050601",
  ]
  static let user: JSON = [
    "identity": [:], "properties": ["language": "en", "timezone_id": "Europe/Paris"],
    "subscriptions": [
      [
        "type": "iOSPush", "enabled": true, "device_os": "18.0", "sdk": "050601", "device_model": "iPhone99,1",
        "app_version": "1.0", "net_type": 0, "notification_types": -18, "test_type": 1,
      ]
    ],
    "refresh_device_metadata": true,
  ]

  static func get(_ path: String, _ more: Fields = [:]) throws -> Request {
    try Request("GET", app + path, fields + more)
  }
  static func send(_ method: String, _ path: String, _ body: JSON) throws -> Request {
    try Request(method, path.hasPrefix("https:") ? path : app + path, fields, body: body.serialized)
  }
}

/// Requests as Adjust's SDK makes them (vendors.md 1.2, 1.3).
enum Adjust {
  static let device: FormPairs = [
    "app_token": "abcdefghijkl", "environment": "sandbox", "att_status": "3",
    "os_name": "ios", "idfa": "11111111-2222-3333-4444-555555555555", "idfv": "AAAAAAAA-0000-4000-8000-000000000001",
    "created_at": "2026-01-02T03:04:05.678Z+0000", "started_at": "2026-01-02T03:04:05.000Z+0000",
    "installed_at": "2026-01-02T03:00:00.000Z+0000", "sent_at": "2026-01-02T03:04:05.690Z+0000",
    "session_count": "1", "needs_response_details": "1",
  ]
  static let fields: Fields = ["Client-Sdk": "ios5.6.2", "Authorization": "Signature sample"]

  static func post(_ path: String, _ more: FormPairs = [:], host: String = "consent.adjust.com") throws -> Request {
    var request = try Request("POST", "https://\(host)\(path)", fields)
    request.fields["Content-Type"] = FormPairs.contentType
    request.body = Body(device.with(more).serialized)
    return request
  }

  static func attribution(_ more: FormPairs = [:], host: String = "consent.adjust.com") throws -> Request {
    let query = device.with(["initiated_by": "backend"]).with(more).text
    return try Request("GET", "https://\(host)/attribution?\(query)", fields)
  }
}

/// Requests as Adapty's SDK makes them (vendors.md 2.2, 2.3).
enum Adapty {
  static let prefix = "public_live_fakefake"
  static let main = "https://api.adapty.io/api/v1/sdk"
  static let profileID = "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6"
  static let fields: Fields = [
    "Authorization": "Api-Key \(prefix).0000000000000000", "adapty-sdk-version": "3.17.2", "adapty-sdk-platform": "iOS",
    "adapty-sdk-session": "c8d20e7b-4a15-49f3-8b62-f1e7093a5d84",
    "adapty-sdk-device-id": "5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15", "adapty-sdk-store": "app_store",
    "adapty-sdk-observer-mode-enabled": "false", "adapty-sdk-storekit2-enabled": "enabled",
    "adapty-sdk-profile-id": profileID, "Content-Type": "application/vnd.api+json",
  ]

  static func get(_ path: String, _ more: Fields = [:]) throws -> Request {
    try Request("GET", main + path, fields + more)
  }
  static func send(_ method: String, _ path: String, type: String, id: String? = nil, _ attributes: JSON) throws
    -> Request
  {
    var data: JSONObject = ["type": .string(type)]
    data["id"] = id.map(JSON.string)
    data["attributes"] = attributes
    return try Request(
      method, main + path, fields + ["adapty-sdk-profile-id": id ?? profileID],
      body: JSON.object(["data": .object(data)]).serialized)
  }

  static func profile(_ method: String = "POST", id: String = profileID, attributes: JSON = created) throws -> Request {
    try send(method, "/analytics/profiles/\(id)/", type: "adapty_analytics_profile", id: id, attributes)
  }

  static func install(_ changes: JSONObject = [:]) throws -> Request {
    var body: JSONObject = [
      "bundle_id": "com.example.launch", "idfv": "AA", "os": "iOS", "os_major": "18.0", "device_brand": "apple",
      "device_model": "iPhone99,1", "screen_w": 1179, "screen_h": 2556, "screen_dpr": 3, "timezone": "Europe/Paris",
      "client_time": 1_796_019_645, "locale": "en-US", "install_time": 1_796_019_482,
    ]
    for change in changes.members { body[change.key] = change.value }
    return try Request(
      "POST", "https://api-ua.adapty.io/api/v1/attribution/install", fields + ["Content-Type": "application/json"],
      body: JSON.object(body).serialized)
  }

  static func events(_ events: JSON) throws -> Request {
    try send("POST", "/events/", type: "sdk_background_event", ["events": events])
  }

  static let event: JSON = [
    "event_id": "1", "profile_id": .string(profileID), "created_at": "2026-11-30T06:20:45.270Z",
    "event_name": "app_opened",
  ]

  static let created: JSON = [
    "analytics_disabled": false, "att_status": 0,
    "installation_meta": [
      "device_id": "5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15", "adapty_sdk_version": "3.17.2", "device": "iPhone99,1",
      "os": "18.0", "platform": "iOS", "locale": "en-US", "timezone": "Europe/Paris",
    ],
  ]

  static func appleAds(token: JSON = "token") throws -> Request {
    try send("POST", "/attribution/asa/", type: "adapty_attribution_asa", ["token": token])
  }

  static func paywall(_ placement: String = "onboarding", segment: String, digest: String? = nil, _ more: Fields = [:])
    throws
    -> Request
  {
    let text = #"{"builder_version":"4_4","locale":"en","segment_hash":"\#(segment)","store":"app_store"}"#
    let digest = digest ?? MD5.hexDigest(of: Array(text.utf8))
    let headers: Fields = ["adapty-profile-segment-hash": segment, "adapty-paywall-locale": "en"]
    return try get("/in-apps/\(prefix)/paywall/variations/\(placement)/\(digest)/", headers + more)
  }
}

/// Requests as MotiSig's SDK makes them (vendors.md 4.1, 4.2).
enum MotiSig {
  static let base = "https://api.motisig.ai/client"
  static let fields: Fields = ["X-API-Key": "key", "X-Project-ID": "project", "Content-Type": "application/json"]
  static let subscription: JSON = ["devicePlatform": "ios", "pushType": "apns", "token": "0a1b", "enabled": true]

  static func send(_ method: String, _ path: String, _ body: JSON) throws -> Request {
    try Request(method, base + path, fields, body: body.serialized)
  }
}

extension Fields {
  /// These lines with the others set over them; an empty value removes a line.
  static func + (left: Fields, right: Fields) -> Fields {
    var sum = left
    for field in right { sum[field.name] = field.value.isEmpty ? nil : field.value }
    return sum
  }
}

extension FormPairs {
  /// These pairs with the others set over them; an empty value removes a pair.
  func with(_ more: FormPairs) -> FormPairs {
    var sum = self
    for pair in more.pairs { sum[pair.name] = pair.value.isEmpty ? nil : pair.value }
    return sum
  }
}
