import LaunchCassette
import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// Recording what an old recording does not have.
struct RecorderFillTests {
  private static let old = recording(
    exchange(1, get("/a"), answering: "old a"), exchange(2, get("/gone"), answering: "old gone"),
    exchange(3, get("/b"), answering: "old b"),
    [
      call(1100, 4, .request(get("/cut"))), call(1200, 4, .sent), call(1300, 4, .response(ResponseHead(status: 200))),
    ])

  @Test func `what is there is replayed with its timing, and only the rest goes out`() throws {
    let asked = Requests()
    let fill = FillTransport(Self.old, live: asked.server)
    let trace = try traced(fill) { tap in
      for path in ["/a", "/new", "/b", "/a", "/cut"] { _ = try await tap.response(to: get(path)) }
    }
    #expect(asked.paths == ["/new", "/a", "/cut"])
    #expect(fill.missing.map(\.location.path) == ["/new", "/a", "/cut"])
    #expect(fill.unused.map(\.request.location.path) == ["/gone"])
    let exchanges = trace.exchanges
    #expect(exchanges.map(\.request.location.path) == ["/a", "/new", "/b", "/a", "/cut"])
    #expect(exchanges.map(text) == ["old a", "live /new", "old b", "live /a", "live /cut"])
    // 1.1 ms as recorded, 80 ms as the live server takes.
    #expect(
      exchanges.map { ($0.end ?? .zero) - $0.requested }.map { $0 / .microseconds(1) } == [
        1000, 80_000, 1000, 80_000, 80_000,
      ])
  }

  @Test func `connections of both are told apart`() throws {
    var old = exchange(1, get("/a"), answering: "a")
    old.insert(call(50, 1, .connection(Connection(id: 1, address: "old", isReused: true))), at: 1)
    let live = AnswerTransport { _ in
      var answer = Answer(head: ResponseHead(status: 200))
      answer.connection = Connection(id: 1, address: "live")
      return answer
    }
    let fill = FillTransport(recording(old), live: live)
    let trace = try traced(fill) { tap in
      for path in ["/b", "/a", "/b"] { _ = try await tap.response(to: get(path)) }
    }
    #expect(trace.exchanges.map { $0.connection?.connection.address } == ["live", "old", "live"])
    #expect(trace.exchanges.map { $0.connection?.connection.id } == [1, 2, 1])
  }

  @Test func `a recorded failure is an answer, and a live one is passed on`() throws {
    let refused = TransportError(.refused, during: .connect, "nobody there")
    let live = TransportError(.reset, during: .response, "gone")
    let old = recording([call(0, 1, .request(get("/a"))), call(2000, 1, .error(refused, Content()))])
    let fill = FillTransport(
      old, live: AnswerTransport { _ in Answer(parts: [.init(at: .zero, .fault(.error(live)))]) })
    let trace = try traced(fill) { tap in
      await #expect(throws: refused) { try await tap.response(to: get("/a")) }
      await #expect(throws: live) { try await tap.response(to: get("/a")) }
      #expect(tap.failure == nil)
    }
    #expect(trace.exchanges.map(\.error) == [refused, live])
  }

  @Test func `a redacted recording that was cut off answers as a whole one does`() throws {
    let rules = try RedactionRules(parsing: "redact json **.id as id\nredact path /users/{user}/** as user", file: "r")
    let id = "0b5ad7a4-8c3f-4f38-9a5e-27a1d0c0ffee"
    func events(_ id: String, _ user: String) -> [[Event]] {
      [
        exchange(1, post("/session", #"{"id":"\#(id)"}"#), answering: #"{"user":"\#(user)","id":"\#(id)"}"#),
        exchange(2, get("/users/\(user)/tags"), answering: "tags"),
      ]
    }
    var redactor = Redactor(rules: rules)
    let old = Trace(name: "old", events: events(id, "jane-doe-1").joined().map { redactor.redact($0) })
    #expect(!old.isClosed)
    #expect(old.pseudonyms(by: rules) == redactor.redacted)
    var matching = Matching()
    matching.redactionRules = rules
    let live = AnswerTransport { _ in Answer(head: ResponseHead(status: 500)) }
    let fill = FillTransport(old, matching: matching, live: live)
    let trace = try traced(fill) { tap in
      let session = try await tap.text(post("/session", #"{"id":"1c6be8b5-9d40-4f49-8b6f-38b2e1d1aaaa"}"#))
      #expect(session.contains("1c6be8b5-9d40-4f49-8b6f-38b2e1d1aaaa"))
      _ = try await tap.response(to: get("/users/john-roe-2/tags"))
    }
    #expect(fill.missing.isEmpty && trace.exchanges.count == 2)
  }

  @Test func `values that nobody redacted are taken for no pseudonyms`() throws {
    let rules = try RedactionRules(parsing: "redact json **.id as id", file: "r")
    let trace = Trace(
      name: "plain",
      events: exchange(
        1, post("/a", #"{"id":"0b5ad7a4-8c3f-4f38-9a5e-27a1d0c0ffee"}"#), answering: #"{"id":"real-id-1"}"#))
    #expect(trace.pseudonyms(by: rules).isEmpty)
  }

  private func text(_ exchange: Exchange) -> String {
    guard case .end(let content) = exchange.steps.last?.step else { return "no end" }
    return String(decoding: content.body.bytes, as: UTF8.self)
  }
}

/// Answers everything, after 80 ms, and notes what it was asked.
private final class Requests: Sendable {
  private let list = Mutex<[String]>([])

  var paths: [String] { list.withLock { $0 } }

  var server: AnswerTransport {
    AnswerTransport { request in
      let path = request.location.path
      self.list.withLock { $0.append(path) }
      return Answer(head: ResponseHead(status: 200), body: Array("live \(path)".utf8), after: .milliseconds(80))
    }
  }
}
