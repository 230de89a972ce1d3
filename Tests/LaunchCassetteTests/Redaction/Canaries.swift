import LaunchHTTP
import LaunchJSON
import LaunchTrace

@testable import LaunchCassette

/// Forty-odd secrets, and traffic that holds each of them where vendors.md says that it stands, and in other forms
/// elsewhere.
enum Canaries {
  static let secrets: [(name: String, value: String)] = [
    ("app_token", "k3m9z7q1x5w2"),
    ("signature", #"signature="3F9A0C",secret_id="77",headers_id="9""#),
    ("attribution_token", "TWFyeSBoYWQgYSBsaXR0bGUgbGFtYi9+Pw8vKysrKys9PQ=="),
    ("idfa", "6D92078A-8246-4BA4-AE5B-76104861E7DC"),
    ("idfv", "0F5D8B31-77C4-4E19-9A02-C3E1B64D7F58"),
    ("adid", "5a1e9c0b7d3f4286a9c4e1f08b7d6352"),
    ("dedupe_1", "c1a7e9d4-2b6f-4f08-8d35-90ab12cd34ef"),
    ("dedupe_2", "f00dbabe-1234-4cde-9f01-23456789abcd"),
    ("push_token", "a4f1c2e8b09d7736e5a1b2c3d4e5f60718293a4b5c6d7e8f9012a3b4c5d6e7f8"),
    ("external_device_id", #"Gerät 12/34 "B"\7"#),
    ("fb_anon_id", "XZ6A7F3F21-90AB-4C1D-B2E3-F40516273849"),
    ("device_name", "Zoë’s Telefon"),
    ("callback", "cb|9f2+k=1&x"),
    ("partner", "partner-Ünique-88"),
    ("control", "ctl_55aa77ee"),
    ("deeplink", "launchapp://promo/ZX81?code=1%2F9&who=Zoë"),
    ("tracker_token", "q4w8e2r"),
    ("tracker_name", "Meta Ads::Winter 27::Set_4"),
    ("adapty_prefix", "public_live_Qz7Yp3Lk"),
    ("adapty_rest", "Wm81Xc55Tb09Rn32"),
    ("profile_id", "9d3b6c57-10fe-4a82-bb64-2e7f8a90c1d5"),
    ("device_id", "e81f3a60-5c27-4d9b-a0f4-61b7c82d93ea"),
    ("adapty_session", "73c4d5e6-f708-4192-8a3b-4c5d6e7f8091"),
    ("customer_user_id", "kunde#4711/Ω"),
    ("store_account_token", "2b4d6f80-91a3-4c5e-8f70-1a2b3c4d5e6f"),
    ("ip", "81.169.145.77"),
    ("user_agent", "Mozilla/5.0 (iPhone; U; CPU iPhone OS 18_0)"),
    ("receipt", "MIITtgYJKoZIhvcNAQcCoIITpzCCE6MCAQExDzANBglghkgBZQMEAgEFADCCAuwG"),
    (
      "transaction",
      "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiNzAwMDAxIn0.MEUCIQDx9a7Yv0mK3q5R2w8T1uZ6b4N0"
    ),
    ("install_id", "inst-0099-XyZ"),
    ("install_payload", "pl:Aa1/Bb2+Cc3"),
    ("custom_attribute", "likes = cats & dogs"),
    ("app_id", "41d7c0b9-8e25-4f36-a1d0-5c9b7e3f2a68"),
    ("onesignal_id", "bb20f3d1-6a47-4c58-9e0f-7d81c2a4b593"),
    ("subscription_id", "d5e6f7a8-b9c0-4d1e-8f23-a4b5c6d7e8f9"),
    ("external_id", "crm:00815/zoe"),
    ("jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI4ODE1In0.dGhpc2lzdGhlc2lnbmF0dXJl"),
    ("ryw_token", "RyW.9f8e7d6c-5b4a"),
    ("tag", "segment: high value (7)"),
    ("latitude", "48.858370"),
    ("longitude", "-2.294481"),
    ("motisig_key", "msk_test_51HxTq9LmZ"),
    ("project_id", "proj-77f0a1c3"),
    ("org_id", "org_5b1e9d"),
    ("user_id", "zoe.kraft+app@corp-mail.example.org"),
    ("email", "z.kraft@privat.example.net"),
    ("first_name", "Zoë"),
    ("last_name", "Kraft-Øst"),
    ("message_id", "msg/2027-01-15/000042"),
    ("attribute", "blood group AB−"),
    ("event_data", "basket 991 for Ines"),
    ("anonymous_id", "anon~55~ffee"),
    ("cookie", "s:j7K2m9.q8"),
    ("aws_key", "AKIAZ7Q3M9X5W1K2P8B4"),
    ("aws_secret", "wJa1rXUt/nFEMI+K7MDENG/bPxRfiCYzK9qLm2Tz"),
    ("referer_token", "rt/9Qx7+Lk2"),
    ("fragment_token", "frag-31aa~Wz"),
    ("nested_token", "nest=55&x9"),
    ("json_token", "jt_8842_Kp"),
    ("mark_token", "mk-77-qq-10"),
    ("form_password", "inform123456"),
    ("har_form_password", "hf pass 9081"),
    ("har_frame_token", "fr4me-t0ken"),
    ("har_title_token", "title+tok/3"),
    ("har_redirect_token", "redir_90aZ"),
    ("har_header", "hdr.2231.abc"),
    ("har_cookie", "ck-6617-zz"),
    ("har_query", "hq 55/ab+1"),
    ("har_param", "hp&44=cc"),
    ("har_patch", "Patched-00917"),
  ]

  /// Too short to be searched for.
  static let short: Set<String> = ["first_name"]

  /// The traffic with these texts in the places of the secrets. Secrets whose rules fire late come first.
  static func traffic(_ s: (String) -> String) -> [Event] {
    early(s) + adjust(s) + adapty(s) + oneSignal(s) + motiSig(s) + others(s) + urls(s) + har(s) + everywhere(s)
  }

  /// Marks that know values before any request shows what they are.
  private static func early(_ s: (String) -> String) -> [Event] {
    [
      event(0, .launch(1)),
      event(
        1, .mark(Mark("seen \(s("message_id"))", ["who": .string(s("onesignal_id")), "at": ["x", .string(s("tag"))]]))),
    ]
  }

  private static func adjust(_ s: (String) -> String) -> [Event] {
    let form: FormPairs = [
      "app_token": s("app_token"), "environment": "sandbox", "att_status": "3", "idfa": s("idfa"), "idfv": s("idfv"),
      "adid": s("adid"), "primary_dedupe_token": s("dedupe_1"), "secondary_dedupe_token": s("dedupe_2"),
      "push_token": s("push_token"), "external_device_id": s("external_device_id"), "fb_anon_id": s("fb_anon_id"),
      "device_name": s("device_name"), "attribution_token": s("attribution_token"),
      "callback_params": text(["user": .string(s("callback")), "n": 1, "idfa": .string(s("idfa"))]),
      "partner_params": text(["p": [.string(s("partner"))]]), "deeplink": s("deeplink"),
      "unknown": text(["inside": .string(text(["adid": .string(s("adid"))]))]),
    ]
    let answer: JSON = [
      "adid": .string(s("adid")), "ask_in": 2000, "control_params": ["c": .string(s("control"))],
      "deeplink": .string(s("deeplink")),
      "attribution": ["tracker_token": .string(s("tracker_token")), "tracker_name": .string(s("tracker_name"))],
    ]
    return exchange(
      1, "POST", "consent.adjust.com", "/session",
      ["Authorization": "Signature \(s("signature"))", "Content-Type": FormPairs.contentType], form.serialized,
      answer: answer.serialized)
      + exchange(
        2, "GET", "analytics.adjust.io", "/attribution", ["Authorization": "Signature \(s("signature"))"],
        query: form.text, answer: answer.serialized)
  }

  private static func adapty(_ s: (String) -> String) -> [Event] {
    let key = s("adapty_prefix").percentEncoded
    let fields: Fields = [
      "Authorization": "Api-Key \(s("adapty_prefix")).\(s("adapty_rest"))", "adapty-sdk-profile-id": s("profile_id"),
      "adapty-sdk-device-id": s("device_id"), "adapty-sdk-session": s("adapty_session"),
    ]
    let body: JSON = [
      "data": [
        "type": "adapty_analytics_profile", "id": .string(s("profile_id")),
        "attributes": [
          "customer_user_id": .string(s("customer_user_id")), "store_account_token": .string(s("store_account_token")),
          "installation_meta": [
            "device_id": .string(s("device_id")), "user_agent": .string(s("user_agent")), "idfa": .string(s("idfa")),
            "idfv": .string(s("idfv")),
          ],
          "ip_v4_address": .string(s("ip")), "att_status": 3,
          "custom_attributes": ["a": .string(s("custom_attribute"))],
          "receipt": .string(s("receipt")), "signed_transaction": .string(s("transaction")),
          "events": [["token": .string(s("attribution_token")), "session_id": .string(s("adapty_session"))]],
        ],
      ]
    ]
    let install: JSON = ["data": ["install_id": .string(s("install_id")), "payload": .string(s("install_payload"))]]
    return exchange(3, "GET", "fallback.adapty.io", "/api/v1/sdk/company/\(key)/app/net-config.json", [:])
      + exchange(
        4, "POST", "api.adapty.io", "/api/v1/sdk/analytics/profiles/\(s("profile_id"))/", fields, body.serialized,
        answer: body.serialized)
      + exchange(5, "GET", "api.adapty.io", "/api/v1/sdk/in-apps/\(key)/products/app_store/", fields)
      + exchange(6, "POST", "api-ua.adapty.io", "/api/v1/attribution/install", fields, answer: install.serialized)
      + exchange(
        7, "GET", "api.ipify.org", "/", [:], query: "format=json", answer: Array(text(["ip": .string(s("ip"))]).utf8))
  }

  private static func oneSignal(_ s: (String) -> String) -> [Event] {
    let app = "/apps/\(s("app_id"))"
    let fields: Fields = [
      "OneSignal-Subscription-Id": s("subscription_id"), "Authorization": "Bearer \(s("jwt"))",
      "OneSignal-RYW-Token": s("ryw_token"),
    ]
    let user: JSON = [
      "identity": ["onesignal_id": .string(s("onesignal_id")), "external_id": .string(s("external_id"))],
      "subscriptions": [["id": .string(s("subscription_id")), "type": "iOSPush", "token": .string(s("push_token"))]],
      "properties": [
        "tags": ["mmp_id": .string(s("adid")), "idfa": .string(s("idfa")), "t": .string(s("tag"))],
        "lat": .number(s("latitude")), "long": .number(s("longitude")),
      ],
      "ryw_token": .string(s("ryw_token")), "ryw_delay": 500,
    ]
    let impression: JSON = ["player_id": .string(s("subscription_id")), "app_id": .string(s("app_id"))]
    return exchange(8, "POST", "api.onesignal.com", "\(app)/users", fields, user.serialized, answer: user.serialized)
      + exchange(9, "GET", "api.onesignal.com", "\(app)/subscriptions/\(s("subscription_id"))/iams", fields)
      + exchange(10, "PATCH", "api.onesignal.com", "\(app)/users/by/onesignal_id/\(s("onesignal_id"))", fields)
      + exchange(
        11, "PATCH", "api.onesignal.com", "\(app)/users/by/external_id/\(s("external_id").percentEncoded)/identity",
        fields)
      + exchange(
        12, "POST", "api.onesignal.com", "/in_app_messages/a/impression", [:], impression.serialized,
        query: "app_id=\(s("app_id"))")
  }

  private static func motiSig(_ s: (String) -> String) -> [Event] {
    let fields: Fields = ["X-API-Key": s("motisig_key"), "X-Project-ID": s("project_id")]
    let user: JSON = [
      "id": .string(s("user_id")), "platform": "ios", "email": .string(s("email")),
      "firstName": .string(s("first_name")),
      "lastName": .string(s("last_name")), "customAttributes": ["group": .string(s("attribute"))],
    ]
    let answer: JSON = ["success": true, "userId": .string(s("user_id")), "anonymousId": .string(s("anonymous_id"))]
    let event: JSON = [
      "userId": .string(s("user_id")), "eventName": "e", "eventData": ["d": [.string(s("event_data"))]],
      "messageId": .string(s("message_id")),
    ]
    let twice = s("user_id").percentEncoded.percentEncoded
    return exchange(13, "POST", "api.motisig.ai", "/client/users", fields, user.serialized, answer: answer.serialized)
      + exchange(14, "PATCH", "api.motisig.ai", "/client/users/\(twice)", fields, user.serialized)
      + exchange(15, "POST", "api.motisig.ai", "/client/events", fields, event.serialized)
      + exchange(
        16, "GET", "api.motisig.ai",
        "/client/organizations/\(s("org_id"))/projects/\(s("project_id"))/users/\(twice)/tags", [:])
  }

  /// Hosts without rules of their own.
  private static func others(_ s: (String) -> String) -> [Event] {
    let login: JSON = ["aws_secret_access_key": .string(s("aws_secret")), "note": .string("by \(s("email")).")]
    return exchange(
      17, "GET", "www.example.com", "/", ["Cookie": "theme=x; sid=\(s("cookie"))", "X-Key": "key \(s("aws_key"))"],
      answer: login.serialized, answerFields: ["Set-Cookie": "sid=\(s("cookie")); Path=/; HttpOnly"])
  }

  /// URLs that stand in other places than the request line, and forms that nothing calls so.
  private static func urls(_ s: (String) -> String) -> [Event] {
    let inner = "https://b.example.com/cb?x=1&id_token=\(s("nested_token").percentEncoded)"
    let body = #"{"next":"https:\/\/c.example.com\/?a=1&refresh_token=\#(s("json_token"))"}"#
    return exchange(
      18, "POST", "www.example.com", "/login",
      ["Referer": "https://site.example.com/cb?a=b&access_token=\(s("referer_token").percentEncoded)#top"],
      Array("password=\(s("form_password"))&x=1".utf8), query: "go=\(inner.percentEncoded)", answer: Array(body.utf8),
      answerFields: ["Location": "/cb?x=1#/home?access_token=\(s("fragment_token"))&n=2"])
      + [
        event(
          1899, .mark(Mark("opened app://cb#access_token=\(s("mark_token"))", ["at": "https://d.example.com/?adid=1"])))
      ]
  }

  /// What a HAR says beside its calls.
  private static func har(_ s: (String) -> String) -> [Event] {
    func pair(_ name: String, _ value: String) -> JSON { ["name": .string(name), "value": .string(s(value))] }
    var events = exchange(
      19, "POST", "www.example.com", "/har", [:],
      Array("flag&password=\(s("har_form_password").percentEncoded)".utf8))
    let frame = "https://e.example.com/a.js?access_token=\(s("har_frame_token").percentEncoded)"
    events[0].unknown = [
      "har": [
        "_initiator": ["stack": ["callFrames": [["url": .string(frame), "lineNumber": 7]]]],
        "pageref": .string("on https://f.example.com/#access_token=\(s("har_title_token").percentEncoded) (2)"),
        "request": [
          "headers": [pair("Authorization", "har_header"), pair("Accept", "text/plain")],
          "cookies": ["0": ["value": .string(s("har_cookie")), "name": "sid"]],
          "queryString": ["~": [1, 0, [pair("api_key", "har_query"), pair("page", "hq")]]],
          "postData": [
            "mimeType": .string(FormPairs.contentType),
            "params": [["value": .string(s("har_param")), "name": "client_secret"], pair("n", "hp")],
            "text": .string("a=b&password=\(s("har_patch"))"),
          ],
        ],
        "response": ["redirectURL": .string("cb#access_token=\(s("har_redirect_token"))")],
      ]
    ]
    return events
  }

  /// Every secret that is searched for, in every form, where no rule points.
  private static func everywhere(_ s: (String) -> String) -> [Event] {
    secrets.map(\.name).filter { !short.contains($0) }.enumerated().flatMap { number, name in
      let value = s(name)
      let inJSON = text([value: .string(value), "deep": [["x": .string(text(["y": .string(text([.string(value)]))]))]]])
      let escaped = inJSON.unicodeScalars.map { $0.value < 0x80 ? String($0) : $0.utf16Escapes }.joined()
      // The base64 of other letters may have signs that a form escapes, and the pseudonym's may have none, or the reverse.
      let base = value.utf8.allSatisfy { $0 < 0x80 } ? base64("ab\(value)") : ""
      let pairs: FormPairs = ["plain": value, "json": inJSON, "twice": value.percentEncoded, "base": base]
      let fields: Fields = [
        "X-Plain": "before \(value) behind", "X-Base64": base64("x\(value)"),
        "X-URL": base64("xy\(value)z").forURLs, "X-JSON": base64(inJSON),
        "X-Percent": value.percentEncoded.lowercasedASCII,
      ]
      let cases = isHex(value) ? value.uppercased() + " " + value.lowercased() : value
      return exchange(
        100 + number, "POST", "cdn.example.com", "/a/\(value.percentEncoded)/b/\(value.percentEncoded.percentEncoded)",
        fields, pairs.serialized, query: "v=\(value.percentEncoded)&w=\(text([.string(value)]).percentEncoded)",
        answer: Array((number % 2 == 0 ? inJSON : escaped).utf8), answerFields: ["X-Cases": cases],
        error: TransportError(.reset, during: .body, "while reading \(value)"))
    }
  }

  private static func exchange(
    _ call: Int, _ method: String, _ host: String, _ path: String, _ fields: Fields, _ body: [UInt8] = [],
    query: String? = nil, answer: [UInt8] = [], answerFields: Fields = [:], error: TransportError? = nil
  ) -> [Event] {
    let at = Int64(call * 100)
    let location = Location(scheme: "https", host: host, path: path, query: query)
    let content = Content(answer, trailers: answerFields)
    let end: Event.Step = error.map { .error($0, content) } ?? .end(content)
    let request = Request(method: method, location: location, fields: fields, body: body)
    let steps: [Event.Step] = [
      .request(request), .response(ResponseHead(status: 200, fields: answerFields)), .chunk(bytes: answer.count), end,
    ]
    return steps.enumerated().map { LaunchCassetteTests.call(at + Int64($0), call, $1) }
  }

  static func text(_ value: JSON) -> String { value.text }

  static func base64(_ text: String) -> String { String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self) }

  static func isHex(_ value: String) -> Bool { SecretText.isHex(Array(value.utf8)) }
}

extension String {
  var forURLs: String { String(map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" }) }
}

extension Unicode.Scalar {
  fileprivate var utf16Escapes: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
