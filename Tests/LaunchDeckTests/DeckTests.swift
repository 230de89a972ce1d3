import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Testing

struct DeckTests {
  @Test func `a launch is replayed from a cassette found near the test`() throws {
    let deck = try Deck(cassette: "toy-launch")
    let trace = try deck.simulate(isStrict: true) { launch in
      launch.mark("splash launch")
      try await ToyLaunch(transport: launch.transport).run()
    }
    #expect(deck.cassette.warnings == [])
    #expect(trace.name == "toy-launch")
    #expect(lines(trace) == lines(deck.cassette.trace))
  }

  /// Writes the cassette of the tests anew.
  @Test(.enabled(if: Environment.updatesGolden))
  func `the cassette of the tests is what the toy launch does`() throws {
    let path = Environment.folder + "/../cassettes/toy-launch.cassette"
    try Simulation.run {
      try await Recorder(path: path, by: "launchtape 0.1.0").record(over: toyServer) { tap in
        tap.mark("splash launch")
        try await ToyLaunch(transport: tap).run()
      }
    }
  }

  @Test func `a replay of a recording is the recording, and again the same`() throws {
    let recorded = try traced(toyServer) { tap in try await ToyLaunch(transport: tap).run() }
    let deck = Deck(Cassette(header: CassetteHeader(name: "test"), events: recorded.events))
    let first = try deck.simulate { try await ToyLaunch(transport: $0.transport).run() }
    let second = try deck.simulate { try await ToyLaunch(transport: $0.transport).run() }
    #expect(lines(first) == lines(recorded))
    #expect(lines(second) == lines(first))
  }

  @Test func `a paced replay has the same trace and measures its lateness`() throws {
    let recorded = try traced(toyServer) { tap in try await ToyLaunch(transport: tap).run() }
    let deck = Deck(Cassette(header: CassetteHeader(name: "test"), events: recorded.events))
    let replay = deck.replay(pace: .real(speed: 200)) { try await ToyLaunch(transport: $0.transport).run() }
    try replay.check(isStrict: true)
    #expect(lines(replay.trace) == lines(recorded))
    let deliveries = recorded.events.count { event in
      guard case .call(_, let step) = event.kind else { return false }
      if case .request = step { return false }
      return true
    }
    #expect(replay.lateness.samples.count == deliveries)
    #expect(deck.replay { try await ToyLaunch(transport: $0.transport).run() }.lateness.samples == [])
  }

