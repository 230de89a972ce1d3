import LaunchCurl
import LaunchHTTP
import Synchronization
import Testing

/// What a sink does inside `receive`: libcurl is in the middle of a call there, and refuses most others on the same
/// handle (http-building-blocks.md 8).
@Suite(.timeLimit(.minutes(2))) struct ReentryTests {
  struct Moment: Sendable, CustomTestStringConvertible {
    var delivery: String
    /// Answered as far as the delivery, and no further.
    var path: String
    var phase: TransportError.Phase
    var testDescription: String { delivery }
  }

  // Each delivery is made in another of libcurl's callbacks. `sent` may follow `connection` within one.
  static let moments = [
    Moment(delivery: "connection", path: "/hang?gate=reentry", phase: .response),
    Moment(delivery: "sent", path: "/hang?gate=reentry", phase: .response),
    Moment(delivery: "head", path: "/steps?gate=reentry-", phase: .body),
    Moment(delivery: "chunk", path: "/steps?gate=reentry-", phase: .body),
  ]

  @Test(arguments: moments) func `a sink may cancel the task that sends into it`(moment: Moment) async throws {
    let transport = try makeTransport()
    let sending = Mutex<Task<Void, any Error>?>(nil)
    let sink = ActingSink { delivery in
      if delivery.kind == moment.delivery { sending.withLock { $0?.cancel() } }
    }
    // The task is made inside the lock, so that no delivery finds none.
    let task = sending.withLock { sending in
      let task = Task { try await transport.send(request(moment.path), into: sink) }
      sending = task
      return task
    }
    let error = await #expect(throws: TransportError.self) { try await task.value }
    expect(sink.recorder, failed: .cancelled, during: moment.phase)
    #expect(sink.recorder.deliveries.last == error.map { .failed($0) })
    #expect(sink.recorder.unflushed == 0)
    // The connection with half an exchange on it is gone, and the transport goes on.
    let next = await transport.record(request("/plain"))
    #expect(next.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(next.connection?.id == 2)
  }

  @Test(arguments: moments) func `a sink may close the transport that delivers to it`(moment: Moment) async throws {
    let transport = try makeTransport()
    let sink = ActingSink { delivery in
      if delivery.kind == moment.delivery { transport.close() }
    }
    await #expect(throws: TransportError.self) { try await transport.send(request(moment.path), into: sink) }
    expect(sink.recorder, failed: .cancelled, during: moment.phase)
    #expect(sink.recorder.unflushed == 0)
  }

  enum Start: CaseIterable { case later, atOnce }

  // The server sends the next piece only when the exchange started in the last one has reached it.
  @Test(arguments: Start.allCases) func `a sink may start exchanges that its own depends on`(start: Start) async throws
  {
    let transport = try makeTransport()
    let started = Mutex<[Task<Int, any Error>]>([])
    let sink = ActingSink { delivery in
      guard case .chunk(let chunk) = delivery else { return }
      let word = String(decoding: chunk.content, as: UTF8.self)
      let task = begin(start) { try await transport.response(to: request("/open?gate=\(start)-\(word)")).status }
      started.withLock { $0.append(task) }
    }
    try await transport.send(request("/steps?gate=\(start)-"), into: sink)
    #expect(sink.recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(sink.recorder.chunks.map { String(decoding: $0.content, as: UTF8.self) } == ["one", "two", "three"])
    let tasks = started.withLock { $0 }
    #expect(tasks.count == 3)
    for task in tasks { #expect(try await task.value == 200) }
  }
}

/// Keeps what is delivered, and acts inside each delivery.
private final class ActingSink: TransportSink {
  let recorder = Recorder()
  private let act: @Sendable (Delivery) -> Void

  init(_ act: @escaping @Sendable (Delivery) -> Void) { self.act = act }

  func receive(_ delivery: Delivery) {
    recorder.receive(delivery)
    act(delivery)
  }

  func flush() { recorder.flush() }
}

/// A task that begins on a thread of the pool, or here and now where the system can do that.
private func begin<Value: Sendable>(
  _ start: ReentryTests.Start, _ operation: @escaping @Sendable () async throws -> Value
) -> Task<Value, any Error> {
  if start == .atOnce, #available(macOS 26, iOS 26, *) { return Task.immediate { try await operation() } }
  return Task { try await operation() }
}
