import LaunchCurl
import LaunchHTTP
import Testing

@Suite(.timeLimit(.minutes(2))) struct FailureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var path: String
    var reason: TransportError.Reason
    var phase: TransportError.Phase
    var testDescription: String { path }
  }

  @Test(arguments: [
    Case(path: "/reset", reason: .reset, phase: .response),
    Case(path: "/close", reason: .truncated, phase: .response),
    Case(path: "/cut-head", reason: .truncated, phase: .response),
    Case(path: "/cut", reason: .truncated, phase: .body),
    Case(path: "/cut-chunked", reason: .truncated, phase: .body),
    Case(path: "/bad-chunk", reason: .protocol, phase: .body),
    Case(path: "/bad-length", reason: .protocol, phase: .response),
    Case(path: "/garbage", reason: .protocol, phase: .response),
  ]) func `what servers do wrong has a reason and a phase`(row: Case) async throws {
    let recorder = try await makeTransport().record(request(row.path))
    #expect(recorder.outline.prefix(2) == ["connection", "sent"])
    expect(recorder, failed: row.reason, during: row.phase)
  }

  @Test func `a reset in the body keeps what came before`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let sending = Task { try await transport.send(request("/reset-body?gate=reset"), into: recorder) }
    #expect(await recorder.wait { $0 == .chunk(Chunk(Array("half".utf8))) })
    _ = try await transport.response(to: request("/open?gate=reset"))
    await #expect(throws: TransportError.self) { try await sending.value }
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "failed"])
    expect(recorder, failed: .reset, during: .body)
  }

  @Test func `a port nobody listens on refuses`() async throws {
    let recorder = try await makeTransport(to: "deaf").record(request("/"))
    #expect(recorder.outline == ["failed"])
    expect(recorder, failed: .refused, during: .connect)
  }

  @Test func `a name that does not exist fails as a name`() async throws {
    let transport = CurlTransport(routes: RouteTable(otherwise: .direct))
    let location = Location(scheme: "https", host: "nowhere.invalid")
    expect(await transport.record(Request(method: "GET", location: location)), failed: .dns, during: .dns)
  }

  @Test func `a host without a route is refused before the network is touched`() async throws {
    let transport = CurlTransport(routes: RouteTable(otherwise: .refuse))
    let recorder = await transport.record(request("/"))
    #expect(
      recorder.deliveries == [
        .failed(TransportError(.refused, during: .connect, "there is no route for vendor.test"))
      ])
  }

  @Test func `the error thrown is the one delivered`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(request("/cut"), into: recorder)
    }
    #expect(recorder.deliveries.last == error.map { .failed($0) })
    #expect(recorder.unflushed == 0)
  }

  struct Timeout: Sendable, CustomTestStringConvertible {
    var port = "server"
    var security = Route.Security.plain
    var path = "/"
    var bodyBytes = 0
    /// How far the server lets the exchange get.
    var outline: [String] = []
    var phase: TransportError.Phase
    /// How long the first try may take.
    var shortest = Duration.milliseconds(200)
    var testDescription: String { phase.rawValue }
  }

  @Test(arguments: [
    Timeout(port: "full", phase: .connect),
    // Nothing is delivered that would tell that the handshake had begun, so its first try must be long enough.
    Timeout(port: "silent", security: .tls(caFile: nil), phase: .tls, shortest: .seconds(5)),
    // More than a system keeps for a server that does not read.
    Timeout(port: "silent", bodyBytes: 32 << 20, outline: ["connection"], phase: .request),
    Timeout(path: "/hang?gate=timeout", outline: ["connection", "sent"], phase: .response),
    Timeout(path: "/steps?gate=never-", outline: ["connection", "sent", "head", "chunk"], phase: .body),
  ]) func `a time-out tells how far the exchange got`(row: Timeout) async throws {
    let transport = try makeTransport(to: row.port, security: row.security)
    var sample = request("POST", row.path, body: String(repeating: "a", count: row.bodyBytes))
    var timeout = row.shortest
    var recorder: Recorder
    // A try that ended before the server had done its part says nothing about the phase after it. On a machine too
    // busy for the time the next try gets four times as much; the last counts whatever it got to.
    repeat {
      sample.timeout = timeout
      recorder = await transport.record(sample)
      timeout *= 4
    } while recorder.outline != row.outline + ["failed"] && timeout < .seconds(20)
    #expect(recorder.outline == row.outline + ["failed"])
    expect(recorder, failed: .timeout, during: row.phase)
  }

  @Test func `no time at all is a time-out, not no limit`() async throws {
    let recorder = try await makeTransport().record(request("/hang?gate=zero", timeout: .zero))
    guard case .failed(let error) = recorder.deliveries.last else {
      Issue.record("\(recorder.outline)")
      return
    }
    #expect(error.reason == .timeout)
  }
}

/// Expects that the exchange failed for this reason in this phase.
func expect(
  _ recorder: Recorder, failed reason: TransportError.Reason, during phase: TransportError.Phase,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard case .failed(let error) = recorder.deliveries.last else {
    Issue.record("\(recorder.outline)", sourceLocation: sourceLocation)
    return
  }
  #expect(error.reason == reason && error.phase == phase, "\(error)", sourceLocation: sourceLocation)
  #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
}
