import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchReport
import LaunchSandbox
import LaunchSimulation
import LaunchTrace

/// Replays a cassette, under a flow in process or for clients on loopback, and verifies what they did.
@MainActor
enum ReplayVerb {
  private static let strict = Usage.Option("strict", nil, "fail when a recorded exchange was not asked for")
  static let lateness = Usage.Option("lateness", nil, "print how late each delivery was")

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
      strict, lateness,
    ] + MatchingOptions.options + ServeReplay.options,
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
    let matching = try MatchingOptions.matching(arguments, verb: usage.verb)
    let cassette = try Files.cassette(at: path)
    try MatchingOptions.check(matching, against: cassette.trace, verb: usage.verb)
    let replay = try Replaying.replay(cassette, flow, pace: pace, matching: matching)
    Console.print("replayed \(replay.trace.summary)")
    if pace != .virtual { printLateness(replay, arguments) }
    printUnused(replay)
    let rerun =
      "launchtape replay \(path.shellWord) --flow \(flow.name) --speed immediate\(words(arguments))"
    return check(replay, arguments).joined(with: contracts.verify(replay.trace, rerun: rerun))
  }

  /// The options that decide how the same replay ends.
  static func words(_ arguments: Arguments) -> String {
    let strict = arguments.has(strict.name) ? " --\(strict.name)" : ""
    return MatchingOptions.words(arguments) + strict + Contracts.words(arguments)
  }

  /// Prints why the replay failed, if it did. What a cut recording lacks says nothing about the launch.
  static func check(_ replay: Replay, _ arguments: Arguments) -> ExitCode {
    do {
      try replay.check(isStrict: arguments.has(strict.name))
      return .holds
    } catch {
      Console.complain("launchtape: the replay of \(arguments.paths[0]) failed\n\(error)")
      return (error as? ReplayError)?.recordingCut == nil ? .broken : .couldNotTell
    }
  }

  static func printLateness(_ replay: Replay, _ arguments: Arguments) {
    Console.print("lateness: \(replay.lateness)")
    if arguments.has(lateness.name), !replay.lateness.samples.isEmpty { Console.print(replay.lateness.table) }
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
  static func replay(
    _ cassette: Cassette, _ flow: Flow, pace: Pace, matching: Matching = Matching()
  ) throws -> Replay {
    let scenario = LaunchScenario(events: cassette.events, otherwise: flow.processes[0].scenario)
    var sandbox = VendorSandbox(latency: .lan)
    let store = try LaunchHistory(for: flow, &sandbox).store
    return Deck(cassette, matching: matching).replay(pace: pace) { launch in
      try await flow.run(launch.transport, scenario: scenario, store: store)
    }
  }
}
