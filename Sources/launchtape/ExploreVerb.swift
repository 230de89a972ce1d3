import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchExplore
import LaunchFile
import LaunchJSON
import LaunchReport
import LaunchTrace

/// Runs a flow through the orders in which the answers of a cassette could arrive, and holds contracts against each.
@MainActor
enum ExploreVerb {
  static let usage = Usage(
    verb: "explore", paths: "CASSETTE", pathCount: 1...1,
    summary: "runs a launch flow in every order in which the cassette's answers could arrive, and verifies each",
    details: """
      The launch runs in virtual time, each order twice. What breaks a contract is reduced to the smallest change of the
      recorded launch that still does, and written as a cassette, which verify, show and replay take. Without --contract,
      those in the nearest folder contracts are held against it.
      """,
    options: [
      FlowOption.option, Contracts.option(), Contracts.noIdle,
      .init(
        "orders", "WHICH",
        "\(Orders.words.joined(separator: ", ")) (default: exhaustive up to the ceiling, else 3-way)"),
      .init("ceiling", "COUNT", "how many schedules exhaustive may mean (default: 5040)"),
      .init("runs", "COUNT", "how many schedules random draws (default: 500)"),
      .init("depth", "COUNT", "how many orders between two turns a bug may take that random is to find (default: 2)"),
      .init("faults", "COUNT", "let up to so many exchanges of a launch fail, in each way (default: 0)"),
      .init("deaths", "COUNT", "let the process die and start again up to so many times (default: 0)"),
      .init(
        "vary", "WHAT", "also vary outcomes (what the user answers) or jobs (what runs first); repeatable",
        isRepeatable: true),
      .init("seed", "NUMBER", "what chance begins with (default: 1)"),
      .init("budget", "TIME", "stop after so long, as in 30s"),
      .init("schedule", "SCHEDULE", "run this one only"),
      .init("assume-visible-state", nil, "skip what begins in a state that was seen before"),
      .init("workers", "COUNT", "how many processes explore (default: one for each processor)"),
      .init("shard", "I/N", "explore the I-th of N parts only, and print its result for --merge"),
      .init("merge", "FILE", "conclude from the results of all parts; repeatable", isRepeatable: true),
      .init(
        "output", "DIR", "where the counterexamples go (default: CASSETTE without its extension, .counterexamples)"),
      .init("write-test", nil, "print XCTests that fail with the counterexamples, but for advice"),
    ] + MatchingOptions.options,
    example: "launchtape explore cassettes/first-launch.cassette --flow first-launch --orders 3-way")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let request = try ExploreRequest(arguments)
    let shard = arguments.value("shard").map(Exploration.Shard.init)
    if let shard, shard == nil {
      throw Failure.usage(
        "--shard \(arguments.value("shard") ?? ""): the part and how many there are, as in 2/5", verb: usage.verb)
    }
    if shard != nil, arguments.has("merge") { throw Failure.usage("--shard goes without --merge", verb: usage.verb) }
    let parts = try arguments.all("merge").map { try ShardResult.read($0) }
    if let output = arguments.value("output"), pathExists(output), !folderExists(output) {
      throw Failure(message: "\(output) is no folder", next: "choose another path for --output")
    }
    var exploration = try request.exploration()
    if let shard = shard ?? nil {
      let tally = exploration.tally(shard: shard, budget: request.budget)
      Console.print(ShardResult(key: request.key, shard: shard, tally: tally).json.text)
      return .holds
    }
    let tally = try await tally(request, &exploration, arguments, parts)
    let result = exploration.conclude(tally)
    // What was found is printed also when it cannot be written.
    let paths = Result { try request.write(result.counterexamples, in: arguments.value("output")) }
    Console.print(ExplorationText(result, request, try? paths.get()).text)
    if arguments.has("write-test"), !result.failures.isEmpty {
      Console.print("\n" + request.tests(of: result.failures))
    }
    _ = try paths.get()
    return ExitCode(rawValue: result.exitCode(idleFails: arguments.has(Contracts.noIdle.name))) ?? .couldNotRun
  }

  /// From the files of other runs, from worker processes, or from this process itself.
  private static func tally(
    _ request: ExploreRequest, _ exploration: inout Exploration, _ arguments: Arguments, _ parts: [ShardResult]
  ) async throws -> Tally {
    if !parts.isEmpty { return try ShardResult.merged(parts, of: request.key, unitCount: exploration.unitCount) }
    let workers = exploration.isWorthSharing ? request.workers : 1
    if exploration.unitCount > 1 {
      Console.complain(
        "exploring \(exploration.prediction) schedules (\(exploration.orders.word)), each twice, "
          + "in \(workers == 1 ? "one process" : "\(workers) processes")")
    }
    guard workers > 1 else {
      let line = ProgressLine()
      defer { line.clear() }
      return exploration.tally(budget: request.budget) { line.show($0) }
    }
    return try await Workers(count: workers, request, arguments, orders: exploration.orders).tally(
      unitCount: exploration.unitCount)
  }
}
