import LaunchJSON

/// Which members an object of Adapty's has, and of what kind (vendors.md 2.3).
struct AdaptySchema {
  enum Kind: String {
    case text = "a non-empty string"
    case whole = "a whole number"
    case number = "a number"
    case flag = "true or false"
    case object = "an object"
    case status = "a number from 0 to 3"

    fileprivate func takes(_ value: JSON) -> Bool {
      switch self {
      case .text: value.string?.isEmpty == false
      case .whole: value.integer != nil
      case .number:
        switch value {
        case .integer, .number: true
        default: false
        }
      case .flag: value.bool != nil
      case .object: value.object != nil
      case .status: (0...3).contains(value.integer ?? -1)
      }
    }
  }

  /// Those that must be there, and those that may.
  var required: [(String, Kind)] = []
  var optional: [(String, Kind)] = []

  /// Members that it does not name are let through: another version of the SDK may have more.
  func checked(_ object: JSONObject, in place: String = "") throws(Refusal) -> JSONObject {
    for (key, kind) in required {
      guard let value = object[key] else { throw Self.refusal("\(place)\(key) is missing") }
      guard kind.takes(value) else { throw Self.refusal("\(place)\(key) has to be \(kind.rawValue)") }
    }
    for (key, kind) in optional {
      if let value = object[key], !value.isNull, !kind.takes(value) {
        throw Self.refusal("\(place)\(key) has to be \(kind.rawValue)")
      }
    }
    return object
  }

  private static func refusal(_ message: String) -> Refusal { Refusal(400, "invalid_request", message) }
}

extension AdaptySchema {
  /// Step 2; step 5 has no more.
  static let profile = AdaptySchema(optional: [
    ("customer_user_id", .text), ("store_account_token", .text), ("analytics_disabled", .flag),
    ("installation_meta", .object), ("store_country", .text), ("ip_v4_address", .text), ("att_status", .status),
    ("custom_attributes", .object),
  ])

  /// Step 2.
  static let installation = AdaptySchema(
    required: [
      ("device_id", .text), ("adapty_sdk_version", .text), ("device", .text), ("os", .text), ("platform", .text),
      ("locale", .text), ("timezone", .text),
    ],
    optional: [("app_build", .text), ("app_version", .text), ("user_agent", .text), ("idfa", .text), ("idfv", .text)])

  /// Step 3.
  static let install = AdaptySchema(
    required: [
      ("bundle_id", .text), ("os", .text), ("os_major", .text), ("device_brand", .text), ("device_model", .text),
      ("timezone", .text), ("client_time", .whole), ("locale", .text), ("install_time", .whole),
    ],
    optional: [
      ("idfv", .text), ("idfa", .text), ("screen_w", .whole), ("screen_h", .whole), ("screen_dpr", .number),
    ])

  /// Step 6; what else an event has depends on its name.
  static let event = AdaptySchema(
    required: [("event_name", .text), ("event_id", .text), ("profile_id", .text), ("created_at", .text)],
    optional: [("session_id", .text), ("device_id", .text), ("platform", .text), ("counter", .whole)])
}
