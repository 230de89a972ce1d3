import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchReport
import LaunchSimulation
import LaunchTrace

/// Replays a cassette under a flow, in process, and verifies what the flow did.
@MainActor
enum ReplayVerb {
  static let usage = Usage(
    verb: "replay", paths: "CASSETTE", pathCount: 1...1,
    summary: "runs a launch flow offline, answered from a cassette with the recorded timing",
    details: """
      No request leaves the process. One that was not recorded fails and is explained; recorded ones that were not asked
      for are listed. With --contract, the exit code is the verdict on what the flow did.
      """,
    options: [
      FlowOption.option, SpeedOption.option, Contracts.option(), Contracts.noIdle,
      .init("strict", nil, "fail when a recorded exchange was not asked for"),
    ],
    example: "launchtape replay cassettes/first-launch.cassette --flow first-launch --speed immediate")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let path = arguments.paths[0]
    let flow = try FlowOption.flow(arguments, verb: usage.verb)
    let pace = try SpeedOption.pace(arguments, verb: usage.verb)
    let contracts = try Contracts(arguments)
    let replay = Replaying.replay(try Files.cassette(at: path), flow, pace: pace)
    Console.print("replayed \(replay.trace.summary)")
    if pace != .virtual { Console.print("lateness: \(replay.lateness)") }
    for exchange in replay.unused {
      let request = "\(exchange.request.method) \(exchange.request.location)"
      Console.print("not asked for: call \(exchange.call), \(request.printable)")
    }
    do {
      try replay.check(isStrict: arguments.has("strict"))
    } catch {
      Console.complain("launchtape: the replay of \(path) failed\n\(error)")
      return .broken
    }
    let rerun = "launchtape replay \(path) --flow \(flow.name) --speed immediate"
    return contracts.verify(replay.trace, rerun: rerun)
  }
}

/// One flow over one cassette, as `replay` and `demo` do it.
enum Replaying {
  /// The flow meets the world that the recording met: the prompt is answered, and messages display, as they did then.
  static func replay(_ cassette: Cassette, _ flow: Flow, pace: Pace) -> Replay {
    let scenario = LaunchScenario(events: cassette.events)
    return Deck(cassette).replay(pace: pace) { launch in
      try await flow.run(launch.transport, scenario: scenario)
    }
  }
}
