import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import TestSupport
import Testing

@Suite struct VendorSandboxTests {
  @Test func `every vendor answers under its hosts`() throws {
    let hosts = VendorSandbox.hosts
    #expect(Set(hosts).count == hosts.count)
    for host in [
      "api.onesignal.com", "onesignal.com", "analytics.adjust.com", "consent.adjust.com", "analytics.adjust.io",
      "consent.adjust.io", "api.adapty.io", "fallback.adapty.io", "configs-cdn.adapty.io", "api-ua.adapty.io",
      "api.ipify.org", "api.motisig.ai",
    ] { #expect(hosts.contains(host)) }
    var sandbox = VendorSandbox()
    for host in hosts { #expect(try sandbox.respond(to: Request("GET", "http://\(host)/nothing/there")).status == 404) }
  }

  @Test func `an unknown host is named`() throws {
    var sandbox = VendorSandbox()
    let answer = try sandbox.respond(to: Request("GET", "https://example.com/"))
    #expect(answer.summary == #"421 {"error":"no stand-in answers for host example.com"}"#)
  }

  @Test func `http and https mean the same`() throws {
    var (first, second) = (VendorSandbox(), VendorSandbox())
    var request = try Adjust.post("/session")
    let secure = first.respond(to: request)
    request.location.scheme = "http"
    #expect(second.respond(to: request) == secure)
  }

  @Test func `the same requests get the same answers`() throws {
    let requests = try launch()
    var (first, second) = (VendorSandbox(), VendorSandbox())
    let answers = requests.map { first.respond(to: $0) }
    #expect(requests.map { second.respond(to: $0) } == answers)
    #expect(answers.allSatisfy { (200..<300).contains($0.status ?? 0) })
  }

  /// What is asked of one vendor never moves the answers of another.
  @Test func `answers do not depend on what others ask`() throws {
    var (alone, together) = (VendorSandbox(), VendorSandbox())
    for request in try launch() where request.location.host.hasSuffix("onesignal.com") {
      _ = together.respond(to: request)
    }
    let session = try Adjust.post("/session")
    #expect(alone.respond(to: session) == together.respond(to: session))
  }

  /// Random requests made of pieces that the stand-ins know, so that many get past the first check.
  @Test(arguments: UInt64(1)...20) func `no request can break a stand-in`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var sandbox = VendorSandbox()
    let known = try launch()
    for _ in 0..<400 {
      guard var request = known.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 0...4, using: &random) { request.mutate(using: &random) }
      let answer = sandbox.respond(to: request)
      #expect((200..<500).contains(answer.status ?? 0))
      #expect(answer.parts.map(\.offset) == answer.parts.map(\.offset).sorted())
      if case .end? = answer.parts.last?.part {} else { Issue.record("an answer without an end") }
    }
  }

  private func launch() throws -> [Request] {
    var sandbox = VendorSandbox()
    let created = try OneSignal.send("POST", "/users", OneSignal.user)
    let user = sandbox.respond(to: created).json
    let id = user?["identity"]?["onesignal_id"]?.string ?? ""
    let subscription = user?["subscriptions"]?[0]?["id"]?.string ?? ""
    let message = InAppMessage.appReady
    _ = try sandbox.respond(to: Adapty.profile())
    let profile = try sandbox.respond(to: Adapty.appleAds())
    let segment = profile.json?["data"]?["attributes"]?["segment_hash"]?.string ?? ""
    return [
      try OneSignal.get("/ios_params.js"), created,
      try OneSignal.get("/subscriptions/\(subscription)/iams", ["OneSignal-RYW-Token": "t"]),
      try OneSignal.send("PATCH", "/users/by/onesignal_id/\(id)", ["properties": ["tags": ["mmp_id": "0a"]]]),
      try OneSignal.send("PATCH", "/subscriptions/\(subscription)", ["subscription": ["token": "ab"]]),
      try Request(
        "GET", "https://onesignal.com/in_app_messages/\(message.id)/variants/\(message.variantID)/html?app_id=a"),
      try Adjust.post("/session"), try Adjust.attribution(),
      try Adjust.post("/sdk_click", ["source": "apple_ads", "attribution_token": "t"]),
      try Adjust.post("/sdk_info", ["source": "att"]),
      try Request(
        "GET", "https://fallback.adapty.io/api/v1/sdk/company/\(Adapty.prefix)/app/net-config.json"),
      try Adapty.profile(), try Adapty.profile("PATCH"), try Adapty.profile("GET"), try Adapty.appleAds(),
      try Adapty.events([Adapty.event]), try Adapty.install(), try Adapty.get("/in-apps/profile/cross-placement-info/"),
      try Adapty.paywall(segment: segment), try Request("GET", "https://api.ipify.org?format=json"),
      try MotiSig.send("POST", "/users", ["id": "u1", "tags": ["a"]]), try MotiSig.send("PATCH", "/users/u1", [:]),
      try MotiSig.send("POST", "/users/u1/push-subscriptions", MotiSig.subscription),
      try MotiSig.send("DELETE", "/users/u1/push-subscriptions", MotiSig.subscription),
      try MotiSig.send("POST", "/track/click", ["userId": "u1", "messageId": "m1"]),
    ]
  }
}

extension Request {
  fileprivate mutating func mutate(using random: inout SeededGenerator) {
    let junk = [
      "", "*", "%", "%00", "%ff", "..", "\u{0}", "é", "null", "{}", "[]", "-1", "9223372036854775808", "true",
    ]
    let piece = junk.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<7, using: &random) {
    case 0: method = ["GET", "POST", "PATCH", "HEAD", ""].randomElement(using: &random) ?? ""
    case 1: location.host = VendorSandbox.hosts.randomElement(using: &random) ?? ""
    case 2: location.path = location.path.replacingPart(with: piece, using: &random)
    case 3: location.query = (location.query ?? "") + "&" + piece + "=" + piece
    case 4: if !fields.isEmpty { fields[Int.random(in: 0..<fields.count, using: &random)].value = piece }
    case 5:
      if !body.isEmpty {
        var bytes = body.bytes
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        body = Body(bytes)
      }
    default: body = Body(Array(piece.utf8))
    }
  }
}

extension String {
  fileprivate func replacingPart(with piece: String, using random: inout SeededGenerator) -> String {
    var parts = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    parts[Int.random(in: 0..<parts.count, using: &random)] = piece
    return parts.joined(separator: "/")
  }
}
