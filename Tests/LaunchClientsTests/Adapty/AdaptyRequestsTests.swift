import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct AdaptyRequestsTests {
  private let requests = AdaptyRequests(publicKey: "public_live_fakefake.0000", device: .sample)
  private let fresh = AdaptyRequests.Session(profileID: "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6")
  private let known = AdaptyRequests.Session(profileID: "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6", responseHash: "hash-1")

  /// 2.2: session-wide on the main and install-attribution hosts.
  private let session = """
    Authorization: Api-Key public_live_fakefake.0000
    adapty-sdk-version: 3.17.2
    adapty-sdk-platform: iOS
    adapty-sdk-session: c8d20e7b-4a15-49f3-8b62-f1e7093a5d84
    adapty-sdk-device-id: 5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15
    adapty-app-version: 1.0
    """
  /// 2.2: what the main host adds.
  private var common: String {
    """
    \(session)
    adapty-sdk-store: app_store
    adapty-sdk-observer-mode-enabled: false
    adapty-sdk-storekit2-enabled: enabled
    """
  }
  private let meta = """
    "installation_meta":{"device_id":"5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15","adapty_sdk_version":"3.17.2",\
    "app_build":"1","app_version":"1.0","device":"iPhone99,1","os":"18.0","platform":"iOS","locale":"en-US",\
    "timezone":"Europe/Paris"
    """

  private func text(_ call: AdaptyCall, _ cluster: AdaptyConfiguration.Cluster = .default) -> String {
    requests.request(call, at: call.server.base(cluster)).wireText
  }

  @Test func `2.3 step 1 gets the net configuration, with no header at all`() {
    #expect(
      text(requests.netConfig) == """
        GET https://fallback.adapty.io/api/v1/sdk/company/public_live_fakefake/app/net-config.json


        """)
  }

  @Test func `2.3 step 2 creates the profile`() {
    #expect(
      text(requests.createProfile(fresh, AdaptyRequests.Environment(status: .notDetermined))) == """
        POST https://api.adapty.io/api/v1/sdk/analytics/profiles/0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/vnd.api+json

        {"data":{"type":"adapty_analytics_profile","id":"0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6","attributes":\
        {"analytics_disabled":false,\(meta),"idfv":"AAAAAAAA-0000-4000-8000-000000000001"},"att_status":0}}}
        """)
  }

  @Test func `2.3 step 2 names the user and the address where they are known`() {
    let environment = AdaptyRequests.Environment(status: .denied, address: "203.0.113.7")
    #expect(
      text(requests.createProfile(fresh, environment, customer: "ann")).hasSuffix(
        """
        {"customer_user_id":"ann","analytics_disabled":false,\(meta),"idfv":"AAAAAAAA-0000-4000-8000-000000000001"},\
        "ip_v4_address":"203.0.113.7","att_status":2}}}
        """))
  }

  @Test func `2.3 step 2 asks which tests a known user takes part in`() {
    #expect(
      text(requests.crossPlacement(known)) == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/profile/cross-placement-info/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6


        """)
  }

  @Test func `2.3 step 3 looks up the address, with no header at all`() {
    #expect(
      requests.address.wireText == """
        GET https://api.ipify.org/?format=json


        """)
  }

  @Test func `2.3 step 3 gets the products`() {
    #expect(
      text(requests.products) == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/products/app_store/
        \(common)


        """)
  }

  @Test func `2.3 step 3 registers the installation`() {
    #expect(
      text(requests.install(fresh, status: .authorized, now: WallTime(milliseconds: 1_796_019_645_999))) == """
        POST https://api-ua.adapty.io/api/v1/attribution/install
        \(session)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/json

        {"bundle_id":"com.example.launch","idfv":"AAAAAAAA-0000-4000-8000-000000000001",\
        "idfa":"11111111-2222-3333-4444-555555555555","os":"iOS","os_major":"18.0","device_brand":"apple",\
        "device_model":"iPhone99,1","screen_w":1179,"screen_h":2556,"screen_dpr":3,"timezone":"Europe/Paris",\
        "client_time":1796019645,"locale":"en-US","install_time":1796019482}
        """)
    #expect(!text(requests.install(fresh, status: .denied, now: WallTime(milliseconds: 0))).contains("idfa"))
  }

  @Test func `2.3 step 4 posts the AdServices token, with the previous hash`() {
    #expect(
      text(requests.appleAds(token: "t0k=", known)) == """
        POST https://api.adapty.io/api/v1/sdk/attribution/asa/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-sdk-previous-response-hash: hash-1
        Content-Type: application/vnd.api+json

        {"data":{"type":"adapty_attribution_asa","attributes":{"token":"t0k="}}}
        """)
  }

  @Test func `2.3 step 5 updates the profile with the environment`() {
    #expect(
      text(requests.updateProfile(known, AdaptyRequests.Environment(status: .authorized))) == """
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

  @Test func `2.3 step 5 updates the profile with the address alone`() {
    #expect(
      text(requests.updateProfile(fresh, nil, address: "203.0.113.7")).hasSuffix(
        """
        "id":"0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6","attributes":{"ip_v4_address":"203.0.113.7"}}}
        """))
  }

  @Test func `2.3 step 5 gets the profile when there is nothing to say`() {
    #expect(
      text(requests.fetchProfile(known)) == """
        GET https://api.adapty.io/api/v1/sdk/analytics/profiles/0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-sdk-previous-response-hash: hash-1


        """)
  }

  @Test func `2.3 step 6 posts events`() {
    #expect(
      text(requests.events([["event_name": "app_opened"]], known)) == """
        POST https://api.adapty.io/api/v1/sdk/events/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        Content-Type: application/vnd.api+json

        {"data":{"type":"sdk_background_event","attributes":{"events":[{"event_name":"app_opened"}]}}}
        """)
  }

  /// The digest is md5sum's, of `{"builder_version":"4_4","locale":"en","segment_hash":"a1b2","store":"app_store"}`.
  @Test func `2.3 step 7 gets the segment's paywall`() {
    let call = requests.segmentedPaywall(placement: "on boarding", segmentHash: "a1b2", isEligible: false, known)
    #expect(
      text(call) == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/on%20boarding/\
        d4372ef957688be4a0016957fdc3c891/
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-paywall-locale: en
        adapty-paywall-builder-version: 4_4
        adapty-paywall-builder-config-format-version: 4.4.0
        adapty-cross-placement-eligibility: false
        adapty-profile-segment-hash: a1b2


        """)
  }

  /// Of the same text with `"cross_placement_eligibility":true,` behind the version.
  @Test func `2.3 step 7 says that the user may take part in a test over several placements`() {
    let call = requests.segmentedPaywall(placement: "p", segmentHash: "a1b2", isEligible: true, known)
    #expect(call.path.hasSuffix("/p/5203d0eb4e2123b629d498d81ed248d1/"))
    #expect(call.fields["adapty-cross-placement-eligibility"] == "true")
  }

  /// The digest is md5sum's, of `{"builder_version":"4_4","locale":"en","store":"app_store"}`.
  @Test func `2.3 step 7 gets a forced variation, and for a test user another location each time`() {
    #expect(
      text(requests.forcedPaywall(placement: "p", variation: "v1", disablesCache: "once", known)) == """
        GET https://api.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/p/\
        ee067d615076e6d05565b1f7f4e6368a/v1/?disable_cache=once
        \(common)
        adapty-sdk-profile-id: 0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6
        adapty-paywall-locale: en
        adapty-paywall-builder-version: 4_4
        adapty-paywall-builder-config-format-version: 4.4.0


        """)
  }

  @Test func `2.3 step 8 gets the default audience's paywall from the CDN`() {
    #expect(
      text(requests.audiencePaywall(.configs, placement: "onboarding", language: "en")) == """
        GET https://configs-cdn.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/onboarding/\
        app_store/en/4_4/fallback.json
        \(common)


        """)
  }

  @Test func `2.3 step 8 gets it from the fallback host, with no header at all`() {
    #expect(
      text(requests.audiencePaywall(.fallback, placement: "onboarding", language: "en")) == """
        GET https://fallback.adapty.io/api/v1/sdk/in-apps/public_live_fakefake/paywall/variations/onboarding/\
        app_store/en/4_4/fallback.json


        """)
  }

  @Test func `2.2 waits half a minute`() {
    #expect(requests.request(requests.netConfig, at: AdaptyCall.Server.fallback.base(.eu)).timeout == .seconds(30))
  }

  /// 2.1.
  static let hosts: [(AdaptyCall.Server, [String])] = [
    (.main, ["api.adapty.io", "api-eu.adapty.io", "api-cn.adapty.io"]),
    (.fallback, ["fallback.adapty.io", "fallback.adapty.io", "fallback-cn.adapty.io"]),
    (.configs, ["configs-cdn.adapty.io", "configs-cdn.adapty.io", "configs-cdn-cn.adapty.io"]),
    (.ua, ["api-ua.adapty.io", "api-ua.adapty.io", "api-ua-cn.adapty.io"]),
  ]

  @Test(arguments: hosts) func `2.1 has a host for each kind of server and cluster`(
    server: AdaptyCall.Server, hosts: [String]
  ) {
    #expect(
      [.default, .eu, .cn].map { server.base($0) } == hosts.map { Location(scheme: "https", host: $0, path: "/api/v1") }
    )
  }
}
