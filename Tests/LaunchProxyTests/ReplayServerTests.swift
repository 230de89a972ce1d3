import LaunchCurl
import LaunchDeck
import LaunchHTTP
import LaunchProxy
import LaunchTrace
import Testing

/// The server in process, under a libcurl client that is routed to its base URLs.
@Suite struct ReplayServerTests {
  @Test func `a routed client gets what was recorded, and the trace tells what it did`() async throws {
    var recording = Recording()
    try recording.call("POST", "https://a.test/one", body: "1", status: 201, answer: "created")
    try recording.call("GET", "https://b.test/two", answer: "2")
    try recording.call("GET", "https://b.test/three", answer: "3")
    var options = ReplayServer.Options()
    let log = EventLog()
    options.sinks = [log]
    options.speed = .immediate
    let server = try ReplayServer(recording.trace, options)
    #expect(server.bases.map(\.name) == ["a.test", "b.test"])
    let routes = try RouteTable(parsing: server.bases.map { "\($0.name)=\($0.address)" }, otherwise: .refuse)
    let transport = CurlTransport(routes: routes)
    defer { transport.close() }

    let created = try await transport.response(to: request("POST", "https://a.test/one", body: "1"))
    #expect(created.status == 201)
    #expect(String(decoding: created.body, as: UTF8.self) == "created")
    server.mark("between")
    #expect(try await transport.response(to: request("GET", "https://b.test/two")).status == 200)

    let served = server.finish()
    #expect(served.replay.misses.isEmpty)
    #expect(served.replay.unused.map(\.call) == [3])
    #expect(throws: ReplayError.self) { try served.replay.check(isStrict: true) }
    let order = served.replay.trace.events.compactMap { event -> String? in
      switch event.kind {
      case .mark(let mark): mark.name
      case .call(let call, .request(let request, _)): "\(call) \(request.location)"
      case .call(let call, .end): "\(call) ended"
      default: nil
      }
    }
    #expect(order == ["1 https://a.test/one", "1 ended", "between", "2 https://b.test/two", "2 ended"])
    #expect(served.replay.trace.isClosed)
    #expect(log.events == served.replay.trace.events)
  }

  @Test func `an address for a host that was not recorded is an error`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one")
    var options = ReplayServer.Options()
    options.mapped = ["b.test": .anyPort]
    #expect(throws: ReplayServerError.notRecorded(host: "b.test", recorded: ["a.test"])) {
      try ReplayServer(recording.trace, options)
    }
  }
}
