import LaunchHTTP
import Synchronization
import Testing

struct AnswerDeliveryTests {
  private static let request = Request(method: "GET", location: Location(scheme: "https", host: "h"))
  private static let head = ResponseHead(status: 200)

  @Test func `a complete answer is delivered in order, with a flush for each moment`() async throws {
    let sink = LogSink()
    let connection = Connection(id: 1, address: "127.0.0.1:9001")
    let answer = Answer(
      connection: connection,
      parts: [
        Answer.TimedPart(at: .zero, .informational(ResponseHead(status: 103))),
        Answer.TimedPart(at: .zero, .head(Self.head)),
        Answer.TimedPart(at: .milliseconds(2), .chunk(Chunk([1]))),
        Answer.TimedPart(at: .milliseconds(2), .chunk(Chunk([2]))),
        Answer.TimedPart(at: .milliseconds(4), .end(Ending())),
      ])
    let began = ContinuousClock.now
    try await AnswerTransport { _ in answer }.send(Self.request, into: sink)
    #expect(ContinuousClock.now - began >= .milliseconds(4))
    #expect(
      sink.log == [
        .delivery(.connection(connection)), .delivery(.sent), .flush,
        .delivery(.informational(ResponseHead(status: 103))), .delivery(.head(Self.head)), .flush,
        .delivery(.chunk(Chunk([1]))), .delivery(.chunk(Chunk([2]))), .flush, .delivery(.end(Ending())), .flush,
      ])
  }

  private static let late = Answer.TimedPart(at: .milliseconds(300), .end(Ending()))
  private static let timely = [Answer.TimedPart(at: .zero, .head(head))]

  static let failures:
    [(parts: [Answer.TimedPart], timeout: Duration?, reason: TransportError.Reason, phase: TransportError.Phase)] = [
      ([late], .milliseconds(10), .timeout, .response),
      (timely + [late], .milliseconds(10), .timeout, .body),
      ([Answer.TimedPart(at: .zero, .fault(.hang))], .milliseconds(10), .timeout, .response),
      (timely + [Answer.TimedPart(at: .zero, .fault(.hang))], .milliseconds(10), .timeout, .body),
      ([Answer.TimedPart(at: .zero, .fault(.reset))], nil, .reset, .response),
      (timely + [Answer.TimedPart(at: .milliseconds(1), .fault(.reset))], nil, .reset, .body),
      ([Answer.TimedPart(at: .zero, .fault(.truncate))], nil, .truncated, .response),
      (timely + [Answer.TimedPart(at: .zero, .fault(.truncate))], nil, .truncated, .body),
      ([Answer.TimedPart(at: .zero, .fault(.error(TransportError(.dns, during: .dns))))], nil, .dns, .dns),
      (timely, nil, .truncated, .body),
      ([], nil, .truncated, .response),
    ]

  @Test(arguments: failures) func `a failure is delivered last and thrown`(
    row: (parts: [Answer.TimedPart], timeout: Duration?, reason: TransportError.Reason, phase: TransportError.Phase)
  ) async {
    let sink = LogSink()
    var request = Self.request
    request.timeout = row.timeout
    let thrown = await failure { () async throws(TransportError) in
      try await AnswerTransport { _ in Answer(parts: row.parts) }.send(request, into: sink)
    }
    #expect(thrown?.reason == row.reason)
    #expect(thrown?.phase == row.phase)
    #expect(sink.log.suffix(2) == [.delivery(.failed(thrown ?? TransportError(.protocol, during: .tls))), .flush])
    #expect(sink.log.count { if case .delivery(.failed) = $0 { true } else { false } } == 1)
  }

  @Test func `a short time-out does not wait for a late answer`() async {
    var request = Self.request
    request.timeout = .milliseconds(5)
    let began = ContinuousClock.now
    let thrown = await failure { () async throws(TransportError) in
      try await AnswerTransport { _ in Answer(head: Self.head, after: .seconds(3600)) }.send(request, into: LogSink())
    }
    #expect(thrown?.reason == .timeout)
    #expect(ContinuousClock.now - began >= .milliseconds(5))
  }

  @Test(arguments: [Answer.Part.fault(.hang), .end(Ending())]) func `cancelling ends a wait at once`(part: Answer.Part)
    async
  {
    let sink = LogSink()
    let answer = Answer(
      parts: [Answer.TimedPart(at: .zero, .head(Self.head))]
        + (part == .fault(.hang) ? [Answer.TimedPart(at: .zero, part)] : [Answer.TimedPart(at: .seconds(3600), part)]))
    let task = Task { () async -> TransportError? in
      await failure { () async throws(TransportError) in
        try await AnswerTransport { _ in answer }.send(Self.request, into: sink)
      }
    }
    await sink.firstHead()
    task.cancel()
    let thrown = await task.value
    #expect(thrown?.reason == .cancelled)
    #expect(thrown?.phase == .body)
    #expect(sink.log.suffix(2) == [.delivery(.failed(thrown ?? TransportError(.protocol, during: .tls))), .flush])
  }

  @Test func `a request cancelled before it leaves never reaches the stand-in`() async {
    let sink = LogSink()
    let asked = Mutex(false)
    let task = Task { () async -> TransportError? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await failure { () async throws(TransportError) in
        try await AnswerTransport { _ in
          asked.withLock { $0 = true }
          return Answer(head: Self.head)
        }.send(Self.request, into: sink)
      }
    }
    let thrown = await task.value
    #expect(thrown?.phase == .connect)
    #expect(!asked.withLock { $0 })
    #expect(sink.log == [.delivery(.failed(thrown ?? TransportError(.protocol, during: .tls))), .flush])
  }

  @Test func `setting up a connection takes its time, and can time out`() async throws {
    let connection = Connection(
      id: 1, address: "a", dns: .milliseconds(1), connect: .milliseconds(2), tls: .milliseconds(3))
    let transport = AnswerTransport { _ in
      Answer(connection: connection, parts: Answer(head: Self.head).parts)
    }
    let began = ContinuousClock.now
    #expect(try await transport.response(to: Self.request).status == 200)
    #expect(ContinuousClock.now - began >= .milliseconds(6))
    var hurried = Self.request
    hurried.timeout = .milliseconds(2)
    await #expect(throws: TransportError(.timeout, during: .connect, "no complete response arrived in time")) {
      try await transport.response(to: hurried)
    }
  }
}

private func failure(of body: () async throws(TransportError) -> Void) async -> TransportError? {
  do throws(TransportError) {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Notes what a transport delivers, flushes included.
private final class LogSink: TransportSink {
  enum Entry: Equatable { case delivery(Delivery), flush }

  private let entries = Mutex<[Entry]>([])
  private let (heads, continuation) = AsyncStream.makeStream(of: Void.self)

  var log: [Entry] { entries.withLock { $0 } }

  func receive(_ delivery: Delivery) {
    entries.withLock { $0.append(.delivery(delivery)) }
    if case .head = delivery { continuation.yield() }
  }

  func flush() { entries.withLock { $0.append(.flush) } }

  func firstHead() async {
    for await _ in heads { return }
  }
}
