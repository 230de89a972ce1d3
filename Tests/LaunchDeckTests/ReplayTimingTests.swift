import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

struct ReplayTimingTests {
  /// A connection of 3 ms, the request sent at 4 ms, chunks of 2 and 3 bytes.
  private let streamed: [Event] = [
    call(1000, 1, .request(get("/a"))),
    call(4000, 1, .connection(Connection(id: 1, address: "127.0.0.1:1", connect: .milliseconds(3)))),
    call(5000, 1, .sent),
    call(8000, 1, .informational(ResponseHead(status: 103))),
    call(105_000, 1, .response(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"], version: .http2))),
    call(105_123, 1, .chunk(bytes: 2)),
    call(305_000, 1, .chunk(bytes: 3)),
    call(305_001, 1, .end(Content(Array("hello".utf8), trailers: ["X-Sum": "1"], encoding: "gzip"))),
  ]

  @Test func `a replay delivers what was recorded when it was recorded`() throws {
    let trace = try replayed(recording(streamed)) { tap in
      try await Task.sleep(for: .milliseconds(1))
      let text = try await tap.text(get("/a"))
      #expect(text == "hello")
    }
    #expect(trace.events.dropFirst().dropLast() == streamed[...])
  }

  @Test func `a connection that was open already takes no time`() throws {
    let reused = Connection(id: 1, address: "127.0.0.1:1", isReused: true)
    let trace = try replayed(
      recording([
        call(0, 1, .request(get("/a"))), call(400, 1, .connection(reused)), call(500, 1, .sent),
        call(1500, 1, .response(ResponseHead(status: 204))), call(1500, 1, .end(Content())),
      ])
    ) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(times(trace) == [0, 0, 0, 1000, 1000])
  }

  @Test func `without a recorded moment of sending, times count from the request`() throws {
    let trace = try replayed(
      recording([
        call(2000, 1, .request(get("/a"))), call(9000, 1, .response(ResponseHead(status: 204))),
        call(9500, 1, .end(Content())),
      ])
    ) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(times(trace) == [0, 7000, 7500])
  }

  @Test func `a client's deadline of 100 ms fails at 100 ms though the answer took 300`() throws {
    let trace = try replayed(recording(streamed)) { tap in
      let start = ContinuousClock.now
      let error = await #expect(throws: TransportError.self) {
        try await tap.text(get("/a", timeout: .milliseconds(100)))
      }
      #expect(error?.reason == .timeout)
      #expect(ContinuousClock.now - start == .milliseconds(100))
    }
    #expect(times(trace).last == 100_000)
  }

  @Test func `a deadline within the connection's set-up counts, too`() throws {
    let trace = try replayed(recording(streamed)) { tap in
      _ = try? await tap.text(get("/a", timeout: .milliseconds(2)))
    }
    #expect(times(trace) == [0, 2000])
    #expect(failures(trace).map(\.phase) == [.connect])
  }

  @Test func `a cancelled request ends when it is cancelled`() throws {
    let trace = try replayed(recording(streamed)) { tap in
      let task = Task { try await tap.text(get("/a")) }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      await #expect(throws: TransportError.self) { try await task.value }
      #expect(Simulation.current?.now == .milliseconds(50))
    }
    #expect(times(trace).last == 50_000)
    #expect(failures(trace).map(\.reason) == [.cancelled])
  }

  @Test func `a request that was cancelled before it left uses up no answer`() throws {
    try Simulation.run {
      let transport = ReplayTransport(recording(exchange(1, get("/a"), answering: "yes")))
      let task = Task {
        try? await Task.sleep(for: .seconds(1))
        return try await transport.text(get("/a"))
      }
      task.cancel()
      await #expect(throws: TransportError.self) { try await task.value }
      #expect(transport.unused.count == 1)
    }
  }

  static let errors: [TransportError] = [
    TransportError(.dns, during: .dns, "no such host"), TransportError(.refused, during: .connect),
    TransportError(.tls, during: .tls), TransportError(.timeout, during: .response),
    TransportError(.cancelled, during: .response),
  ]

  @Test(arguments: errors)
  func `an error comes back as it was, when it was`(error: TransportError) throws {
    let recorded = recording([
      call(0, 1, .request(get("/a"))), call(31_234, 1, .error(error, Content())),
    ])
    let trace = try replayed(recorded) { tap in
      await #expect(throws: error) { try await tap.response(to: get("/a")) }
    }
    #expect(trace.events.dropLast() == recorded.events[...])
  }

  @Test func `an error in the middle comes after what had arrived`() throws {
    let events = [
      call(0, 1, .request(get("/a"))), call(0, 1, .sent),
      call(10, 1, .response(ResponseHead(status: 200))), call(20, 1, .chunk(bytes: 4)),
      call(30, 1, .error(TransportError(.reset, during: .body), Content(Array("half".utf8)))),
    ]
    let trace = try replayed(recording(events)) { tap in _ = try? await tap.response(to: get("/a")) }
    #expect(trace.events.dropFirst().dropLast() == events[...])
  }

  @Test func `a call that never ended hangs until the client gives up`() throws {
    let events = [
      call(0, 1, .request(get("/a"))), call(0, 1, .sent),
      call(10, 1, .response(ResponseHead(status: 200))), call(20, 1, .chunk(bytes: 4)),
    ]
    let trace = try replayed(recording(events)) { tap in
      _ = try? await tap.response(to: get("/a", timeout: .seconds(3)))
    }
    #expect(times(trace) == [0, 0, 10, 3_000_000])
  }

  static let edits: [(body: String, chunks: [Int], replayed: [Int])] = [
    ("hello", [2, 3], [2, 3]),
    ("hello", [], [5]),
    ("hello!!", [2, 3], [2, 3, 2]),
    ("hel", [2, 3], [2, 1]),
    ("h", [2, 3], [1]),
    ("", [2, 3], []),
    ("hello", [0, 5], [0, 5]),
  ]

  @Test(arguments: edits.indices)
  func `an edited body is dealt out over the recorded chunks`(index: Int) throws {
    let (body, chunks, expected) = Self.edits[index]
    let events =
      [call(0, 1, .request(get("/a"))), call(0, 1, .response(ResponseHead(status: 200)))]
      + chunks.map { call(1, 1, .chunk(bytes: $0)) } + [call(2, 1, .end(Content(Array(body.utf8))))]
    let trace = try replayed(recording(events)) { tap in
      let text = try await tap.text(get("/a"))
      #expect(text == body)
    }
    let sizes = trace.events.compactMap { event -> Int? in
      if case .call(_, .chunk(let bytes)) = event.kind { bytes } else { nil }
    }
    #expect(sizes == expected)
  }

  @Test func `times are absolute, so a thousand chunks do not drift`() throws {
    let chunks = (1...1000).map { call(Int64($0) * 333, 1, .chunk(bytes: 1)) }
    let events =
      [call(0, 1, .request(get("/a"))), call(0, 1, .response(ResponseHead(status: 200)))] + chunks
      + [call(333_001, 1, .end(Content(Array(repeating: 7, count: 1000))))]
    let trace = try replayed(recording(events)) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(trace.events.dropFirst().dropLast() == events[...])
  }

  @Test func `ten thousand events over ten minutes end on the exact instant of virtual time`() throws {
    // Offsets that no common unit divides, so that every rounding would show.
    let offsets = (1...10_000).map { Int64($0) * 600_000_000 / 10_007 }
    let (last, rest) = (600_000_000 as Int64, offsets.dropLast(2))
    let events =
      [call(0, 1, .request(get("/a"))), call(0, 1, .response(ResponseHead(status: 200)))]
      + rest.map { call($0, 1, .chunk(bytes: 1)) } + [
        call(last, 1, .end(Content(Array(repeating: 7, count: rest.count))))
      ]
    #expect(events.count == 10_001)
    let trace = try replayed(recording(events)) { tap in
      _ = try await tap.response(to: get("/a"))
      #expect(Simulation.current?.now == .seconds(600))
    }
    #expect(trace.events.dropFirst().dropLast() == events[...])
  }

  #if !canImport(Darwin)
    @Test(arguments: [100, 0.01, 3])
    func `ten thousand events over ten minutes end on the exact deadline at any speed`(speed: Double) throws {
      let interval = 60_000 as Int64
      let steps =
        [call(0, 1, .request(get("/a"))), call(0, 1, .response(ResponseHead(status: 200)))]
        + (1...9999).map { call(Int64($0) * interval, 1, .chunk(bytes: 1)) }
        + [call(10_000 * interval, 1, .end(Content(Array(repeating: 7, count: 9999))))]
      let transport = ReplayTransport(closed(recording(steps)))
      let clock = ManualClock(at: 5)
      try Simulation.run(pace: .real(speed: speed), clock: clock.real, driver: nil) {
        _ = try await transport.response(to: get("/a"))
      }
      let deadlines = (1...10_000).map { 5 + Int64((Double($0 * interval * 1000) / speed).rounded()) }
      #expect(clock.deadlines == deadlines)
      #expect(speed != 100 || deadlines.last == 5 + 6_000_000_000)
      // Late by the last wake-up alone, not by those before it.
      #expect(transport.lateness.samples.last?.lateness == clock.lateness(of: 10_000))
      #expect(transport.lateness.samples.last?.due == .zero + .seconds(600))
    }
  #endif

  @Test func `an imported exchange without sent and chunks comes with its head and its end`() throws {
    let events = [
      call(3000, 1, .request(get("/a"))), call(8000, 1, .response(ResponseHead(status: 200))),
      call(9000, 1, .end(Content(Array("whole".utf8)))),
    ]
    let trace = try replayed(recording(events)) { tap in
      let text = try await tap.text(get("/a"))
      #expect(text == "whole")
    }
    #expect(times(trace) == [0, 5000, 6000, 6000])
  }

  @Test func `an exchange without a head is an error that says so`() throws {
    let events = [call(0, 1, .request(get("/a"))), call(9000, 1, .end(Content(Array("whole".utf8))))]
    let trace = try replayed(recording(events)) { tap in
      let error = await #expect(throws: TransportError.self) { try await tap.text(get("/a")) }
      #expect(
        error
          == TransportError(
            .protocol, during: .response, "call 1 has an end and no response; add the response line to the cassette"))
    }
    #expect(times(trace) == [0, 9000])
  }

