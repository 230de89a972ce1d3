import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct OneSignalRequestsTests {
  private let requests = OneSignalRequests(appID: "app-1", device: .sample)
  private let subscription = PushSubscription(of: .sample)

  @Test func `3.2 call 1 gets the parameters`() {
    #expect(
      requests.parameters.wireText == """
        GET https://api.onesignal.com/apps/app-1/ios_params.js
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601


        """)
  }

  @Test func `3.2 call 2 creates the user`() {
    #expect(
      requests.createUser(with: subscription).wireText == """
        POST https://api.onesignal.com/apps/app-1/users
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601

        {"identity":{},"properties":{"language":"en","timezone_id":"Europe/Paris"},"subscriptions":[{"type":"iOSPush",\
        "enabled":true,"device_os":"18.0","sdk":"050601","device_model":"iPhone99,1","app_version":"1.0","net_type":0,\
        "notification_types":-18,"test_type":1}],"refresh_device_metadata":true}
        """)
  }

  @Test func `3.2 call 1 of newer builds gets the features, and waits 10 s`() {
    #expect(
      requests.features.wireText == """
        GET https://api.onesignal.com/apps/app-1/sdk/features/ios/050601
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601


        """)
    #expect(requests.features.timeout == .seconds(10))
  }

  @Test func `3.2 call 2 after a login names the user, and the subscription that is known`() {
    let request = requests.createUser(externalID: "ann", with: PushSubscription(id: "sub-1", of: .sample))
    #expect(
      request.wireText == """
        POST https://api.onesignal.com/apps/app-1/users
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601
        OneSignal-Subscription-Id: sub-1

        {"identity":{"external_id":"ann"},"properties":{"language":"en","timezone_id":"Europe/Paris"},\
        "subscriptions":[{"id":"sub-1","type":"iOSPush","enabled":true,"device_os":"18.0","sdk":"050601",\
        "device_model":"iPhone99,1","app_version":"1.0","net_type":0,"notification_types":-18,"test_type":1}],\
        "refresh_device_metadata":true}
        """)
  }

  @Test func `3.2 call 2 for a former user leaves the subscription where it is`() {
    let body = String(decoding: requests.createUser(externalID: "ann").body.bytes, as: UTF8.self)
    #expect(body == #"{"identity":{"external_id":"ann"},"refresh_device_metadata":true}"#)
  }

  @Test func `3.3 fetches the user`() {
    #expect(
      requests.fetchUser("user-1").wireText == """
        GET https://api.onesignal.com/apps/app-1/users/by/onesignal_id/user-1
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601


        """)
  }

  @Test func `3.2 call 3 lists the in-app messages`() {
    let request = requests.messages(subscription: "sub-1", token: "ryw", sessionDuration: .microseconds(935_999))
    #expect(
      request.wireText == """
        GET https://api.onesignal.com/apps/app-1/subscriptions/sub-1/iams
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601
        OneSignal-RYW-Token: ryw
        OneSignal-Session-Duration: 935


        """)
  }

  @Test func `3.2 call 3 counts the tries after the first`() {
    let request = requests.messages(subscription: "sub-1", token: "ryw", sessionDuration: .zero, retries: 2)
    #expect(request.fields["OneSignal-Retry-Count"] == "2")
  }

  @Test func `3.2 call 3 has no token header without a token`() {
    let request = requests.messages(subscription: "sub-1", token: nil, sessionDuration: .zero)
    #expect(request.fields["OneSignal-RYW-Token"] == nil)
  }

  @Test func `3.2 call 4 updates the tags`() {
    let request = requests.update(
      user: "user-1", subscription: "sub-1",
      with: UserChanges(tags: ["mmp_id": "0a1b", "idfa": "1111", "idfv": "AAAA"]))
    #expect(
      request.wireText == """
        PATCH https://api.onesignal.com/apps/app-1/users/by/onesignal_id/user-1
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601
        OneSignal-Subscription-Id: sub-1

        {"properties":{"tags":{"mmp_id":"0a1b","idfa":"1111","idfv":"AAAA"}},"refresh_device_metadata":false}
        """)
  }

  static let bodies: [(UserChanges, String)] = [
    (
      UserChanges(sessionCount: 1),
      #"{"refresh_device_metadata":true,"deltas":{"session_count":1}}"#
    ),
    (
      UserChanges(tags: ["a": "b"], sessionCount: 1),
      #"{"properties":{"tags":{"a":"b"}},"refresh_device_metadata":true,"deltas":{"session_count":1}}"#
    ),
  ]

  @Test(arguments: bodies) func `3.2 call 4 counts sessions as deltas`(changes: UserChanges, body: String) {
    #expect(changes.json.text == body)
  }

  @Test func `3.2 call 5 gets the content and reports the impression`() {
    #expect(
      requests.content(of: "m 1", variant: "v/1").wireText == """
        GET https://api.onesignal.com/in_app_messages/m%201/variants/v%2F1/html?app_id=app-1
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601


        """)
    #expect(
      requests.impression(of: "m1", variant: "v1", subscription: "sub-1").wireText == """
        POST https://api.onesignal.com/in_app_messages/m1/impression
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601

        {"device_type":0,"player_id":"sub-1","app_id":"app-1","variant_id":"v1"}
        """)
  }

  @Test func `3.2 call 6 updates the subscription`() {
    #expect(
      requests.updateSubscription("sub-1", to: subscription).wireText == """
        PATCH https://api.onesignal.com/apps/app-1/subscriptions/sub-1
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601

        {"subscription":{"device_os":"18.0","sdk":"050601","app_version":"1.0","notification_types":-18,"enabled":true}}
        """)
  }

  @Test func `3.2 call 6 makes a lost subscription anew`() {
    #expect(
      requests.createSubscription(subscription, for: "user-1").wireText == """
        POST https://api.onesignal.com/apps/app-1/users/by/onesignal_id/user-1/subscriptions
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601

        {"subscription":{"type":"iOSPush","enabled":true,"device_os":"18.0","sdk":"050601",\
        "device_model":"iPhone99,1","app_version":"1.0","net_type":0,"notification_types":-18,"test_type":1}}
        """)
  }

  @Test func `3.2 call 6 identifies a user`() {
    #expect(
      requests.identify(user: "user-1", as: "ann").wireText == """
        PATCH https://api.onesignal.com/apps/app-1/users/by/onesignal_id/user-1/identity
        Accept: application/vnd.onesignal.v1+json
        Content-Type: application/json
        SDK-Version: onesignal/ios/050601

        {"identity":{"external_id":"ann"}}
        """)
  }

  @Test func `3.1 waits two minutes`() { #expect(requests.parameters.timeout == .seconds(120)) }
}
