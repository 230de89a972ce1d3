import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct AdaptyRequestsTests {
  private let requests = AdaptyRequests(publicKey: "public_live_fakefake.0000", device: .sample)
  private let fresh = AdaptyRequests.Session(profileID: "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6")
  private let known = AdaptyRequests.Session(profileID: "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6", responseHash: "hash-1")

  /// 2.2: session-wide on the main host.
  private let common = """
    Authorization: Api-Key public_live_fakefake.0000
    adapty-sdk-version: 3.17.2
    adapty-sdk-platform: iOS
    adapty-sdk-session: c8d20e7b-4a15-49f3-8b62-f1e7093a5d84
    adapty-sdk-device-id: 5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15
    adapty-app-version: 1.0
    adapty-sdk-store: app_store
    adapty-sdk-observer-mode-enabled: false
    adapty-sdk-storekit2-enabled: enabled
    """
  private let meta = """
    "installation_meta":{"device_id":"5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15","adapty_sdk_version":"3.17.2",\
    "app_build":"1","app_version":"1.0","device":"iPhone99,1","os":"18.0","platform":"iOS","locale":"en-US",\
    "timezone":"Europe/Paris"
    """

  @Test func `2.3 step 1 gets the net configuration, with no header at all`() {
    #expect(
      requests.netConfig.wireText == """
        GET https://fallback.adapty.io/api/v1/sdk/company/public_live_fakefake/app/net-config.json


        """)
  }

  @Test func `2.3 step 2 creates the profile`() {
    #expect(
      requests.createProfile(fresh, status: .notDetermined).wireText == """
        POST https://api.adapty.io/api/v1/sdk/analytics/profiles/0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/vnd.api+json

        {"data":{"type":"adapty_analytics_profile","id":"0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6","attributes":\
        {"analytics_disabled":false,\(meta),"idfv":"AAAAAAAA-0000-4000-8000-000000000001"},"att_status":0}}}
        """)
  }

  @Test func `2.3 step 3 gets the products`() {
    #expect(
      requests.products(known).wireText == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/products/app_store/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/vnd.api+json


        """)
  }

  @Test func `2.3 step 4 posts the AdServices token, with the previous hash`() {
    #expect(
      requests.appleAds(token: "t0k=", known).wireText == """
        POST https://api.adapty.io/api/v1/sdk/attribution/asa/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-sdk-previous-response-hash: hash-1
        Content-Type: application/vnd.api+json

        {"data":{"type":"adapty_attribution_asa","attributes":{"token":"t0k="}}}
        """)
  }

  @Test func `2.3 step 5 updates the profile`() {
    #expect(
      requests.updateProfile(known, status: .authorized).wireText == """
        PATCH https://api.adapty.io/api/v1/sdk/analytics/profiles/0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-sdk-previous-response-hash: hash-1
        Content-Type: application/vnd.api+json

        {"data":{"type":"adapty_analytics_profile","id":"0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6","attributes":\
        {\(meta),"idfa":"11111111-2222-3333-4444-555555555555","idfv":"AAAAAAAA-0000-4000-8000-000000000001"},\
        "att_status":3}}}
        """)
  }

  @Test func `2.3 step 6 posts events`() {
    #expect(
      requests.events([["event_name": "app_opened"]], known).wireText == """
        POST https://api.adapty.io/api/v1/sdk/events/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/vnd.api+json

        {"data":{"type":"sdk_background_event","attributes":{"events":[{"event_name":"app_opened"}]}}}
        """)
  }

  /// The digest is md5sum's, of `{"builder_version":"4_4","locale":"en","segment_hash":"a1b2","store":"app_store"}`.
  @Test func `2.3 step 7 gets the segment's paywall`() {
    #expect(
      requests.segmentedPaywall(placement: "on boarding", segmentHash: "a1b2", known).wireText == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/on%20boarding/\
        d4372ef957688be4a0016957fdc3c891/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-paywall-locale: en
        adapty-paywall-builder-version: 4_4
        adapty-paywall-builder-config-format-version: 4.4.0
        adapty-cross-placement-eligibility: false
        adapty-profile-segment-hash: a1b2
        Content-Type: application/vnd.api+json


        """)
  }

  @Test func `2.3 step 8 gets the default audience's paywall from the CDN`() {
    #expect(
      requests.defaultPaywall(placement: "onboarding").wireText == """
        GET https://configs-cdn.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/onboarding/\
        app_store/en/4_4/fallback.json
        \(common)
        Content-Type: application/vnd.api+json


        """)
  }

  @Test func `2.2 waits half a minute`() { #expect(requests.netConfig.timeout == .seconds(30)) }
}
