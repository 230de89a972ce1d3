import Foundation
import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Testing

struct TapTests {
  @Test func `an exchange becomes one event for each delivery, at its time`() throws {
    let answer = Answer(
      connection: Connection(id: 1, address: "127.0.0.1:9001", dns: .milliseconds(1), connect: .milliseconds(2)),
      parts: [
        .init(at: .milliseconds(5), .informational(ResponseHead(status: 103))),
        .init(at: .milliseconds(80), .head(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"]))),
        .init(at: .milliseconds(80), .chunk(Chunk([], wire: [1, 2, 3]))),
        .init(at: .milliseconds(90), .chunk(Chunk(Array("{}".utf8), wire: [4]))),
        .init(at: .milliseconds(95), .end(Ending(trailers: ["X-Sum": "9"], encoding: "gzip"))),
      ])
    let trace = try traced(AnswerTransport { _ in answer }) { tap in
      try await Task.sleep(for: .milliseconds(10))
      tap.mark("asked")
      _ = try await tap.response(to: get("/a", timeout: .seconds(1)))
    }
    #expect(
      lines(trace) == [
        #"{"at":0,"launch":1}"#,
        #"{"at":10000,"mark":"asked"}"#,
        #"{"at":10000,"call":1,"request":{"method":"GET","url":"https://example.com/a","headers":[]}}"#,
        #"{"at":13000,"call":1,"connection":{"id":1,"address":"127.0.0.1:9001","dns":1000,"connect":2000,"http":"1.1"}}"#,
        #"{"at":13000,"call":1,"sent":{}}"#,
        #"{"at":18000,"call":1,"informational":{"status":103,"headers":[],"http":"1.1"}}"#,
        #"{"at":93000,"call":1,"response":{"status":200,"headers":[["Content-Encoding","gzip"]],"http":"1.1"}}"#,
        #"{"at":93000,"call":1,"chunk":{"bytes":0}}"#,
        #"{"at":103000,"call":1,"chunk":{"bytes":2}}"#,
        #"{"at":108000,"call":1,"end":{"body":{"json":{}},"encoding":"gzip","wireBytes":4,"trailers":[["X-Sum","9"]]}}"#,
        #"{"at":108000,"closed":true,"events":10}"#,
      ])
  }

  @Test func `a body whose decoding fails midway is what the wire carried`() throws {
    let answer = Answer(parts: [
      .init(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"]))),
      .init(at: .zero, .chunk(Chunk([], wire: [0x1F]))),
      .init(at: .zero, .chunk(Chunk(Array("decoded".utf8), wire: [0x8B, 2]))),
      .init(at: .zero, .chunk(Chunk([3, 4]))),
      .init(at: .zero, .end(Ending(isRaw: true))),
    ])
    let trace = try traced(AnswerTransport { _ in answer }) { tap in _ = try await tap.response(to: get("/a")) }
    guard case .end(let content)? = trace.exchanges[0].steps.last?.step else { throw CancellationError() }
    #expect(content == Content([0x1F, 0x8B, 2, 3, 4], isRaw: true))
    let text = Cassette(header: CassetteHeader(name: "x"), events: trace.events).serialized
    #expect(try Cassette(parsing: text, path: "x").warnings == [])
  }

  @Test func `the client sees a delivery after its event is committed, and a group after one commit`() async throws {
    let diary = Diary()
    let answer = Answer(parts: [
      .init(at: .zero, .head(ResponseHead(status: 200))),
      .init(at: .zero, .chunk(Chunk([1, 2]))),
      .init(at: .zero, .end(Ending())),
    ])
    let tap = Tap(AnswerTransport { _ in answer }, sinks: [diary])
    try await tap.send(get("/a"), into: diary)
    #expect(
      diary.entries == [
        "commit",
        "event request", "event sent", "commit", "client sent",
        "event response", "event chunk", "event end", "commit", "client response", "client chunk 2", "client end",
      ])
  }

  @Test func `a transport that flushes before it waits has the request committed`() async throws {
    let diary = Diary()
    let tap = Tap(FlushingTransport(), sinks: [diary])
    try await tap.send(get("/a"), into: diary)
    #expect(
      diary.entries == [
        "commit",
        "event request", "commit",
        "event sent", "event response", "event end", "commit", "client sent", "client response", "client end",
      ])
  }