  @Test func `a miss fails the replay with what the app made of it`() throws {
    let deck = Deck(cassette(exchange(1, post("/users", #"{"language":"de"}"#), answering: "u1")))
    let error = #expect(throws: ReplayError.self) {
      try deck.simulate { launch in
        guard (try? await launch.transport.text(post("/users", #"{"language":"en"}"#))) != nil else {
          throw ToyError.noSession
        }
      }
    }
    #expect(
      error?.description == """
        1 request had no recorded answer:
          POST https://example.com/users was not recorded like this; the nearest is call 1, which differs in 1 place: body.language is "en", recorded was "de"
        the launch then failed: there is no session
        """)
  }

  @Test func `what an imported file did not load over HTTP is never replayed, and not missed`() throws {
    let har = #"""
      {"log":{"version":"1.2","entries":[
        {"startedDateTime":"2026-01-02T03:04:05Z","request":{"method":"GET","url":"https://example.com/a"},
         "response":{"status":200,"content":{"text":"A"}},"timings":{"send":0,"wait":1,"receive":0}},
        {"startedDateTime":"2026-01-02T03:04:05Z","request":{"method":"GET","url":"data:text/plain,x"},
         "response":{"status":200,"content":{"text":"x"}},"timings":{"send":0,"wait":1,"receive":0}}]}}
      """#
    let deck = Deck(try Cassette(har: Array(har.utf8), path: "x.har"))
    _ = try deck.simulate(isStrict: true) { launch in
      let text = try await launch.transport.text(get("/a"))
      #expect(text == "A")
    }
  }

  @Test func `a miss that the app swallows still fails the replay`() {
    let deck = Deck(cassette([]))
    #expect(throws: ReplayError.self) {
      try deck.simulate { launch in _ = try? await launch.transport.text(get("/a")) }
    }
  }

  @Test func `the app's own error comes through as it is`() {
    let deck = Deck(cassette(exchange(1, get("/a"), answering: "")))
    #expect(throws: ToyError.noSession) { try deck.simulate(isStrict: true) { _ in throw ToyError.noSession } }
  }

  @Test func `unused exchanges are reported, and fail in strict mode`() throws {
    let deck = Deck(cassette(exchange(1, get("/a"), answering: ""), exchange(2, get("/b"), answering: "")))
    let launch: @Sendable (Launch) async throws -> Void = { _ = try await $0.transport.text(get("/a")) }
    #expect(deck.replay(launch).unused.map(\.call) == [2])
    #expect(try deck.simulate(launch).isClosed)
    let error = #expect(throws: ReplayError.self) { try deck.simulate(isStrict: true, launch) }
    #expect(
      error?.description == """
        1 recorded exchange was not asked for:
          call 2: GET https://example.com/b
        """)
  }

  @Test func `a launch that waits for what was never recorded is told so`() throws {
    let deck = Deck(
      Cassette(
        header: CassetteHeader(name: "test"),
        events: [event(0, .launch(1)), call(0, 7, .request(get("/a"))), call(1_234_567, 7, .sent)]))
    let replay = deck.replay { _ = try await $0.transport.text(get("/a")) }
    #expect(!replay.trace.isClosed)
    #expect(replay.cutOff.map(\.call) == [7])
    let error = #expect(throws: ReplayError.self) { try replay.check() }
    #expect(
      error?.description.hasPrefix(
        """
        1 request was still waited for:
          GET https://example.com/a
        call 7 was cut off in the recording and never answers: GET https://example.com/a
        the recording was cut off at 1.234 s, and what came later is missing: this says nothing about the launch; record it again
        the launch then failed: the simulation hangs at
        """) == true)
  }

  @Test func `a launch that gives up on a call without an end is told of it`() throws {
    let deck = Deck(cassette([call(0, 1, .request(get("/a"))), call(0, 1, .sent)]))
    let launch: @Sendable (Launch) async throws -> Void = {
      _ = try await $0.transport.text(get("/a", timeout: .seconds(1)))
    }
    let error = #expect(throws: ReplayError.self) { try deck.simulate(launch) }
    #expect(
      error?.description == """
        call 1 was cut off in the recording and never answers: GET https://example.com/a
        the launch then failed: timeout during response: no complete response arrived in time
        """)
    let replay = deck.replay { launch in _ = try? await launch.transport.text(get("/a", timeout: .seconds(1))) }
    #expect(replay.cutOff.map(\.call) == [1])
    try replay.check()
  }

  @Test func `a cassette that is not found tells where it was looked for`() {
    let error = #expect(throws: CassetteError.self) { try Deck(cassette: "no-such") }
    #expect(
      error?.description.hasPrefix("cannot find no-such.cassette: not at \(Environment.folder)/no-such.cassette, ")
        == true)
    let path = #expect(throws: CassetteError.self) { try Deck(cassette: "some/no-such.cassette") }
    #expect(path?.description == "cannot read some/no-such.cassette: No such file or directory")
  }

  private func cassette(_ exchanges: [Event]...) -> Cassette {
    Cassette(
      header: CassetteHeader(name: "test"),
      events: closed(Trace(name: "test", events: [event(0, .launch(1))] + exchanges.joined())).events)
  }
}

struct LatenessTests {
  static let ranks: [(count: Int, p50: Int, p99: Int)] = [
    (1, 1, 1), (2, 1, 2), (3, 2, 3), (100, 50, 99), (101, 51, 100),
  ]

  private func lateness(_ durations: [Duration]) -> Lateness {
    Lateness(durations.enumerated().map { Lateness.Sample(call: 7, .chunk, due: .zero + .seconds($0), lateness: $1) })
  }

  @Test func `percentiles are by the nearest rank`() {
    for (count, p50, p99) in Self.ranks {
      let lateness = lateness((1...count).reversed().map { Duration.microseconds($0) })
      #expect(lateness.p50 == .microseconds(p50))
      #expect(lateness.p99 == .microseconds(p99))
      #expect(lateness.max == .microseconds(count))
    }
  }

  @Test func `a report has the unit, the scheduling class and the count`() {
    var lateness = lateness([.microseconds(7), .milliseconds(1204)])
    #expect(
      lateness.description == "p50 0.007 ms, p99 1204.000 ms, max 1204.000 ms (ordinary scheduling) over 2 deliveries")
    lateness.schedulingClass = .realTime
    #expect(lateness.description.contains(" (real-time scheduling) "))
    #expect(Lateness().description == "not measured")
  }

  @Test func `a table has a line for each delivery`() {
    #expect(
      lateness([.microseconds(7), .seconds(12)]).table == """
        call  step   due s    late ms
           7  chunk  0.000      0.007
           7  chunk  1.000  12000.000
        """)
  }
}
