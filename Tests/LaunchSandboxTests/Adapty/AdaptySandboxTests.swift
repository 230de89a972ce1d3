import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

@Suite struct AdaptySandboxTests {
  var sandbox = AdaptySandbox()

  // vendors.md 2.3, step 1
  @Test mutating func `net-config needs no Adapty headers`() throws {
    let url = "https://fallback.adapty.io/api/v1/sdk/company/\(Adapty.prefix)/app/net-config.json"
    #expect(
      try sandbox.respond(to: Request("GET", url)).summary == """
        200 {"data":{"event_blacklist":[],"api_endpoints":{"default":["https://api.adapty.io/api/v1"],\
        "eu":["https://api-eu.adapty.io/api/v1"],"cn":["https://api-cn.adapty.io/api/v1"]},\
        "expires_in":3600000,"retry_interval":60000}}
        """)
  }

  // step 2
  @Test mutating func `creating a profile returns it without attribution`() throws {
    let answer = try sandbox.respond(to: Adapty.profile())
    #expect(
      answer.summary == """
        201 {"data":{"type":"adapty_analytics_profile","id":"\(Adapty.profileID)","attributes":{\
        "profile_id":"\(Adapty.profileID)","customer_user_id":null,"segment_hash":"\(segment(answer))",\
        "timestamp":1767225600000,"is_test_user":false,"custom_attributes":{},"paid_access_levels":{},\
        "subscriptions":{},"non_subscriptions":{},"applied_attribution_sources":[]}}}
        """)
    #expect(try sandbox.respond(to: Adapty.profile()).status == 200)
  }

  @Test mutating func `a known customer gets the profile of the first device`() throws {
    var attributes = Adapty.created.object ?? [:]
    _ = try sandbox.respond(to: Adapty.profile())
    attributes["customer_user_id"] = "ann"
    let named = try sandbox.respond(to: Adapty.profile(attributes: .object(attributes)))
    #expect(named.json?["data"]?["attributes"]?["customer_user_id"] == "ann")
    let other = "11111111-6c1d-4f2a-9a37-5d2c80e1f3b6"
    let answer = try sandbox.respond(to: Adapty.profile(id: other, attributes: .object(attributes)))
    #expect(answer.json?["data"]?["attributes"]?["profile_id"]?.string == Adapty.profileID)
    let tests = try sandbox.respond(to: Adapty.get("/in-apps/profile/cross-placement-info/"))
    #expect(tests.summary == #"200 {"data":{"placement_with_variation_map":{},"version":1}}"#)
  }

  @Test mutating func `what is known is known of one app`() throws {
    _ = try sandbox.respond(to: Adapty.profile())
    _ = try sandbox.respond(to: Adapty.appleAds())
    var request = try Adapty.profile("GET")
    request.fields["Authorization"] = "Api-Key public_live_other.0000"
    #expect(sandbox.respond(to: request).status == 404)
    request = try Adapty.profile()
    request.fields["Authorization"] = "Api-Key public_live_other.0000"
    let created = sandbox.respond(to: request)
    #expect(created.status == 201)
    #expect(created.json?["data"]?["attributes"]?["applied_attribution_sources"] == [])
    request = try Adapty.profile("GET")
    request.location.host = "api-cn.adapty.io"
    let own = sandbox.respond(to: request)
    #expect(own.json?["data"]?["attributes"]?["applied_attribution_sources"] == ["apple_search_ads"])
  }

  // steps 4 and 5, and vendors.md 2.5
  @Test mutating func `the Apple Ads token changes the profile, its segment and its hash`() throws {
    let before = try sandbox.respond(to: Adapty.profile())
    let unchanged = try sandbox.respond(to: Adapty.profile("PATCH", attributes: ["ip_v4_address": "203.0.113.7"]))
    #expect(unchanged.body == before.body)
    #expect(hash(unchanged) == hash(before))
    let after = try sandbox.respond(to: Adapty.appleAds())
    let attributes = after.json?["data"]?["attributes"]
    #expect(attributes?["applied_attribution_sources"] == ["apple_search_ads"])
    #expect(attributes?["timestamp"] == 1_767_225_600_001)
    #expect(segment(after) != segment(before))
    #expect(hash(after) != hash(before))
    for request in [try Adapty.appleAds(), try Adapty.profile("GET"), try Adapty.profile("PATCH")] {
      #expect(hash(sandbox.respond(to: request)) == hash(after))
    }
  }

  @Test mutating func `an unexplained install stays without attribution`() throws {
    sandbox.isAttributed = false
    _ = try sandbox.respond(to: Adapty.profile())
    let answer = try sandbox.respond(to: Adapty.appleAds())
    #expect(answer.json?["data"]?["attributes"]?["applied_attribution_sources"] == [])
  }

  // step 5
  @Test mutating func `custom attributes are kept and null removes one`() throws {
    _ = try sandbox.respond(to: Adapty.profile())
    _ = try sandbox.respond(to: Adapty.profile("PATCH", attributes: ["custom_attributes": ["a": "1", "b": 2]]))
    let answer = try sandbox.respond(to: Adapty.profile("PATCH", attributes: ["custom_attributes": ["a": nil]]))
    #expect(answer.json?["data"]?["attributes"]?["custom_attributes"] == ["b": 2])
  }

  // step 3
  @Test mutating func `products, install and address have their fields`() throws {
    let products = try sandbox.respond(to: Adapty.get("/in-apps/\(Adapty.prefix)/products/app_store/"))
    let ids = products.json?["data"]?.array?.compactMap { $0["vendor_product_id"]?.string }
    #expect(ids == ["com.example.launch.monthly", "com.example.launch.yearly"])
    let install = try Adapty.install()
    let installed = sandbox.respond(to: install).json?["data"]
    #expect(installed?["install_id"]?.string?.utf8.count == 36)
    #expect(installed?["payload"]?.string != nil)
    let address = "https://api.ipify.org"
    #expect(try sandbox.respond(to: Request("GET", "\(address)?format=json")).summary == #"200 {"ip":"203.0.113.7"}"#)
    #expect(try sandbox.respond(to: Request("GET", address)).summary == "200 203.0.113.7")
  }

  // step 6
  @Test(arguments: [(0, 200), (500, 200), (501, 400)])
  mutating func `a batch has at most 500 events`(_ count: Int, _ status: Int) throws {
    _ = try sandbox.respond(to: Adapty.profile())
    let request = try Adapty.events(.array(Array(repeating: Adapty.event, count: count)))
    #expect(sandbox.respond(to: request).status == status)
  }

  // step 7
  @Test mutating func `a segmented paywall belongs to the segment of the profile`() throws {
    let before = segment(try sandbox.respond(to: Adapty.profile()))
    let everyone = try sandbox.respond(to: Adapty.paywall(segment: before))
    #expect(audience(everyone) == "All Users")
    #expect(variations(everyone) == ["Classic", "Story"])
    #expect(everyone.parts.count == 6)
    let after = segment(try sandbox.respond(to: Adapty.appleAds()))
    let attributed = try sandbox.respond(to: Adapty.paywall(segment: after))
    #expect(audience(attributed) == "Apple Ads")
    #expect(variations(attributed) == ["Apple Ads"])
    let stale = try sandbox.respond(to: Adapty.paywall(segment: before))
    #expect(stale.status == 400)
    #expect(stale.json?["errors"]?[0]?["code"] == "INCORRECT_SEGMENT_HASH_ERROR")
  }

  @Test mutating func `the digest of the path is checked`() throws {
    let hash = segment(try sandbox.respond(to: Adapty.profile()))
    let eligible =
      #"{"builder_version":"4_4","cross_placement_eligibility":true,"locale":"de","segment_hash":"\#(hash)","store":"app_store"}"#
    let digest = MD5.hexDigest(of: Array(eligible.utf8))
    let fields: Fields = ["adapty-cross-placement-eligibility": "true", "adapty-paywall-locale": "DE"]
    #expect(try sandbox.respond(to: Adapty.paywall(segment: hash, digest: digest, fields)).status == 200)
    #expect(try sandbox.respond(to: Adapty.paywall(segment: hash, digest: digest)).status == 400)
    #expect(try sandbox.respond(to: Adapty.paywall(segment: hash, digest: "00")).status == 400)
    #expect(try sandbox.respond(to: Adapty.paywall(segment: hash, ["adapty-profile-segment-hash": ""])).status == 400)
  }

  @Test mutating func `a forced variation comes alone, whatever the segment`() throws {
    let hash = segment(try sandbox.respond(to: Adapty.profile()))
    let paywall = try sandbox.respond(to: Adapty.paywall(segment: hash)).json
    let variation = paywall?["data"]?[1]?["attributes"]
    let id = variation?["variation_id"]?.string ?? ""
    let digest = MD5.hexDigest(of: Array(#"{"builder_version":"4_4","locale":"en","store":"app_store"}"#.utf8))
    let path = "/in-apps/\(Adapty.prefix)/paywall/variations/onboarding"
    let forced = try sandbox.respond(to: Adapty.get("\(path)/\(digest)/\(id)/"))
    #expect(forced.json?["data"]?["attributes"] == variation)
    #expect(forced.json?["meta"] == paywall?["meta"])
    #expect(try sandbox.respond(to: Adapty.get("\(path)/\(digest)/nothing/")).status == 404)
    #expect(try sandbox.respond(to: Adapty.get("\(path)/00/\(id)/")).status == 400)
  }

  @Test mutating func `a paywall has the fields of the vendor`() throws {
    let hash = segment(try sandbox.respond(to: Adapty.profile()))
    let answer = try sandbox.respond(to: Adapty.paywall(segment: hash))
    let meta = answer.json?["meta"]
    #expect(
      meta?["placement"]?.object?.members.map(\.key) == [
        "developer_id", "audience_name", "revision", "ab_test_name", "placement_audience_version_id",
        "is_tracking_purchases",
      ])
    #expect(meta?["response_created_at"]?.integer != nil)
    #expect(
      answer.json?["data"]?[0]?["attributes"]?.object?.members.map(\.key) == [
        "variation_id", "weight", "paywall_id", "paywall_name", "remote_config", "paywall_builder", "products",
        "web_purchase_url", "cross_placement_info",
      ])
  }

  // step 8
  static let files: [(String, String, String, Int)] = [
    ("configs-cdn.adapty.io", "onboarding", "en", 200), ("fallback.adapty.io", "onboarding", "en", 200),
    ("configs-cdn.adapty.io", "onboarding", "fr", 404), ("configs-cdn.adapty.io", "nowhere", "en", 404),
    ("api.adapty.io", "onboarding", "en", 404),
  ]

  @Test(arguments: files)
  func `the default audience's file`(_ host: String, _ placement: String, _ language: String, _ status: Int) throws {
    var sandbox = AdaptySandbox()
    let path = "/api/v1/sdk/in-apps/\(Adapty.prefix)/paywall/variations/\(placement)/app_store/\(language)/4_4"
    let answer = try sandbox.respond(to: Request("GET", "https://\(host)\(path)/fallback.json"))
    #expect(answer.status == status)
    if status == 200 { #expect(variations(answer) == ["Classic", "Story"]) }
  }

  @Test mutating func `paywalls are compressed for those who accept it`() throws {
    sandbox.gzip = { Array($0.reversed()) }
    let hash = segment(try sandbox.respond(to: Adapty.profile()))
    let plain = try sandbox.respond(to: Adapty.paywall(segment: hash))
    let coded = try sandbox.respond(to: Adapty.paywall(segment: hash, ["Accept-Encoding": "br, GZIP;q=1"]))
    #expect(coded.head?.fields["Content-Encoding"] == "gzip")
    #expect(plain.head?.fields["Content-Encoding"] == nil)
    #expect(coded.body == plain.body.reversed())
    let unwanted = try sandbox.respond(to: Adapty.paywall(segment: hash, ["Accept-Encoding": "gzip;q=0"]))
    #expect(unwanted.body == plain.body)
  }

  // vendors.md 2.2
  static let refusals: [(Fields, Int, String)] = [
    (["Authorization": ""], 401, "unauthorized"),
    (["Authorization": "Bearer x"], 401, "unauthorized"),
    (["Authorization": "Api-Key "], 401, "unauthorized"),
    (["Content-Type": "application/json"], 415, "unsupported_media_type"),
    (["adapty-sdk-profile-id": ""], 400, "invalid_request"),
    (["adapty-sdk-profile-id": "other"], 404, "profile_not_found"),
    (["adapty-sdk-version": ""], 400, "invalid_request"), (["adapty-sdk-session": ""], 400, "invalid_request"),
    (["adapty-sdk-device-id": ""], 400, "invalid_request"),
    (["adapty-sdk-platform": "Android"], 400, "invalid_request"),
    (["adapty-sdk-store": "play_store"], 400, "invalid_request"),
    (["adapty-sdk-observer-mode-enabled": "yes"], 400, "invalid_request"),
    (["adapty-sdk-storekit2-enabled": ""], 400, "invalid_request"),
  ]

  @Test(arguments: refusals)
  mutating func `wrong headers are refused`(_ fields: Fields, _ status: Int, _ code: String) throws {
    _ = try sandbox.respond(to: Adapty.profile())
    var request = try Adapty.appleAds()
    request.fields = request.fields + fields
    let answer = sandbox.respond(to: request)
    #expect(answer.status == status)
    #expect(answer.json?["errors"]?[0]?["code"]?.string == code)
  }

  @Test mutating func `wrong bodies and paths are refused`() throws {
    #expect(try sandbox.respond(to: Adapty.profile(id: "NOT-A-UUID")).status == 400)
    #expect(try sandbox.respond(to: Adapty.profile(id: Adapty.profileID.uppercased())).status == 400)
    #expect(try sandbox.respond(to: Adapty.profile(attributes: [:])).status == 400)
    #expect(try sandbox.respond(to: Adapty.profile("GET")).status == 404)
    _ = try sandbox.respond(to: Adapty.profile())
    #expect(try sandbox.respond(to: Adapty.appleAds(token: "")).status == 400)
    #expect(try sandbox.respond(to: Adapty.appleAds(token: 1)).status == 400)
    #expect(try sandbox.respond(to: Adapty.get("/in-apps/another_key/products/app_store/")).status == 400)
    let wrongType = try Adapty.send("POST", "/attribution/asa/", type: "profile", ["token": "t"])
    #expect(sandbox.respond(to: wrongType).status == 400)
    let noSlash = try Request("GET", "\(Adapty.main)/analytics/profiles/\(Adapty.profileID)", Adapty.fields)
    #expect(sandbox.respond(to: noSlash).status == 404)
  }

  /// Changes of the attributes of a profile, and what the refusal names.
  static let wrongAttributes: [(JSONObject, String)] = [
    (["att_status": 4], "att_status has to be a number from 0 to 3"), (["att_status": "0"], "att_status"),
    (["ip_v4_address": ""], "ip_v4_address has to be a non-empty string"),
    (["analytics_disabled": 0], "analytics_disabled"),
    (["customer_user_id": 7], "customer_user_id"), (["custom_attributes": []], "custom_attributes has to be an object"),
    (["installation_meta": []], "installation_meta has to be an object"),
    (["installation_meta": [:]], "installation_meta.device_id is missing"),
    (["installation_meta": ["device_id": 1]], "installation_meta.device_id has to be a non-empty string"),
  ]

  @Test(arguments: wrongAttributes)
  mutating func `attributes of the wrong kind are refused`(_ changes: JSONObject, _ message: String) throws {
    _ = try sandbox.respond(to: Adapty.profile())
    var attributes = Adapty.created.object ?? [:]
    for change in changes.members { attributes[change.key] = change.value }
    for method in ["POST", "PATCH"] {
      let answer = try sandbox.respond(to: Adapty.profile(method, attributes: .object(attributes)))
      #expect(answer.status == 400)
      #expect(answer.json?["errors"]?[0]?["detail"]?.string?.hasPrefix(message) == true)
    }
  }

  @Test mutating func `the profile of the header is that of the path`() throws {
    _ = try sandbox.respond(to: Adapty.profile())
    for method in ["GET", "PATCH", "POST"] {
      var request = try Adapty.profile(method)
      request.fields["adapty-sdk-profile-id"] = "11111111-6c1d-4f2a-9a37-5d2c80e1f3b6"
      #expect(sandbox.respond(to: request).status == 400)
    }
  }

  static let wrongEvents: [(JSON, String)] = [
    ([7], "events[0] has to be an object"), ([Adapty.event, [:]], "events[1].event_name is missing"),
    ([["event_name": "", "event_id": "1"]], "events[0].event_name has to be a non-empty string"),
    ("x", "events has to be"),
  ]

  @Test(arguments: wrongEvents)
  mutating func `an event of the wrong kind is named`(_ events: JSON, _ message: String) throws {
    _ = try sandbox.respond(to: Adapty.profile())
    let answer = try sandbox.respond(to: Adapty.events(events))
    #expect(answer.status == 400)
    #expect(answer.json?["errors"]?[0]?["detail"]?.string?.hasPrefix(message) == true)
  }

  static let wrongInstalls: [(JSONObject, Int)] = [
    (["client_time": "now"], 400), (["screen_dpr": "3"], 400), (["screen_dpr": .number("2.5")], 200),
    (["os": nil], 400),
    (["bundle_id": ""], 400), (["idfv": nil, "idfa": "A"], 200),
  ]

  @Test(arguments: wrongInstalls)
  mutating func `a registration is checked`(_ changes: JSONObject, _ status: Int) throws {
    #expect(try sandbox.respond(to: Adapty.install(changes)).status == status)
    var request = try Adapty.install()
    request.fields["Authorization"] = nil
    #expect(sandbox.respond(to: request).status == 401)
  }

  private func segment(_ answer: Answer) -> String {
    answer.json?["data"]?["attributes"]?["segment_hash"]?.string ?? "no segment"
  }

  private func hash(_ answer: Answer) -> String? { answer.head?.fields["x-response-hash"] }
  private func audience(_ answer: Answer) -> String? { answer.json?["meta"]?["placement"]?["audience_name"]?.string }
  private func variations(_ answer: Answer) -> [String]? {
    answer.json?["data"]?.array?.compactMap { $0["attributes"]?["paywall_name"]?.string }
  }
}