  @Test func `a failed exchange keeps what had arrived`() throws {
    let trace = try traced(
      AnswerTransport { _ in
        Answer(parts: [
          .init(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "GZIP"]))),
          .init(at: .milliseconds(1), .chunk(Chunk(Array("half".utf8), wire: [1, 2]))),
          .init(at: .milliseconds(2), .fault(.reset)),
        ])
      }
    ) { tap in
      await #expect(throws: TransportError.self) { try await tap.response(to: get("/a")) }
    }
    #expect(
      lines(trace).dropLast().last
        == #"{"at":2000,"call":1,"error":{"reason":"reset","phase":"body","message":"the connection was reset","#
        + #""body":{"text":"half"},"encoding":"gzip","wireBytes":2}}"#)
  }

  @Test func `a body whose encoding broke before the connection did is raw, all of it`() throws {
    let answer = Answer(parts: [
      .init(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"]))),
      .init(at: .zero, .chunk(Chunk([0x61], wire: [0x1F, 0x8B]))), .init(at: .zero, .chunk(Chunk([2, 3]))),
      .init(at: .zero, .fault(.error(TransportError(.reset, during: .body)))),
    ])
    let trace = try traced(AnswerTransport { _ in answer }) { tap in
      await #expect(throws: TransportError.self) { try await tap.response(to: get("/a")) }
    }
    guard case .error(_, let content)? = trace.exchanges.first?.steps.last?.step else { return #expect(Bool(false)) }
    #expect(content == Content([0x1F, 0x8B, 2, 3], isRaw: true))
  }

  @Test func `an encoding that could not be undone is told of a failed exchange, too`() throws {
    let trace = try traced(
      AnswerTransport { _ in
        Answer(parts: [
          .init(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "br"]))),
          .init(at: .zero, .chunk(Chunk([1]))),
          .init(at: .zero, .fault(.truncate)),
        ])
      }
    ) { tap in
      await #expect(throws: TransportError.self) { try await tap.response(to: get("/a")) }
    }
    guard case .call(1, .error(_, let content)) = trace.events.dropLast().last?.kind else {
      Issue.record("no error event")
      return
    }
    #expect(content == Content([1], isRaw: true))
  }

  @Test func `the next hop of a redirect refers to the call that was redirected`() throws {
    let trace = try traced(
      AnswerTransport { request in
        request.location.path == "/old/a"
          ? Answer(head: ResponseHead(status: 302, fields: ["Location": "../new?x=1#top"]))
          : Answer(head: ResponseHead(status: 204))
      }
    ) { tap in
      _ = try await tap.response(to: get("/old/a"))
      _ = try await tap.response(to: get("/other"))
      _ = try await tap.response(to: get("/new", query: "x=1"))
      _ = try await tap.response(to: get("/new", query: "x=1"))
    }
    let origins = trace.events.compactMap { event -> Int?? in
      if case .call(_, .request(_, let origin)) = event.kind { origin } else { nil }
    }
    #expect(origins == [nil, nil, 1, nil])
  }

  @Test func `nothing is recorded after the end, but the client goes on`() async throws {
    let log = EventLog()
    let tap = Tap(AnswerTransport { _ in Answer(head: ResponseHead(status: 204)) }, sinks: [log])
    tap.finish()
    tap.mark("late")
    #expect(try await tap.response(to: get("/a")).status == 204)
    tap.finish()
    #expect(log.events.map(\.kind) == [.launch(1), .closed(Closing(events: 1))])
  }

  @Test func `sixty-four exchanges at once are recorded without a loss or a crossed body`() async throws {
    let folder = try createUniqueFolder(prefix: "launchtape-tap-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/many.cassette"
    let count = 64
    let rounds = 20
    let log = EventLog()
    let writer = try CassetteWriter(path: path, header: CassetteHeader(name: "many"))
    let tap = Tap(echo, sinks: [writer, log])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<count {
        group.addTask {
          for round in 0..<rounds {
            let body = "\(client)-\(round)"
            let text = try await tap.text(post("/echo", body, type: nil))
            #expect(text == body + body)
          }
        }
      }
      try await group.waitForAll()
    }
    tap.finish()
    try writer.close()

    let cassette = try Cassette(path: path)
    #expect(cassette.warnings == [])
    #expect(cassette.events == log.events)
    let exchanges = cassette.trace.exchanges
    #expect(exchanges.map(\.call) == Array(1...count * rounds))
    for exchange in exchanges {
      guard case .end(let content) = exchange.steps.last?.step else {
        Issue.record("call \(exchange.call) has no end")
        continue
      }
      #expect(content.body.bytes == exchange.request.body.bytes + exchange.request.body.bytes)
    }
  }

  /// Answers with the request's body twice, in two chunks.
  private var echo: AnswerTransport {
    AnswerTransport { request in
      Answer(parts: [
        .init(at: .zero, .head(ResponseHead(status: 200))),
        .init(at: .microseconds(200), .chunk(Chunk(request.body.bytes))),
        .init(at: .microseconds(400), .chunk(Chunk(request.body.bytes))),
        .init(at: .microseconds(400), .end(Ending())),
      ])
    }
  }
}

/// What a tap around `transport` saw of `body` in virtual time.
func traced(
  _ transport: any Transport, _ body: @escaping @Sendable (Tap) async throws -> Void
) throws -> Trace {
  try Simulation.run {
    let log = EventLog()
    let tap = Tap(transport, sinks: [log])
    try await body(tap)
    tap.finish()
    return log.trace(name: "test")
  }
}

/// Flushes before it has delivered anything, as before a long wait.
private struct FlushingTransport: Transport {
  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    sink.flush()
    await Task.yield()
    sink.receive(.sent)
    sink.receive(.head(ResponseHead(status: 204)))
    sink.receive(.end(Ending()))
    sink.flush()
  }
}
