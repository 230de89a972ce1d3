import Foundation
import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

struct MatchingTests {
  struct Pair: CustomTestStringConvertible, Sendable {
    var recorded: Request
    var asked: Request
    var note: String
    var testDescription: String { note }

    init(_ note: String, _ recorded: Request, _ asked: Request) {
      self.note = note
      self.recorded = recorded
      self.asked = asked
    }
  }

  static let form = "application/x-www-form-urlencoded"

  static let matching: [Pair] = [
    Pair("the same", get("/a"), get("/a")),
    Pair("a time-out is no part of a request", get("/a"), get("/a", timeout: .seconds(1))),
    Pair("the query's names in another order", get("/a", query: "x=1&y=2&y=3"), get("/a", query: "y=2&x=1&y=3")),
    Pair("another percent-encoding", get("/a", query: "x=%7e"), get("/a", query: "x=~")),
    Pair("another percent-encoding of the path", get("/a/%7Eb"), get("/a/~b")),
    Pair(
      "the scheme's own port",
      Request(method: "GET", location: Location(scheme: "http", host: "a", port: 80)),
      Request(method: "GET", location: Location(scheme: "http", host: "a"))),
    Pair(
      "JSON in another order and layout",
      post("/a", #"{"a":1,"b":[true,null]}"#), post("/a", #"{ "b": [true, null], "a": 1.0 }"#)),
    Pair(
      "JSON of another media type", post("/a", #"{"a":1}"#, type: "application/vnd.api+json"), post("/a", #"{"a":1}"#)),
    Pair(
      "a form in another order", post("/a", "a=1&b=x+y", type: form),
      post("/a", "b=x%20y&a=1", type: form + ";charset=utf-8")),
    Pair(
      "JSON text in a form in another order", post("/a", "p=%7B%22a%22%3A1%2C%22b%22%3A2%7D", type: form),
      post("/a", #"p={"b":2,"a":1}"#, type: form)),
    Pair("a multipart form of another boundary and order", multipart("x", parts), multipart("-- y=", parts.reversed())),
    Pair(
      "Adjust's times and counters",
      post(
        "/session", "app_token=a&created_at=1&sent_at=2&queue_size=1&wait_time=0.2", host: "consent.adjust.com",
        type: form),
      post("/session", "created_at=7&app_token=a&sent_at=9&retry_count=1", host: "consent.adjust.com", type: form)),
    Pair(
      "Adjust's times in a query",
      Request(
        method: "GET",
        location: Location(scheme: "https", host: "analytics.adjust.io", path: "/attribution", query: "a=1&sent_at=2")),
      Request(
        method: "GET",
        location: Location(scheme: "https", host: "analytics.adjust.io", path: "/attribution", query: "sent_at=3&a=1"))),
    Pair(
      "Adapty's ids and times of events",
      post(
        "/api/v1/sdk/events/",
        #"{"data":{"attributes":{"events":[{"event_id":"1","event_name":"x","created_at":"1"}]}}}"#,
        host: "api.adapty.io"),
      post(
        "/api/v1/sdk/events/",
        #"{"data":{"attributes":{"events":[{"event_id":"2","event_name":"x","created_at":"2"}]}}}"#,
        host: "api.adapty.io")),
    Pair(
      "OneSignal's seconds of a session",
      post("/a", #"{"deltas":{"session_time":3,"session_count":1}}"#, host: "api.onesignal.com"),
      post("/a", #"{"deltas":{"session_time":4,"session_count":1}}"#, host: "api.onesignal.com")),
  ]

  static let parts = [
    "Content-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n",
    "Content-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\r\n--\r\n",
    "content-disposition: form-data; name=data\r\n\r\n{\"a\": 1}\r\n",
  ]

  static func multipart(_ boundary: String, _ parts: [String]) -> Request {
    let body = parts.map { "--\(boundary)\r\n\($0)" }.joined() + "--\(boundary)--\r\n"
    return post("/upload", body, type: "multipart/form-data; boundary=\"\(boundary)\"")
  }

  @Test(arguments: matching)
  func `is answered by the recording`(pair: Pair) async throws {
    let transport = ReplayTransport(recording(exchange(1, pair.recorded, answering: "yes")))
    #expect(try await transport.text(pair.asked) == "yes")
    #expect(transport.unused == [] && transport.misses == [])
  }

  static let missing: [(pair: Pair, message: String)] = [
    (Pair("nothing like it", get("/a"), post("/b/c", "{}")), "POST https://example.com/b/c was never recorded"),
    (
      Pair(
        "another host", get("/a"), Request(method: "GET", location: Location(scheme: "https", host: "b", path: "/a"))),
      "GET https://b/a was not recorded like this; the nearest is call 1, which differs in 1 place: origin is https://b, recorded was "
        + "https://example.com"
    ),
    (
      Pair("another method", post("/a", ""), get("/a")),
      "GET https://example.com/a was not recorded like this; the nearest is call 1, which differs in 1 place: method is GET, recorded was POST"
    ),
    (
      Pair("another user", get("/apps/1/users/5"), get("/apps/1/users/6")),
      #"GET https://example.com/apps/1/users/6 was not recorded like this; the nearest is call 1, which differs in 1 place: path[3] is "6", recorded was "5""#
    ),
    (
      Pair("another query", get("/a", query: "x=1&y=2"), get("/a", query: "x=3&z=")),
      #"GET https://example.com/a was not recorded like this; the nearest is call 1, which differs in 3 places: query.x is "3", recorded was "1"; "#
        + #"query.z is "", recorded was none; query.y is missing, recorded was "2""#
    ),
    (
      Pair(
        "another value deep in JSON",
        post("/a", #"{"tags":{"mmp_id":"x","old":1},"n":[1,2]}"#), post("/a", #"{"tags":{"mmp_id":"y"},"n":[1,3,4]}"#)),
      #"POST https://example.com/a was not recorded like this; the nearest is call 1, which differs in 4 places: body.tags.mmp_id is "y", recorded was "x"; "#
        + #"body.n[1] is 3, recorded was 2; body.n[2] is 4, recorded was none; body.tags.old is missing, recorded was 1"#
    ),
    (
      Pair(
        "who the user is, at Adjust",
        post("/session", "idfa=1&sent_at=1", host: "consent.adjust.com", type: form),
        post("/session", "idfa=2&sent_at=2", host: "consent.adjust.com", type: form)),
      #"POST https://consent.adjust.com/session was not recorded like this; the nearest is call 1, which differs in 1 place: form.idfa is "2", "#
        + #"recorded was "1""#
    ),
    (
      Pair(
        "a field Adjust would change, at another vendor", post("/a", "sent_at=1", type: form),
        post("/a", "sent_at=2", type: form)),
      #"POST https://example.com/a was not recorded like this; the nearest is call 1, which differs in 1 place: form.sent_at is "2", recorded was "1""#
    ),
    (
      Pair("another text", post("/a", "abc"), post("/a", "abcd")),
      #"POST https://example.com/a was not recorded like this; the nearest is call 1, which differs in 1 place: body is "abcd", recorded was "abc""#
    ),
    (
      Pair("values of one name in another order", get("/a", query: "y=2&y=3"), get("/a", query: "y=3&y=2")),
      #"GET https://example.com/a was not recorded like this; the nearest is call 1, which differs in 2 places: query.y is "3", recorded was "2"; "#
        + #"query.y#2 is "2", recorded was "3""#
    ),
    (
      Pair("an object more", post("/a", #"{"a":1}"#), post("/a", #"{"a":1,"b.c":{"d":[1,2]}}"#)),
      #"POST https://example.com/a was not recorded like this; the nearest is call 1, which differs in 1 place: body."b.c" is an object, recorded was none"#
    ),
    (
      Pair(
        "a file of another name", multipart("x", parts),
        multipart("x", [parts[0], parts[1].replacing("a.png", with: "b.png"), parts[2]])),
      #"POST https://example.com/upload was not recorded like this; the nearest is call 1, which differs in 1 place: form.image@filename is "b.png", "#
        + #"recorded was "a.png""#
    ),
    (
      Pair(
        "a host that only ends alike", post("/a", #"{"install_time":1}"#, host: "notadapty.io"),
        post("/a", #"{"install_time":2}"#, host: "notadapty.io")),
      "POST https://notadapty.io/a was not recorded like this; the nearest is call 1, which differs in 1 place: body.install_time is 2, recorded was 1"
    ),
  ]

  @Test(arguments: missing.indices)
  func `is a miss that says what is nearest`(index: Int) async throws {
    let (pair, message) = Self.missing[index]
    let transport = ReplayTransport(closed(recording(exchange(1, pair.recorded, answering: "no"))))
    let error = await #expect(throws: TransportError.self) { try await transport.text(pair.asked) }
    #expect(error == TransportError(.unmatched, during: .request, message))
    #expect(transport.misses.map(\.description) == [message])
    #expect(transport.unused.map(\.call) == [1])
  }

  @Test func `equal requests are answered in recorded order, and then no more`() async throws {
    let transport = ReplayTransport(
      closed(
        recording(
          exchange(1, get("/a"), answering: "first"), exchange(2, get("/b"), answering: "other"),
          exchange(3, get("/a"), answering: "second"))))
    #expect(try await transport.text(get("/a")) == "first")
    #expect(try await transport.text(get("/a")) == "second")
    await #expect(
      throws: TransportError(
        .unmatched, during: .request,
        "GET https://example.com/a was asked for more often than recorded: 2 of 2 answers are used (calls 1, 3)")
    ) { try await transport.text(get("/a")) }
    #expect(transport.unused.map(\.call) == [2])
  }

  @Test func `the nearest of several is the one with the least to tell`() async throws {
    let transport = ReplayTransport(
      recording(
        exchange(1, post("/a", #"{"a":1,"b":1}"#), answering: ""),
        exchange(2, post("/a", #"{"a":2,"b":1}"#), answering: ""),
        exchange(3, get("/a"), answering: "")))
    _ = try? await transport.text(post("/a", #"{"a":2,"b":2}"#))
    #expect(transport.misses.first?.reason == .different(call: 2, differences: ["body.b is 2, recorded was 1"]))
  }

  @Test func `a miss says whether the nearest call has answered, and whether the recording was cut`() throws {
    var player = Player(
      recording(
        exchange(1, get("/a", query: "x=1"), answering: ""), exchange(2, get("/b", query: "x=1"), answering: "")))
    _ = try player.answer(get("/a", query: "x=1"))
    let cut = "the recording was cut off at 0.001 s"
    let expected = [
      (get("/c"), "was never recorded; \(cut)"),
      (get("/a", query: "x=1"), "was asked for more often than recorded: 1 of 1 answers are used (call 1); \(cut)"),
      (
        get("/a", query: "x=2"),
        #"was not recorded like this; the nearest is call 1, which differs in 1 place: query.x is "2", recorded was "1"; call 1 has answered already; "#
          + cut
      ),
      (
        get("/b", query: "x=2"),
        #"was not recorded like this; the nearest is call 2, which differs in 1 place: query.x is "2", recorded was "1"; \#(cut)"#
      ),
    ]
    for (request, text) in expected {
      let miss = #expect(throws: Miss.self) { try player.answer(request) }
      #expect(miss?.description == "GET https://example.com\(request.location.path) \(text)")
    }
    #expect(player.misses.count == 4)
  }

  @Test func `every answer is given once to threads that ask at once`() {
    let (threads, perThread) = (64, 25)
    let recorded = (1...threads * perThread).flatMap { exchange($0, get("/\($0 % 3)"), answering: "\($0)") }
    let transport = ReplayTransport(closed(recording(recorded)))
    let answers = Mutex<[String]>([])
    let finished = DispatchSemaphore(value: 0)
    for thread in 0..<threads {
      // A simulation runs on the thread that starts it, so these are as many threads as simulations.
      Thread.detachNewThread {
        let texts = try? Simulation.run {
          var texts: [String] = []
          for number in 1...perThread {
            texts.append(try await transport.text(get("/\((thread * perThread + number) % 3)")))
          }
          return texts
        }
        answers.withLock { $0 += texts ?? [] }
        finished.signal()
      }
    }
    for _ in 0..<threads { finished.wait() }
    let numbers = (1...threads * perThread).map(String.init)
    #expect(answers.withLock { $0.sorted() } == numbers.sorted())
    #expect(transport.unused == [] && transport.misses == [])
  }

  static let brokenBodies: [Request] = [
    multipart("x", parts), post("/a", #"{"a":[1,{"b":"\u0041"}],"c":null,"d":1.50}"#),
    post("/a", "a=%7B%22b%22%3A1%7D&c=%4&d", type: form),
  ]

  @Test(arguments: brokenBodies)
  func `a body cut or changed anywhere is compared like any other`(request: Request) throws {
    let bytes = request.body.bytes
    for place in bytes.indices {
      for changed in [Array(bytes[..<place]), bytes[..<place] + [bytes[place] ^ 0x55] + bytes[(place + 1)...]] {
        var broken = request
        broken.body = Body(changed)
        var player = Player(closed(recording(exchange(1, broken, answering: ""))))
        #expect(try player.answer(broken).call == 1)
      }
    }
  }
}
