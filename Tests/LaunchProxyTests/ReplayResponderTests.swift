import Dispatch
import LaunchDeck
import LaunchHTTP
import LaunchServer
import LaunchTrace
import Synchronization
import Testing

@testable import LaunchProxy

/// Answers and their trace, without a socket.
@Suite struct ReplayResponderTests {
  @Test func `each exchange answers once, whoever asks at the same time`() throws {
    var recording = Recording()
    for number in 0..<640 { try recording.call("GET", "https://a.test/next", answer: "\(number)") }
    let responder = ReplayResponder(recording.trace, speed: .immediate)
    let origin = responder.origins.main(of: "a.test")
    let question = try request("GET", "http://a.test/next")
    let answers = Answers()
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      for _ in 0..<10 {
        let text = responder.respond(to: Arrival(question), for: origin, through: .base).answer.text
        answers.texts.withLock { $0.append(text) }
      }
    }
    #expect(answers.texts.withLock { $0 }.compactMap { Int($0) }.sorted() == Array(0..<640))
    #expect(responder.misses.isEmpty && responder.unused.isEmpty)
    let trace = responder.log.trace(name: "")
    #expect(trace.exchanges.map(\.call) == Array(1...640))
    #expect(trace.exchanges.allSatisfy { $0.end != nil })
    #expect(zip(trace.events, trace.events.dropFirst()).allSatisfy { $0.at <= $1.at })
  }

  @Test func `the trace has the request as it was composed, and the recorded location`() throws {
    var recording = Recording()
    try recording.call("POST", "https://a.test/one?x=1", body: "b")
    let (responder, respond) = responder(recording)
    _ = respond(
      try request(
        "POST", "http://a.test/one?x=1",
        fields: ["Host": "a.test", "X-Own": "1", "Content-Length": "1", "Connection": "x-hop", "X-Hop": "2"], body: "b"),
      .proxy)
    let sent = responder.log.trace(name: "").exchanges[0].request
    #expect(sent.location.description == "https://a.test/one?x=1")
    #expect(sent.fields == ["X-Own": "1"])
    #expect(sent.body == Body(Array("b".utf8)))
  }

  @Test func `an answer that is not due yet leaves no event, and one is open at the end`() throws {
    var recording = Recording()
    try recording.call(
      "GET", "https://a.test/slow",
      [(0, .response(ResponseHead(status: 200))), (86_400_000, .end(Content()))])
    let (responder, respond) = responder(recording, speed: .recorded)
    let answer = respond(try request("GET", "http://a.test/slow"), .base)
    #expect(answer.parts.map(\.offset) == [.zero, .seconds(86_400)])
    responder.log.finish()
    let trace = responder.log.trace(name: "")
    #expect(trace.isClosed)
    #expect(trace.exchanges[0].response?.head.status == 200)
    #expect(trace.exchanges[0].end == nil)
    #expect(trace.events.last?.kind == .closed(Closing(events: trace.events.count - 1)))
  }

  @Test(arguments: [
    (ReplaySpeed.recorded, [0, 40, 400]), (.times(10), [0, 4, 40]), (.times(0.01), [0, 4000, 40_000]),
    (.immediate, [0, 0, 0]),
  ])
  func `offsets are divided by the speed`(speed: ReplaySpeed, offsets: [Int]) throws {
    var recording = Recording()
    try recording.call(
      "GET", "https://a.test/",
      [
        (0, .response(ResponseHead(status: 200))), (40, .chunk(bytes: 1)), (400, .end(Content(Array("x".utf8)))),
      ])
    let (_, respond) = responder(recording, speed: speed)
    let answer = respond(try request("GET", "http://a.test/"), .base)
    #expect(answer.parts.map(\.offset) == offsets.map { .milliseconds($0) })
  }

  @Test(
    arguments: [
      ("", nil, "hello", Content(Array("hello".utf8))),
      ("zip", "zip", "HELLO!", Content(Array("hello".utf8), encoding: "zip", wireBytes: 6)),
      ("gzip", nil, "hello", Content(Array("hello".utf8))),
    ] as [(String, String?, String, Content)])
  func `content comes in its encoding for clients that take it, else decoded`(
    accept: String, encoding: String?, wire: String, content: Content
  ) throws {
    var recording = Recording()
    let head = ResponseHead(status: 200, fields: ["Content-Encoding": "zip", "Content-Length": "22", "X": "y"])
    let end = Content(Array("hello".utf8), encoding: "zip", wireBytes: 22)
    try recording.call(
      "GET", "https://a.test/", [(0, .response(head)), (0, .chunk(bytes: 5)), (0, .end(end))])
    let responder = ReplayResponder(
      recording.trace, speed: .immediate,
      encode: { pieces, encoding in
        encoding == "zip" ? pieces.map { $0.map { $0 & 0xDF } } + [Array("!".utf8)] : nil
      })
    let question = try request("GET", "http://a.test/", fields: ["Accept-Encoding": accept])
    let answer = responder.respond(to: Arrival(question), for: responder.origins.all[0], through: .base).answer
    #expect(answer.head?.fields["Content-Encoding"] == encoding)
    #expect(answer.head?.fields["Content-Length"] == String(wire.utf8.count))
    #expect(answer.wire == wire)
    let served = responder.log.trace(name: "").exchanges[0]
    #expect(served.response?.head == answer.head)
    #expect(served.recordedContent == content)
  }

  @Test(arguments: [
    (ReplayResponder.Entrance.proxy, "https://b.test/two?x", "http://b.test/two?x"),
    (.base, "https://b.test/two?x", "http://127.0.0.1:2/two?x"),
    (.proxy, "//b.test/two?x", "http://b.test/two?x"),
    (.base, "/two?x", "/two?x"),
    (.base, "https://elsewhere.test/two", "https://elsewhere.test/two"),
  ])
  func `a redirect leads back to the replay`(entrance: ReplayResponder.Entrance, recorded: String, served: String)
    throws
  {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one", status: 302, fields: ["Location": recorded])
    try recording.call("GET", "https://b.test/two?x")
    let (responder, respond) = responder(recording)
    let bases = zip(responder.origins.all, ["http://127.0.0.1:1", "http://127.0.0.1:2"]).map { ($0, $1) }
    responder.serve(at: Dictionary(uniqueKeysWithValues: bases))
    #expect(respond(try request("GET", "http://a.test/one"), entrance).head?.fields["Location"] == served)
    #expect(responder.log.trace(name: "").exchanges[0].response?.head.fields["Location"] == recorded)
  }

  @Test func `a request that follows a redirect names the call that sent it`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one", status: 302, fields: ["Location": "/two"])
    try recording.call("GET", "https://a.test/two")
    let (responder, respond) = responder(recording)
    _ = respond(try request("GET", "http://a.test/one"), .base)
    _ = respond(try request("GET", "http://a.test/two"), .base)
    let origins = responder.log.trace(name: "").events.compactMap { event -> Int? in
      if case .call(_, .request(_, let from)) = event.kind { from ?? 0 } else { nil }
    }
    #expect(origins == [0, 1])
  }

  @Test func `what was not recorded whole is told, and a miss gets its reason`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/cut", [(0, .response(ResponseHead(status: 200)))])
    try recording.call(
      "GET", "https://a.test/empty",
      [(0, .response(ResponseHead(status: 200))), (0, .end(Content([] as Body, isMissing: true)))])
    try recording.call(
      "GET", "https://a.test/broken",
      [(0, .error(TransportError(.reset, during: .response, "gone"), Content()))])
    let (responder, respond) = responder(recording)

    let cut = respond(try request("GET", "http://a.test/cut"), .base)
    #expect(cut.parts.last?.part == .fault(.hang))
    let empty = respond(try request("GET", "http://a.test/empty"), .base)
    #expect(empty.head?.status == 502)
    #expect(empty.text.hasPrefix("the body of call 2 was not recorded"))
    let broken = respond(try request("GET", "http://a.test/broken"), .base)
    #expect(broken.parts.last?.part == .fault(.error(TransportError(.reset, during: .response, "gone"))))
    let miss = respond(try request("PUT", "http://a.test/never/was/one"), .base)
    #expect(miss.head?.status == 502)
    #expect(miss.text == "\(responder.misses[0])\n")

    #expect(responder.unanswered.unended.map(\.call) == [1])
    #expect(responder.unanswered.withoutBody.map(\.call) == [2])
    let errors = responder.log.trace(name: "").exchanges.map { $0.error?.reason }
    #expect(errors == [nil, .protocol, .reset, .unmatched])
  }

  @Test func `whoever takes the proxy for a base URL is told the right one`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one")
    let responder = ReplayResponder(recording.trace, speed: .immediate)
    responder.serve(at: [responder.origins.all[0]: "http://127.0.0.1:1"])
    let question = try request("GET", "http://127.0.0.1:9/one")
    let answer = responder.respond(to: Arrival(question), for: nil, through: .proxy).answer
    #expect(answer.text.hasSuffix("; the base URL of a.test is http://127.0.0.1:1\n"))
  }

  @Test func `a client that leaves ends its call there, with what it had by then`() throws {
    var recording = Recording()
    let head = ResponseHead(status: 200)
    try recording.call(
      "GET", "https://a.test/slow",
      [
        (0, .response(head)), (1000, .chunk(bytes: 2)), (86_400_000, .chunk(bytes: 2)),
        (86_400_000, .end(Content(Array("abcd".utf8)))),
      ])
    try recording.call("GET", "https://a.test/cut", [(0, .response(head))])
    let responder = ReplayResponder(recording.trace, speed: .recorded)
    for path in ["slow", "cut"] {
      let arrival = Arrival(try request("GET", "http://a.test/\(path)"))
      let reply = responder.respond(to: arrival, for: responder.origins.all[0], through: .base)
      reply.onLeave?(arrival.moment + .seconds(2))
      reply.onLeave?(arrival.moment + .seconds(3))
    }
    let exchanges = responder.log.trace(name: "").exchanges
    #expect(exchanges.map { $0.error?.reason } == [.cancelled, .cancelled])
    #expect(exchanges.map { $0.error?.phase } == [.body, .body])
    #expect(exchanges[0].recordedContent == Content(Array("ab".utf8)))
    #expect(exchanges[0].end.map { $0 - exchanges[0].requested } == .seconds(2))
  }

  @Test func `the first request of a connection waits for what the recording took to open one`() throws {
    var recording = Recording()
    let opened = Connection(id: 1, address: "127.0.0.1:1")
    try recording.call(
      "GET", "https://a.test/one",
      [(30, .connection(opened)), (30, .response(ResponseHead(status: 200))), (40, .end(Content()))])
    try recording.call(
      "GET", "https://a.test/two",
      [
        (0, .connection(Connection(id: 1, address: "127.0.0.1:1", isReused: true))),
        (0, .response(ResponseHead(status: 200))), (7, .end(Content())),
      ])
    let responder = ReplayResponder(recording.trace, speed: .times(10))
    func offsets(_ path: String, isFirst: Bool) throws -> [Duration] {
      let arrival = Arrival(try request("GET", "http://a.test/\(path)"), isFirst: isFirst)
      return responder.respond(to: arrival, for: responder.origins.all[0], through: .base).answer.parts.map(\.offset)
    }
    #expect(try offsets("two", isFirst: true) == [.milliseconds(3), .microseconds(3700)])
    #expect(try offsets("one", isFirst: false) == [.milliseconds(3), .milliseconds(4)])
  }

  @Test func `lateness names the recorded call, the part and when it was due`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/other")
    try recording.call(
      "GET", "https://a.test/",
      [(0, .response(ResponseHead(status: 200))), (40, .chunk(bytes: 1)), (40, .end(Content(Array("x".utf8))))])
    let responder = ReplayResponder(recording.trace, speed: .times(4))
    let arrival = Arrival(try request("GET", "http://a.test/"), at: responder.log.start + .milliseconds(5))
    let reply = responder.respond(to: arrival, for: responder.origins.all[0], through: .base)
    let sample = PacingReport.Sample(answer: reply.number, offset: .milliseconds(10), lateness: .microseconds(9))
    let foreign = PacingReport.Sample(answer: 77, offset: .zero, lateness: .zero)
    let report = PacingReport(samples: [sample, foreign], slowClients: 0, schedulingClass: .realTime)
    #expect(
      responder.lateness(report)
        == Lateness(
          [Lateness.Sample(call: 2, .chunk, due: Instant(microseconds: 60_000), lateness: .microseconds(9))],
          schedulingClass: .realTime))
  }

  @Test func `an answer given again is the same, and so is its trace`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one", fields: ["X": "y"], answer: "hello")
    var matching = Matching()
    matching.repeats = .loop
    let responder = ReplayResponder(
      recording.trace, matching: matching, speed: .immediate)
    let answers = try (0..<3).map { _ in
      let arrival = Arrival(try request("GET", "http://a.test/one"))
      return responder.respond(to: arrival, for: responder.origins.all[0], through: .base).answer
    }
    #expect(answers.map(\.text) == ["hello", "hello", "hello"])
    #expect(answers.allSatisfy { $0.head?.fields["X"] == "y" })
    responder.log.finish()
    let trace = responder.log.trace(name: "")
    #expect(trace.exchanges.map(\.call) == [1, 2, 3])
    #expect(
      trace.exchanges.map { $0.steps.map(\.step) }.allSatisfy { $0 == recording.trace.exchanges[0].steps.map(\.step) })
    #expect(trace.events.last?.kind == .closed(Closing(events: trace.events.count - 1)))
  }

  private func responder(
    _ recording: Recording, speed: ReplaySpeed = .immediate
  ) -> (ReplayResponder, (Request, ReplayResponder.Entrance) -> Answer) {
    let responder = ReplayResponder(recording.trace, speed: speed)
    return (
      responder,
      { responder.respond(to: Arrival($0), for: responder.origins.origin(of: $0.location), through: $1).answer }
    )
  }
}

private final class Answers: Sendable {
  let texts = Mutex<[String]>([])
}
