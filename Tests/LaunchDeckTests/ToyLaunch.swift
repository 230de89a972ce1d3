import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// A small app in the shape of a real one: two vendors at once, a timer, a prompt, unstructured tasks.
struct ToyLaunch {
  var transport: any Transport

  func run() async throws {
    let marks = transport as? any MarkSink
    async let messages: Void = startMessages()
    try await Task.sleep(for: .seconds(3))
    marks?.mark(Mark("ATT answered", ["status": 3]))
    let session = try await transport.response(
      to: post("/session", "att_status=3", host: "consent.adjust.com", type: "application/x-www-form-urlencoded"))
    guard session.status == 200 else { throw ToyError.noSession }
    try await messages
    _ = try await transport.response(to: get("/paywall"))
    try await Task.sleep(for: .seconds(15))
    marks?.mark("splash done")
  }

  private func startMessages() async throws {
    let user = Task { try await transport.text(post("/users", #"{"language":"en"}"#)) }
    let id = try await user.value
    _ = try await transport.response(to: get("/users/\(id)/messages"))
  }
}

enum ToyError: Error, CustomStringConvertible {
  case noSession
  var description: String { "there is no session" }
}

/// Answers the toy launch; each answer has its own latency.
let toyServer = AnswerTransport { request in
  switch request.location.path {
  case "/users": Answer(head: ResponseHead(status: 201), body: Array("u1".utf8), after: .milliseconds(350))
  case "/users/u1/messages":
    Answer(
      connection: Connection(id: 1, address: "127.0.0.1:9001", isReused: true),
      parts: [
        .init(at: .milliseconds(40), .head(ResponseHead(status: 200, fields: ["Content-Type": "application/json"]))),
        .init(at: .milliseconds(41), .chunk(Chunk(Array(#"{"in_app_"#.utf8)))),
        .init(at: .milliseconds(95), .chunk(Chunk(Array(#"messages":[]}"#.utf8)))),
        .init(at: .milliseconds(95), .end(Ending())),
      ])
  case "/session":
    Answer(
      connection: Connection(id: 2, address: "127.0.0.1:9002", connect: .milliseconds(2), tls: .milliseconds(9)),
      parts: [
        .init(at: .milliseconds(120), .head(ResponseHead(status: 200))),
        .init(at: .milliseconds(120), .end(Ending())),
      ])
  case "/paywall": Answer(head: ResponseHead(status: 200), body: Array("{}".utf8), after: .milliseconds(500))
  default: Answer(head: ResponseHead(status: 404))
  }
}