  @Test func `times beyond any launch end at the simulation's horizon`() throws {
    let far = recording([
      call(0, 1, .request(get("/a"))), call(.max, 1, .response(ResponseHead(status: 204))),
      call(.max, 1, .end(Content())),
    ])
    #expect(throws: SimulationError.self) {
      try replayed(far) { tap in _ = try await tap.response(to: get("/a")) }
    }
  }

  private func replayed(
    _ trace: Trace, _ body: @escaping @Sendable (Tap) async throws -> Void
  ) throws -> Trace {
    try traced(ReplayTransport(trace), body)
  }

  /// The times of the calls' events.
  private func times(_ trace: Trace) -> [Int64] {
    trace.events.compactMap { event in
      if case .call = event.kind { event.at.microseconds } else { nil }
    }
  }

  private func failures(_ trace: Trace) -> [TransportError] {
    trace.events.compactMap { event in
      if case .call(_, .error(let error, _)) = event.kind { error } else { nil }
    }
  }
}

#if !canImport(Darwin)
  /// A clock that stands still until somebody waits, and then goes on later than asked, by another time each time.
  private final class ManualClock: Sendable {
    private struct State {
      var now: Int64
      var deadlines: [Int64] = []
    }

    private let state: Mutex<State>

    init(at now: Int64) { state = Mutex(State(now: now)) }

    var deadlines: [Int64] { state.withLock { $0.deadlines } }

    func lateness(of wait: Int) -> Duration { .nanoseconds(wait * 7919 % 300_000) }

    var real: RealClock {
      RealClock(
        now: { self.state.withLock { $0.now } },
        wait: { deadline in
          self.state.withLock { state in
            state.deadlines.append(deadline)
            state.now = deadline + Int64(state.deadlines.count * 7919 % 300_000)
          }
        })
    }
  }
#endif
