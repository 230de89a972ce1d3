import LaunchCassette
import LaunchClients
import LaunchDeck
import LaunchHTTP
import LaunchTrace

/// Replays in process: a launch in virtual time, and matching among few and many recorded exchanges.
func measureReplay() throws -> [Measurement] {
  let few = try costPerRequest(recorded: 1000, rounds: 20)
  let many = try costPerRequest(recorded: 100_000, rounds: 1)
  let redacted = try costPerRequest(of: SyntheticCassette.redacted(exchanges: 1000), rounds: 5)
  return [
    try measureLaunch(),
    Measurement("answers, 1,000 exchanges recorded", 1 / few, "requests/s", goal: .atLeast(200_000)),
    Measurement("answers, 100,000 exchanges recorded", 1 / many, "requests/s", goal: .atLeast(200_000)),
    Measurement("answers with live values, 1,000 exchanges recorded", 1 / redacted, "requests/s"),
    Measurement("cost of an answer, 100,000 against 1,000", many / few, "times", goal: .atMost(1.5)),
  ]
}

private func measureLaunch() throws -> Measurement {
  let cassette = try Cassette(path: "cassettes/first-launch.cassette")
  let scenario = LaunchScenario(events: cassette.events)
  let time = try best {
    _ = try Deck(cassette).simulate { launch in
      try await AppLaunch(transport: launch.transport, scenario: scenario).run()
    }
  }
  let recorded = cassette.trace.end.microseconds / 1000
  return Measurement("first launch in virtual time, \(recorded) ms recorded", time.seconds * 1000, "ms")
}

/// Seconds to find and use one recorded exchange, each asked for once, and to make an answer of it.
private func costPerRequest(recorded: Int, rounds: Int) throws -> Double {
  let trace = SyntheticCassette.typical(exchanges: recorded).trace
  let requests = trace.exchanges.map(\.request)
  let fresh = Player(trace)
  let time = try best {
    for _ in 0..<rounds {
      var player = fresh
      for request in requests { _ = try player.answer(request).answer }
    }
  }
  return time.seconds / Double(recorded * rounds)
}

/// The same where each request has another identifier than the recording, which its answer then gives back.
private func costPerRequest(of redacted: (cassette: Cassette, live: [Request]), rounds: Int) throws -> Double {
  let fresh = Player(redacted.cassette.trace)
  let time = try best {
    for _ in 0..<rounds {
      var player = fresh
      for request in redacted.live { _ = try player.answer(request).answer }
    }
  }
  return time.seconds / Double(redacted.live.count * rounds)
}
