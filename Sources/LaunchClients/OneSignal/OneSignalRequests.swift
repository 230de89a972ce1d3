package import LaunchHTTP
import LaunchJSON

/// OneSignal's requests, byte for byte (vendors.md 3.1 and 3.2).
package struct OneSignalRequests: Hashable, Sendable {
  package static let host = "api.onesignal.com"
  /// Vendors.md 3.1.
  package static let timeout = Duration.seconds(120)
  package static let sdkVersion = "050601"

  package let appID: String
  package let device: Device

  package init(appID: String, device: Device) {
    self.appID = appID
    self.device = device
  }

  /// Call 1: what the app is configured to do.
  package var parameters: Request { request("GET", "\(app)/ios_params.js") }

  /// Call 2: a user and a push subscription without a token. -18 is "not prompted", `test_type` 1 a development build.
  package var createUser: Request {
    request(
      "POST", "\(app)/users",
      body: [
        "identity": [:],
        "properties": ["language": .string(device.language), "timezone_id": .string(device.timeZone)],
        "subscriptions": [
          [
            "type": "iOSPush", "enabled": true, "device_os": .string(device.osVersion),
            "sdk": .string(Self.sdkVersion), "device_model": .string(device.model),
            "app_version": .string(device.appVersion), "net_type": 0, "notification_types": -18, "test_type": 1,
          ]
        ],
        "refresh_device_metadata": true,
      ])
  }

  /// Call 3: the in-app messages of a subscription, as of the write that returned `token`.
  package func messages(subscription: String, token: String?, sessionDuration: Duration) -> Request {
    var request = request("GET", "\(app)/subscriptions/\(subscription.percentEncoded)/iams")
    request.fields["OneSignal-RYW-Token"] = token
    request.fields["OneSignal-Session-Duration"] = "\(sessionDuration.wholeMilliseconds)"
    return request
  }

  /// Call 4: everything that changed about the user since the last one.
  package func update(user: String, subscription: String, with changes: UserChanges) -> Request {
    var request = request(
      "PATCH", "\(app)/users/by/onesignal_id/\(user.percentEncoded)", body: changes.json)
    request.fields["OneSignal-Subscription-Id"] = subscription
    return request
  }

  /// Call 5, first half: the content of a message.
  package func content(of message: String, variant: String) -> Request {
    let path = "/in_app_messages/\(message.percentEncoded)/variants/\(variant.percentEncoded)/html"
    return request("GET", path, query: "app_id=\(appID.percentEncoded)")
  }

  /// Call 5, second half: the message was seen.
  package func impression(of message: String, variant: String, subscription: String) -> Request {
    request(
      "POST", "/in_app_messages/\(message.percentEncoded)/impression",
      body: [
        "device_type": 0, "player_id": .string(subscription), "app_id": .string(appID),
        "variant_id": .string(variant),
      ])
  }

  /// Whether `path` is one of a message's content.
  package static func isContentPath(_ path: String) -> Bool {
    path.hasPrefix("/in_app_messages/") && path.hasSuffix("/html")
  }

  private var app: String { "/apps/\(appID.percentEncoded)" }

  private func request(_ method: String, _ path: String, query: String? = nil, body: JSON? = nil) -> Request {
    Request(
      method: method, location: Location(scheme: "https", host: Self.host, path: path, query: query),
      fields: [
        "Accept": "application/vnd.onesignal.v1+json",
        "Content-Type": "application/json",
        "SDK-Version": "onesignal/ios/\(Self.sdkVersion)",
      ],
      body: body?.serialized ?? [], timeout: Self.timeout)
  }
}
