import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchExplore
import LaunchFile
import LaunchReport
import LaunchServer
import LaunchSimulation
import LaunchTrace

/// The whole loop on one launch, explained as it goes.
@MainActor
enum DemoVerb {
  private static let contractPath = "contracts/launch.contract"

  static let usage = Usage(
    verb: "demo", paths: "", pathCount: 0...0,
    summary:
      "records a launch against stand-ins, replays it offline twice, verifies a contract on all three, and explores other orders",
    options: [
      .init("dir", "DIR", "where the cassettes go (default: a new folder under .build/demo)"),
      Contracts.option(default: contractPath),
    ],
    example: "launchtape demo --dir /tmp/demo")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    try Descriptors.require()
    guard let flow = Flow.named("first-launch") else { throw Failure(message: "the flow first-launch is missing") }
    let contracts = try Contracts(arguments, default: contractPath)
    let folder = try folder(arguments.value("dir"))
    for name in ["first-launch", "replay", "virtual"] where pathExists(joinPath(folder, "\(name).cassette")) {
      throw Failure(message: "\(folder) holds a \(name).cassette already", next: "choose another folder with --dir")
    }

    let sandboxes = try Sandboxes()
    defer { sandboxes.stop() }
    let addresses = sandboxes.all.map { "\($0.vendor) on \($0.server.address)" }
    say("sandboxes", addresses.joined(separator: ", "))

    say("record", "the published first launch over libcurl, in real time …")
    let path = joinPath(folder, "first-launch.cassette")
    let recording = Recording(flow: flow, path: path, replaces: false, routes: try sandboxes.routes())
    let cassette = try await recording.run().cassette
    say("", cassette.trace.summary)

    say("replay", "offline from the cassette, with the recorded timing …")
    let paced = try replay(cassette, flow, pace: .real(speed: 1))
    say("", "\(paced.trace.summary); lateness \(paced.lateness)")
    try save(paced.trace, as: "replay.cassette", in: folder)

    say("replay", "again, in virtual time")
    let start = ContinuousClock.now
    let virtual = try replay(cassette, flow, pace: .virtual)
    let took = ContinuousClock.now - start
    let tenths = Int((took / .milliseconds(1) * 10).rounded())
    say("", "\(virtual.trace.summary); took \(tenths / 10).\(tenths % 10) ms")
    let again = try replay(cassette, flow, pace: .virtual)
    let repeats = file(of: again.trace) == file(of: virtual.trace)
    say("", repeats ? "once more: the same trace, byte for byte" : "once more: a different trace, which must not be")
    try save(virtual.trace, as: "virtual.cassette", in: folder)

    var code: ExitCode = repeats ? .holds : .broken
    let expected = contracts.verifications(of: cassette.trace)
    say("verify", "the recording")
    for verification in expected { contracts.report(verification, rerun: "launchtape verify \(path)") }
    code = code.joined(with: contracts.exitCode(of: expected))
    for (name, trace) in [("replay", paced.trace), ("virtual", virtual.trace)] {
      let verifications = contracts.verifications(of: trace)
      let isEqual = verifications.map { $0.reports.map(\.verdict) } == expected.map { $0.reports.map(\.verdict) }
      say("verify", "\(name).cassette" + (isEqual ? ": the same verdict on every rule" : ""))
      if !isEqual {
        let rerun = "launchtape verify \(joinPath(folder, "\(name).cassette"))"
        for verification in verifications { contracts.report(verification, rerun: rerun) }
      }
      code = code.joined(with: contracts.exitCode(of: verifications))
    }

    try explore(cassette, flow, contracts)
    say("files", folder)
    say("", "look at the launch with: launchtape show \(path)")
    Console.print(code == .holds ? "everything held" : "not everything held")
    return code
  }

  /// What other orders of the answers would have brought. A finding is no failure of the demo: the published launch has some.
  private static func explore(_ cassette: Cassette, _ flow: Flow, _ contracts: Contracts) throws {
    say("explore", "20 other orders in which the answers could have come, drawn by chance")
    let explored = try ExploredFlow(flow, cassette)
    var exploration = Exploration(
      cassette, contracts: contracts.contracts, orders: .random(runs: 20, depth: 2), fallback: explored.fallback,
      launch: explored.launch)
    let tally = exploration.tally()
    for (rule, count) in zip(contracts.contracts.flatMap(\.rules), tally.rules) where count.broken > 0 {
      say("", "\(rule.sentence.printable): broken in \(count.broken) of \(tally.schedules)")
    }
    say("", "every order, and the smallest change that breaks a rule: launchtape explore CASSETTE --flow \(flow.name)")
  }

  private static func say(_ step: String, _ text: String) {
    Console.print(step.isEmpty ? "  \(text)" : "\(step): \(text)")
  }

  private static func replay(_ cassette: Cassette, _ flow: Flow, pace: Pace) throws -> Replay {
    let replay = try Replaying.replay(cassette, flow, pace: pace)
    do {
      try replay.check(isStrict: true)
    } catch {
      throw Failure(message: "the replay failed\n\(error)")
    }
    return replay
  }

  private static func save(_ trace: Trace, as name: String, in folder: String) throws {
    let path = joinPath(folder, name)
    try RedactionOption.redact(file(of: trace), for: path).cassette.write(to: path)
  }

  private static func file(of trace: Trace) -> Cassette {
    let header = CassetteHeader(name: trace.name, by: "launchtape \(Launchtape.version)")
    return Cassette(header: header, events: trace.events)
  }

  /// The folder asked for, made if it is missing; else a new one named after the moment.
  private static func folder(_ given: String?) throws -> String {
    if let given {
      try createFolder(given)
      return given
    }
    let now = CassetteHeader(name: "", microsecondsSince1970: microsecondsSince1970(), by: "").recorded
    // To the second, without what parts date and time.
    let moment = now.prefix(while: { $0 != "." }).filter { $0 != "-" && $0 != ":" } + "Z"
    try createFolder(".build/demo")
    return try createUniqueFolder(in: ".build/demo", prefix: "\(moment)-")
  }
}
