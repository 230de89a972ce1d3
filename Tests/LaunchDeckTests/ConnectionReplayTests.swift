import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Testing

/// Which connections a replay opens, and what they cost.
struct ConnectionReplayTests {
  private static func opened(_ id: Int, version: HTTPVersion = .http11) -> Connection {
    Connection(id: id, address: "127.0.0.1:\(id)", connect: .milliseconds(3), tls: .milliseconds(5), version: version)
  }

  private static func reused(_ id: Int) -> Connection { Connection(id: id, address: "127.0.0.1:\(id)", isReused: true) }

  /// The connection ready after 8 ms and the request sent after 9, or both after one of queueing; the answer 100 ms later.
  private static func exchange(
    _ number: Int, _ request: Request, over connection: Connection, fields: Fields = [:]
  ) -> [Event] {
    let (ready, sent): (Int64, Int64) = connection.isReused ? (1000, 1000) : (8000, 9000)
    return [
      call(0, number, .request(request)), call(ready, number, .connection(connection)), call(sent, number, .sent),
      call(sent + 100_000, number, .response(ResponseHead(status: 200, fields: fields, version: connection.version))),
      call(sent + 100_000, number, .end(Content())),
    ]
  }

  struct Seen: Equatable {
    var id: Int
    var isReused: Bool
    /// Milliseconds from the request to the connection, and to the end.
    var ready: Int64
    var end: Int64
  }

  private func seen(_ trace: Trace) -> [Seen] {
    trace.exchanges.compactMap { exchange in
      guard let (connection, at) = exchange.connection, let end = exchange.end else { return nil }
      func milliseconds(_ instant: Instant) -> Int64 { (instant.microseconds - exchange.requested.microseconds) / 1000 }
      return Seen(id: connection.id, isReused: connection.isReused, ready: milliseconds(at), end: milliseconds(end))
    }
  }

  private func replayed(
    _ exchanges: [[Event]], _ body: @escaping @Sendable (Tap) async throws -> Void
  ) throws -> [Seen] {
    let recorded = closed(Trace(name: "test", events: [event(0, .launch(1))] + exchanges.joined()))
    return seen(try traced(ReplayTransport(recorded), body))
  }

  @Test func `an idle connection is reused and costs nothing, though the recording opened another`() throws {
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7)), Self.exchange(2, get("/b"), over: Self.opened(8)),
    ]) { tap in
      _ = try await tap.response(to: get("/a"))
      _ = try await tap.response(to: get("/b"))
    }
    #expect(
      seen == [Seen(id: 1, isReused: false, ready: 8, end: 109), Seen(id: 1, isReused: true, ready: 0, end: 100)])
  }

  @Test func `requests at once open connections, though the recording reused one`() throws {
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7)), Self.exchange(2, get("/b"), over: Self.reused(7)),
    ]) { tap in
      async let first = tap.response(to: get("/a"))
      async let second = tap.response(to: get("/b"))
      _ = try await (first, second)
    }
    #expect(
      seen == [Seen(id: 1, isReused: false, ready: 8, end: 109), Seen(id: 2, isReused: false, ready: 8, end: 109)])
  }

  @Test func `each origin has connections of its own`() throws {
    let other = Request(method: "GET", location: Location(scheme: "https", host: "b", path: "/b"))
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7)), Self.exchange(2, other, over: Self.opened(8)),
    ]) { tap in
      _ = try await tap.response(to: get("/a"))
      _ = try await tap.response(to: other)
    }
    #expect(seen.map(\.isReused) == [false, false])
  }

  @Test func `what the recording never opened was open`() throws {
    let seen = try replayed([Self.exchange(1, get("/a"), over: Self.reused(7))]) { tap in
      _ = try await tap.response(to: get("/a"))
    }
    #expect(seen == [Seen(id: 1, isReused: true, ready: 0, end: 100)])
  }

  @Test func `a closed connection is not reused`() throws {
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7), fields: ["Connection": "x, Close"]),
      Self.exchange(2, get("/b"), over: Self.reused(7)),
    ]) { tap in
      _ = try await tap.response(to: get("/a"))
      _ = try await tap.response(to: get("/b"))
    }
    #expect(seen.map(\.isReused) == [false, false])
  }

  @Test func `a request that its client gave up takes its connection with it`() throws {
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7)), Self.exchange(2, get("/b"), over: Self.reused(7)),
    ]) { tap in
      _ = try? await tap.response(to: get("/a", timeout: .milliseconds(50)))
      _ = try await tap.response(to: get("/b"))
    }
    #expect(
      seen == [Seen(id: 1, isReused: false, ready: 8, end: 50), Seen(id: 2, isReused: false, ready: 8, end: 109)])
  }

  @Test func `an HTTP-2 connection carries many at once`() throws {
    let seen = try replayed([
      Self.exchange(1, get("/a"), over: Self.opened(7, version: .http2)),
      Self.exchange(2, get("/b"), over: Self.opened(8, version: .http2)),
    ]) { tap in
      async let first = tap.response(to: get("/a"))
      try await Task.sleep(for: .milliseconds(20))
      _ = try await tap.response(to: get("/b"))
      _ = try await first
    }
    #expect(
      seen == [Seen(id: 1, isReused: false, ready: 8, end: 109), Seen(id: 1, isReused: true, ready: 0, end: 100)])
  }

  @Test func `a failure to connect uses none`() throws {
    let failed = [
      call(0, 1, .request(get("/a"))), call(30_000, 1, .error(TransportError(.refused, during: .connect), Content())),
    ]
    let seen = try replayed([failed, Self.exchange(2, get("/b"), over: Self.opened(7))]) { tap in
      await #expect(throws: TransportError(.refused, during: .connect)) { try await tap.response(to: get("/a")) }
      #expect(Simulation.current?.now == .milliseconds(30))
      _ = try await tap.response(to: get("/b"))
    }
    #expect(seen == [Seen(id: 1, isReused: false, ready: 8, end: 109)])
  }
}
