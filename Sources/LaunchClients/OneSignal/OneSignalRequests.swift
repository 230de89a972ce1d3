package import LaunchHTTP
import LaunchJSON

/// OneSignal's requests, byte for byte (vendors.md 3.1 and 3.2).
package struct OneSignalRequests: Hashable, Sendable {
  package static let host = "api.onesignal.com"
  /// Vendors.md 3.1.
  package static let timeout = Duration.seconds(120)
  /// Vendors.md 3.2, call 1.
  package static let featuresTimeout = Duration.seconds(10)
  package static let sdkVersion = "050601"

  package let appID: String
  package let device: Device

  package init(appID: String, device: Device) {
    self.appID = appID
    self.device = device
  }

  /// Call 1: what the app is configured to do.
  package var parameters: Request { request("GET", "\(app)/ios_params.js") }

  /// Call 1 of newer builds: which of the SDK's features are switched on.
  package var features: Request {
    var request = request("GET", "\(app)/sdk/features/ios/\(Self.sdkVersion)")
    request.timeout = Self.featuresTimeout
    return request
  }

  /// Call 2: a user, anonymous or of the app's own id, with the device's push subscription.
  package func createUser(externalID: String? = nil, with subscription: PushSubscription) -> Request {
    request(
      "POST", "\(app)/users", subscription: subscription.id,
      body: [
        "identity": identity(externalID),
        "properties": ["language": .string(device.language), "timezone_id": .string(device.timeZone)],
        "subscriptions": [subscription.json],
        "refresh_device_metadata": true,
      ])
  }

  /// Call 2 for a user that is no longer the device's: only to learn its id, so the subscription stays where it is.
  package func createUser(externalID: String) -> Request {
    request("POST", "\(app)/users", body: ["identity": identity(externalID), "refresh_device_metadata": true])
  }

  /// Vendors.md 3.3: the user as the server has it, at the start of a session.
  package func fetchUser(_ user: String) -> Request { request("GET", path(of: user)) }

  /// Call 3: the in-app messages of a subscription, as of the write that returned `token`.
  /// - Parameter retries: How often this list was asked for before, with this token; sent only when it was.
  package func messages(
    subscription: String, token: String?, sessionDuration: Duration, retries: Int64 = 0
  ) -> Request {
    var request = request("GET", "\(path(ofSubscription: subscription))/iams")
    request.fields["OneSignal-RYW-Token"] = token
    request.fields["OneSignal-Session-Duration"] = "\(sessionDuration.wholeMilliseconds)"
    if retries > 0 { request.fields["OneSignal-Retry-Count"] = "\(retries)" }
    return request
  }

  /// Call 4: everything that changed about the user since the last one.
  package func update(user: String, subscription: String?, with changes: UserChanges) -> Request {
    request("PATCH", path(of: user), subscription: subscription, body: changes.json)
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

  /// Call 6: the subscription after the device has changed.
  package func updateSubscription(_ id: String, to subscription: PushSubscription) -> Request {
    request("PATCH", path(ofSubscription: id), body: ["subscription": subscription.changeable])
  }

  /// Call 6: a subscription that the server has lost.
  package func createSubscription(_ subscription: PushSubscription, for user: String) -> Request {
    request("POST", "\(path(of: user))/subscriptions", body: ["subscription": subscription.json])
  }

  /// Call 6: gives an anonymous user the app's own id; 409 when somebody else has it.
  package func identify(user: String, as externalID: String) -> Request {
    request("PATCH", "\(path(of: user))/identity", body: ["identity": identity(externalID)])
  }

  /// Whether `path` is one of a message's content.
  package static func isContentPath(_ path: String) -> Bool {
    path.hasPrefix("/in_app_messages/") && path.hasSuffix("/html")
  }

  private var app: String { "/apps/\(appID.percentEncoded)" }
  private func path(of user: String) -> String { "\(app)/users/by/onesignal_id/\(user.percentEncoded)" }
  private func path(ofSubscription id: String) -> String { "\(app)/subscriptions/\(id.percentEncoded)" }

  private func identity(_ externalID: String?) -> JSON { externalID.map { ["external_id": .string($0)] } ?? [:] }

  private func request(
    _ method: String, _ path: String, query: String? = nil, subscription: String? = nil, body: JSON? = nil
  ) -> Request {
    var request = Request(
      method: method, location: Location(scheme: "https", host: Self.host, path: path, query: query),
      fields: [
        "Accept": "application/vnd.onesignal.v1+json",
        "Content-Type": "application/json",
        "SDK-Version": "onesignal/ios/\(Self.sdkVersion)",
      ],
      body: body?.serialized ?? [], timeout: Self.timeout)
    request.fields["OneSignal-Subscription-Id"] = subscription
    return request
  }
}
