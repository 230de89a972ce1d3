import LaunchJSON

/// The device's push subscription as the SDK keeps it (vendors.md 3.2, calls 2 and 6).
///
/// Nobody is asked for the permission to push during a launch, so it never has a token.
package struct PushSubscription: Hashable, Sendable {
  /// Nil until the server has given it one, or once it has turned out that the server has none any more.
  package var id: String?
  package var osVersion: String
  package var sdk: String
  package var appVersion: String
  package var model: String

  /// The subscription of `device`.
  package init(id: String? = nil, of device: Device) {
    self.id = id
    osVersion = device.osVersion
    sdk = OneSignalRequests.sdkVersion
    appVersion = device.appVersion
    model = device.model
  }

  /// The whole of it, as it is created: -18 is "not prompted", `test_type` 1 a development build.
  var json: JSON {
    var json: JSONObject = [:]
    json["id"] = id.map(JSON.string)
    json["type"] = "iOSPush"
    json["enabled"] = true
    json["device_os"] = .string(osVersion)
    json["sdk"] = .string(sdk)
    json["device_model"] = .string(model)
    json["app_version"] = .string(appVersion)
    json["net_type"] = 0
    json["notification_types"] = -18
    json["test_type"] = 1
    return .object(json)
  }

  /// What an update says: the part that may change from one launch to the next.
  var changeable: JSON {
    [
      "device_os": .string(osVersion), "sdk": .string(sdk), "app_version": .string(appVersion),
      "notification_types": -18, "enabled": true,
    ]
  }
}
