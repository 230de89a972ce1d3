import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct MotiSigRequestsTests {
  private static let requests = MotiSigRequests(credentials: .sample, device: .sample)
  private static let subscription = MotiSigSubscription(userID: "u1", token: "0a1b", permission: .granted)
  private static let declined = MotiSigSubscription(userID: "u1", token: "0a1b", permission: .declined)

  struct Row: Sendable {
    var section: String
    var request: Request
    var line: String
    var body: String
  }

  static let rows: [Row] = [
    Row(
      section: "4.2 POST users", request: requests.createUser("u1", MotiSigProfile()), line: "POST /users",
      body: #"{"id":"u1","platform":"ios","timezone":"Europe/Paris","locale":"en-US"}"#),
    Row(
      section: "4.2 POST users, all members",
      request: requests.createUser(
        "u1",
        MotiSigProfile(
          firstName: "Ada", lastName: "L", email: "a@b.c", tags: ["x", "y"], customAttributes: ["plan": "pro", "n": 2])),
      line: "POST /users",
      body: """
        {"id":"u1","platform":"ios","timezone":"Europe/Paris","locale":"en-US","firstName":"Ada","lastName":"L",\
        "email":"a@b.c","tags":["x","y"],"customAttributes":{"plan":"pro","n":2}}
        """),
    Row(
      section: "4.2 PATCH users/{id}",
      request: requests.updateUser("u1", MotiSigProfile(firstName: "Ada", email: "a@b.c", tags: ["not sent"])),
      line: "PATCH /users/u1",
      body: #"{"firstName":"Ada","email":"a@b.c","timezone":"Europe/Paris","locale":"en-US"}"#),
    Row(
      section: "4.2 POST tags", request: requests.addTags(["a", "b"], to: "u1"), line: "POST /users/u1/tags",
      body: #"{"tags":["a","b"]}"#),
    Row(
      section: "4.2 DELETE tags", request: requests.removeTags(["a"], from: "u1"), line: "DELETE /users/u1/tags",
      body: #"{"tags":["a"]}"#),
    Row(
      section: "4.2 POST attributes", request: requests.setAttributes(["n": 1, "s": "t"], of: "u1"),
      line: "POST /users/u1/attributes", body: #"{"attributes":{"n":1,"s":"t"}}"#),
    Row(
      section: "4.2 DELETE attributes", request: requests.removeAttributes(["n"], of: "u1"),
      line: "DELETE /users/u1/attributes", body: #"{"keys":["n"]}"#),
    Row(
      section: "4.2 POST push-subscriptions", request: requests.change(.add(subscription)),
      line: "POST /users/u1/push-subscriptions",
      body: """
        {"devicePlatform":"ios","pushType":"apns","token":"0a1b","permission":"granted","enabled":true}
        """),
    Row(
      section: "4.2 PATCH push-subscriptions", request: requests.change(.update(declined)),
      line: "PATCH /users/u1/push-subscriptions",
      body: """
        {"devicePlatform":"ios","pushType":"apns","token":"0a1b","permission":"declined","enabled":false}
        """),
    Row(
      section: "4.2 DELETE push-subscriptions", request: requests.change(.remove(subscription)),
      line: "DELETE /users/u1/push-subscriptions",
      body: #"{"devicePlatform":"ios","pushType":"apns","token":"0a1b"}"#),
    Row(section: "4.2 POST ping", request: requests.ping("u1"), line: "POST /users/u1/ping", body: ""),
    Row(
      section: "4.2 POST events", request: requests.event("opened", data: ["screen": 3], by: "u1"),
      line: "POST /events", body: #"{"userId":"u1","eventName":"opened","eventData":{"screen":3}}"#),
    Row(
      section: "4.2 POST events without data", request: requests.event("opened", data: nil, by: "u1"),
      line: "POST /events", body: #"{"userId":"u1","eventName":"opened"}"#),
    Row(
      section: "4.2 POST track/click", request: requests.click(on: "m1", by: "u1", isForeground: false),
      line: "POST /track/click", body: #"{"userId":"u1","messageId":"m1","isForeground":false}"#),
    Row(
      section: "4.2 POST track/click, place unknown",
      request: requests.click(on: "m1", by: "u1", isForeground: nil),
      line: "POST /track/click", body: #"{"userId":"u1","messageId":"m1"}"#),
  ]

  @Test(arguments: rows) func `4.1 every call has its line, the three headers and its body`(row: Row) {
    let (method, path) = (row.line.split(separator: " ")[0], row.line.split(separator: " ")[1])
    #expect(
      row.request.wireText == """
        \(method) https://api.motisig.ai/client\(path)
        X-API-Key: msk_sample_5f1d8c0e7a39
        X-Project-ID: launchtape-sample
        Content-Type: application/json

        \(row.body)
        """, "\(row.section)")
    #expect(row.request.timeout == .seconds(30))
  }

  @Test(arguments: [
    ("a@b.c", "a%2540b.c"), ("a b", "a%2520b"), ("a/b", "a%252Fb"), ("100%", "100%2525"), ("é", "%25C3%25A9"),
    ("u-1_2.3~4", "u-1_2.3~4"),
  ]) func `4.1 path segments are encoded twice`(id: String, segment: String) {
    #expect(Self.requests.ping(id).location.path == "/client/users/\(segment)/ping")
    #expect(segment.percentDecoded.percentDecoded == id)
  }

  @Test(arguments: [
    ("http://127.0.0.1:9001/client", "http://127.0.0.1:9001/client/events"),
    ("http://127.0.0.1:9001/client/", "http://127.0.0.1:9001/client/events"),
    ("http://127.0.0.1:9001", "http://127.0.0.1:9001/events"),
    ("https://eu.example.com/v2/sdk", "https://eu.example.com/v2/sdk/events"),
  ]) func `4.5 another base stands before the paths`(base: String, url: String) throws {
    let requests = MotiSigRequests(credentials: .sample, device: .sample, base: try Location(parsing: base))
    #expect(requests.event("e", data: nil, by: "u").location.description == url)
  }
}
