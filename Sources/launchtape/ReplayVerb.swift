import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchReport
import LaunchSimulation
import LaunchTrace

/// Replays a cassette, under a flow in process or for clients on loopback, and verifies what they did.
@MainActor
enum ReplayVerb {
  static let usage = Usage(
    verb: "replay", paths: "CASSETTE", pathCount: 1...1,
    summary: "runs a launch flow, or any program, offline, answered from a cassette with the recorded timing",
    details: """
      With --flow, a built-in launch runs inside this process. With --listen or a command, the cassette is served on
      127.0.0.1 until the command or Ctrl-C ends it: the command's environment has http_proxy, LAUNCHTAPE_URL,
      LAUNCHTAPE_CONTROL (for marks and verdicts), and a base URL for each host, such as
      LAUNCHTAPE_API_ONESIGNAL_COM.

      No request leaves the machine. One that was not recorded fails and is explained; recorded ones that were not asked
      for are listed. With --contract, the exit code is the verdict on what the launch did.
      """,
    options: [
      FlowOption.option, SpeedOption.option, Contracts.option(), Contracts.noIdle,
      .init("strict", nil, "fail when a recorded exchange was not asked for"),
    ] + ServeReplay.options,
    command: "COMMAND…",
    example: """
      launchtape replay cassettes/first-launch.cassette --flow first-launch --speed immediate
        launchtape replay cassettes/first-launch.cassette --contract contracts/launch.contract -- python3 app.py
      """)

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let isServed = arguments.has(ServeReplay.listen.name) || arguments.command != nil
    guard arguments.has(FlowOption.option.name) else {
      guard isServed else {
        throw Failure.usage(
          "what is to be replayed? give --flow NAME, --listen ADDRESS, or a command behind --", verb: usage.verb)
      }
      return try await ServeReplay.run(arguments)
    }
    guard !isServed else { throw Failure.usage("--flow goes without --listen and a command", verb: usage.verb) }
    if let option = ServeReplay.options.first(where: { arguments.has($0.name) }) {
      throw Failure.usage("--\(option.name) goes with --listen or a command, not with --flow", verb: usage.verb)
    }
    return try replay(arguments)
  }

  private static func replay(_ arguments: Arguments) throws -> ExitCode {
    let path = arguments.paths[0]
    let flow = try FlowOption.flow(arguments, verb: usage.verb)
    let pace = try SpeedOption.pace(arguments, verb: usage.verb)
    let contracts = try Contracts(arguments)
    let replay = Replaying.replay(try Files.cassette(at: path), flow, pace: pace)
    Console.print("replayed \(replay.trace.summary)")
    if pace != .virtual { Console.print("lateness: \(replay.lateness)") }
    printUnused(replay)
    do {
      try replay.check(isStrict: arguments.has("strict"))
    } catch {
      Console.complain("launchtape: the replay of \(path) failed\n\(error)")
      return .broken
    }
    let rerun = "launchtape replay \(path) --flow \(flow.name) --speed immediate"
    return contracts.verify(replay.trace, rerun: rerun)
  }

  static func printUnused(_ replay: Replay) {
    for exchange in replay.unused { Console.print("not asked for: \(describe(exchange))") }
  }

  /// `call 3, GET https://api.adapty.io/api/v1/…`
  static func describe(_ exchange: Exchange) -> String {
    "call \(exchange.call), \("\(exchange.request.method) \(exchange.request.location)".printable)"
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
