import LaunchCassette
import LaunchClients
import LaunchCurl
import LaunchDeck
import LaunchHTTP
import LaunchReport
import LaunchTrace

/// Runs a flow against the stand-ins and records it.
@MainActor
enum RecordVerb {
  static let usage = Usage(
    verb: "record", paths: "OUT", pathCount: 1...1,
    summary: "runs a launch flow against the vendors' stand-ins and records it",
    details: """
      OUT.part grows while the launch runs and takes the name OUT at its end. Ctrl-C, or a death of the process, leaves
      OUT.part: a cut cassette that every verb reads.

      Identifiers and credentials are replaced by pseudonyms before they are written; see launchtape redact --help.

      --mode fill answers from OUT (or from what a cut recording left in OUT.part) with the recorded timing, and sends only
      the other requests. The new OUT is this launch: what was answered and what was recorded, in the order it was asked
      for. What the launch no longer asks for is listed and left out.
      """,
    options: [
      FlowOption.option,
      .init(
        "route", "HOST=ADDRESS", "send a host's requests there, not to its stand-in; may stand several times",
        isRepeatable: true),
      RedactionOption.option,
    ] + ScenarioOptions.all + SandboxOptions.all + RecordMode.options + [
      .init("record-in-ci", nil, "record although the variable CI is set")
    ],
    example: "launchtape record out.cassette --flow first-launch")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    try Descriptors.require()
    let path = arguments.paths[0]
    let flow = try FlowOption.flow(arguments, verb: usage.verb)
    guard !path.lowercased().hasSuffix(".har") else {
      throw Failure.usage("a recording grows as a cassette; make a HAR of it with launchtape convert", verb: usage.verb)
    }
    if isCI, !arguments.has("record-in-ci") {
      throw Failure(
        message: "CI is set, and what CI records nobody has reviewed; nothing was recorded",
        next: "record on your own machine and check the cassette in, or add --record-in-ci")
    }
    let mode = try RecordMode(arguments, for: path, verb: usage.verb)
    let rules = try RedactionOption.rules(arguments)
    let recorded = try mode.recorded(at: path)
    var sandbox = try SandboxOptions.sandbox(arguments, verb: usage.verb)
    let scenario = try ScenarioOptions.apply(arguments, to: flow, &sandbox, verb: usage.verb)
    let store = try LaunchHistory.store(for: flow, &sandbox)
    let sandboxes = try Sandboxes(sandbox)
    defer { sandboxes.stop() }
    let routes: RouteTable
    do throws(RouteError) {
      routes = try sandboxes.routes(except: arguments.all("route"))
    } catch {
      throw Failure.usage("--route: \(error)", verb: usage.verb)
    }
    let recording = Recording(
      flow: flow, path: path, replaces: mode != .new, routes: routes, scenario: scenario, store: store, rules: rules,
      recorded: recorded)
    let (cassette, fill) = try await recording.run()
    Console.print("\(path): \(cassette.trace.summary)")
    if let fill {
      let calls = cassette.trace.exchanges.count
      Console.print("\(calls - fill.missing.count) of \(calls) calls were answered from the cassette that was there")
      for exchange in fill.unused {
        let request = "\(exchange.request.method) \(exchange.request.location)"
        Console.print("not asked for and left out: call \(exchange.call), \(request.printable)")
      }
    }
    return .holds
  }

  /// Whether this runs under continuous integration, as its services say it.
  private static var isCI: Bool {
    let value = Environment.value(of: "CI") ?? ""
    return !["", "0", "false"].contains(value.lowercased())
  }
}
