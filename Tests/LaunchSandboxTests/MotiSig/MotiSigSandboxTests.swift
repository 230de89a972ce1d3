import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import TestSupport
import Testing

/// The stand-in against vendors.md 4.1, 4.2 and the vendor's OpenAPI description.
@Suite struct MotiSigSandboxTests {
  private static let token = #"{"devicePlatform":"ios","pushType":"apns","token":"0a1b""#

  private static func request(_ line: String, _ body: String = "", _ more: Fields = [:]) throws -> Request {
    let words = line.split(separator: " ").map(String.init)
    return try Request(words[0], MotiSig.base + words[1], MotiSig.fields + more, body: Array(body.utf8))
  }

  /// A server that knows `u1`, with one tag, one attribute and one subscription.
  private static func server() throws -> MotiSigSandbox {
    var sandbox = MotiSigSandbox()
    for (line, body) in [
      ("POST /users", #"{"id":"u1","platform":"ios","timezone":"Europe/Paris","locale":"en-US","tags":["old"]}"#),
      ("POST /users/u1/attributes", #"{"attributes":{"n":1}}"#),
      ("POST /users/u1/push-subscriptions", token + #","permission":"granted","enabled":true}"#),
    ] {
      let answer = sandbox.respond(to: try request(line, body))
      #expect(answer.status == 200)
    }
    return sandbox
  }

  static let answers: [(String, String, String)] = [
    ("POST /users", #"{"id":"u2"}"#, #"200 {"success":true,"userId":"u2","signup":true}"#),
    ("POST /users", #"{"id":"","anything":[null]}"#, #"200 {"success":true,"userId":"","signup":true}"#),
    ("POST /users", #"{"id":"u1"}"#, #"409 {"error":"the user u1 exists"}"#),
    ("PATCH /users/u1", #"{"firstName":"Ada","locale":"de-DE"}"#, #"200 {"success":true}"#),
    ("PATCH /users/u1", "{}", #"200 {"success":true}"#),
    ("POST /users/u1/tags", #"{"tags":["a","a",""]}"#, #"200 {"success":true}"#),
    ("POST /users/u1/tags", "{}", #"200 {"success":true}"#),
    ("DELETE /users/u1/tags", #"{"tags":["old","never"]}"#, #"200 {"success":true}"#),
    ("POST /users/u1/attributes", #"{"attributes":{"x":{"y":[1]}}}"#, #"200 {"success":true}"#),
    ("DELETE /users/u1/attributes", #"{"keys":["n"]}"#, #"200 {"success":true}"#),
    ("POST /users/u1/push-subscriptions", token + "}", #"200 {"success":true}"#),
    ("PATCH /users/u1/push-subscriptions", token + #","enabled":false}"#, #"200 {"success":true}"#),
    ("DELETE /users/u1/push-subscriptions", token + "}", #"200 {"success":true}"#),
    ("POST /users/u1/ping", "", #"200 {"success":true}"#),
    (
      "POST /events", #"{"userId":"u1","eventName":"e","eventData":7}"#,
      #"200 {"success":true,"message":"event e triggered"}"#
    ),
    ("POST /track/click", #"{"userId":"u1","messageId":"m1","isForeground":true}"#, #"200 {"success":true}"#),
    (
      "GET /users/u1", "",
      #"200 {"user":{"id":"u1","timezone":"Europe/Paris","locale":"en-US","tags":["old"],"customAttributes":{"n":1},"#
        + #""pushSubscriptions":[{"devicePlatform":"ios","pushType":"apns","token":"0a1b","permission":"granted","#
        + #""enabled":true}]}}"#
    ),
    ("GET /health", "", #"200 {"status":"ok","service":"client-api","timestamp":"2026-11-30T06:20:45.000Z"}"#),
  ]

  @Test(arguments: answers) func `each call has its answer, on both paths`(line: String, body: String, summary: String)
    throws
  {
    var sandbox = try Self.server()
    #expect(sandbox.respond(to: try Self.request(line, body)).summary == summary)
    guard !line.hasSuffix("/health") else { return }
    sandbox = try Self.server()
    let long = line.split(separator: " ").joined(separator: " /organizations/org/projects/project")
    #expect(sandbox.respond(to: try Self.request(long, body, ["X-Project-ID": ""])).summary == summary)
  }

  static let refusals: [(String, String, String)] = [
    ("POST /users", "{}", #"400 {"error":"id has to be a string"}"#),
    ("POST /users", #"{"id":7}"#, #"400 {"error":"id has to be a string"}"#),
    ("POST /users", #"{"id":"u","email":null}"#, #"400 {"error":"email has to be a string"}"#),
    ("POST /users", #"{"id":"u","tags":["a",1]}"#, #"400 {"error":"tags has to be an array of strings"}"#),
    ("POST /users", #"{"id":"u","customAttributes":[]}"#, #"400 {"error":"customAttributes has to be an object"}"#),
    (
      "POST /users", #"{"id":"u","pushSubscriptions":{"ios":{"apns":{}}}}"#,
      #"400 {"error":"apns has to be an array"}"#
    ),
    ("POST /users", #"{"id":"u","pushSubscriptions":{"ios":[]}}"#, #"400 {"error":"ios has to be an object"}"#),
    ("POST /users", "[]", #"400 {"error":"the body is no JSON object"}"#),
    ("PATCH /users/u1", #"{"tags":[]}"#, #"400 {"error":"tags does not belong here"}"#),
    ("PATCH /users/u1", #"{"locale":1}"#, #"400 {"error":"locale has to be a string"}"#),
    ("PATCH /users/nobody", "{}", #"404 {"error":"no user nobody"}"#),
    ("GET /users/nobody", "", #"404 {"error":"no user nobody"}"#),
    ("POST /users/nobody/ping", "", #"404 {"error":"no user nobody"}"#),
    ("POST /users/u1/tags", #"{"tags":"a"}"#, #"400 {"error":"tags has to be an array of strings"}"#),
    ("DELETE /users/u1/attributes", #"{"keys":{}}"#, #"400 {"error":"keys has to be an array of strings"}"#),
    ("POST /users/u1/attributes", #"{"attributes":[]}"#, #"400 {"error":"attributes has to be an object"}"#),
    (
      "POST /users/u1/push-subscriptions", #"{"devicePlatform":"tv","pushType":"apns","token":"a"}"#,
      #"400 {"error":"devicePlatform has to be one of ios, android, web"}"#
    ),
    (
      "POST /users/u1/push-subscriptions", #"{"devicePlatform":"ios","pushType":"sms","token":"a"}"#,
      #"400 {"error":"pushType has to be one of expo, fcm, apns"}"#
    ),
    (
      "POST /users/u1/push-subscriptions", #"{"devicePlatform":"ios","pushType":"apns","token":""}"#,
      #"400 {"error":"token has to be a non-empty string"}"#
    ),
    (
      "POST /users/u1/push-subscriptions", token + #","permission":"maybe"}"#,
      #"400 {"error":"permission has to be one of granted, declined, unknown"}"#
    ),
    (
      "POST /users/u1/push-subscriptions", token + #","enabled":1}"#,
      #"400 {"error":"enabled has to be true or false"}"#
    ),
    (
      "PATCH /users/u1/push-subscriptions", token + #","more":1}"#, #"400 {"error":"more does not belong here"}"#
    ),
    (
      "PATCH /users/u1/push-subscriptions", #"{"devicePlatform":"ios","pushType":"apns","token":"ffff"}"#,
      #"404 {"error":"the user has no such subscription"}"#
    ),
    ("POST /events", #"{"userId":"u1"}"#, #"400 {"error":"eventName has to be a string"}"#),
    ("POST /events", #"{"userId":"nobody","eventName":"e"}"#, #"404 {"error":"no user nobody"}"#),
    ("POST /track/click", #"{"userId":"u1"}"#, #"400 {"error":"messageId has to be a string"}"#),
    (
      "POST /track/click", #"{"userId":"u1","messageId":"m","isForeground":"no"}"#,
      #"400 {"error":"isForeground has to be true or false"}"#
    ),
    ("POST /track/clicks", "{}", #"404 {"error":"api.motisig.ai has nothing at /client/track/clicks"}"#),
    ("PUT /users/u1", "{}", #"405 {"error":"PUT is not a method of /client/users/u1"}"#),
  ]

  @Test(arguments: refusals) func `a mistake is named`(line: String, body: String, summary: String) throws {
    var sandbox = try Self.server()
    #expect(sandbox.respond(to: try Self.request(line, body)).summary == summary)
  }

  @Test func `credentials are needed, and JSON has to say that it is`() throws {
    var sandbox = try Self.server()
    for (fields, summary) in [
      (["X-API-Key": ""], #"401 {"error":"X-API-Key is missing"}"#),
      (["X-API-Key": "other"], #"401 {"error":"X-API-Key is not the key of the project"}"#),
      (["X-Project-ID": ""], #"401 {"error":"X-Project-ID is missing"}"#),
      (
        ["Content-Type": "text/plain"],
        #"415 {"error":"Content-Type has to be application/json, and it is text/plain"}"#
      ),
    ] as [(Fields, String)] {
      #expect(sandbox.respond(to: try Self.request("POST /users", #"{"id":"u2"}"#, fields)).summary == summary)
    }
  }

  @Test(arguments: ["a@b.c", "a b", "a/b", "100%", "é", "%41"]) func `path segments are decoded twice`(id: String)
    throws
  {
    var sandbox = MotiSigSandbox()
    let body = JSON.object(["id": .string(id)]).serialized
    let created = sandbox.respond(to: try Self.request("POST /users", String(decoding: body, as: UTF8.self)))
    #expect(created.status == 200)
    let segment = id.percentEncoded.percentEncoded
    #expect(sandbox.respond(to: try Self.request("POST /users/\(segment)/ping")).status == 200)
  }

  @Test func `users belong to their project`() throws {
    var sandbox = try Self.server()
    #expect(sandbox.respond(to: try Self.request("POST /users/u1/ping", "", ["X-Project-ID": "other"])).status == 404)
  }

  @Test func `a click counts once, however often it comes`() throws {
    var sandbox = try Self.server()
    let click = try Self.request("POST /track/click", #"{"userId":"u1","messageId":"m1"}"#)
    for _ in 1...3 { #expect(sandbox.respond(to: click).status == 200) }
    #expect(sandbox.clicks.map { [$0.messageID, "\($0.deliveries)"] } == [["m1", "3"]])
  }

  @Test func `calls change what a user is`() throws {
    var sandbox = try Self.server()
    for (line, body) in [
      ("POST /users/u1/tags", #"{"tags":["a","b","a"]}"#), ("DELETE /users/u1/tags", #"{"tags":["old","a"]}"#),
      ("POST /users/u1/attributes", #"{"attributes":{"m":2}}"#), ("DELETE /users/u1/attributes", #"{"keys":["n"]}"#),
      ("PATCH /users/u1/push-subscriptions", Self.token + #","permission":"declined"}"#),
      ("PATCH /users/u1", #"{"email":"a@b.c"}"#),
    ] { #expect(sandbox.respond(to: try Self.request(line, body)).status == 200) }
    let user = try #require(sandbox.users.first)
    #expect(user.tags == ["b"])
    #expect(user.attributes == ["m": 2])
    #expect(user.profile["email"] == "a@b.c")
    #expect(user.subscriptions.map { [$0["permission"], $0["enabled"]] } == [["declined", true]])
  }

  /// Every body of the tables cut at every byte, and with bytes changed at random.
  @Test func `no body is answered with anything but success or a named mistake`() throws {
    var random = SeededGenerator(seed: 11)
    var sandbox = try Self.server()
    for (line, body, _) in Self.answers + Self.refusals {
      let bytes = Array(body.utf8)
      var bodies = bytes.indices.map { Array(bytes[..<$0]) }
      for _ in 0..<40 where !bytes.isEmpty {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          mutated[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bodies.append(mutated)
      }
      for body in bodies {
        var request = try Self.request(line)
        request.body = Body(body)
        let answer = sandbox.respond(to: request)
        let status = answer.status ?? 0
        #expect(status == 200 || (400..<500).contains(status))
        #expect(status == 200 || answer.json?["error"]?.string?.isEmpty == false)
      }
    }
  }
}
