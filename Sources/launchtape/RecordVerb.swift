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
    summary: "runs a launch flow against the vendors' stand-ins, or the vendors themselves, and records it",
    details: """
      OUT.part grows while the launch runs and takes the name OUT at its end. Ctrl-C, or a death of the process, leaves
      OUT.part: a cut cassette that every verb reads.

      Identifiers and credentials are replaced by pseudonyms before they are written; see launchtape redact --help.

      --env FILE makes the vendors in FILE the real ones. Its lines are NAME=value; # begins a comment, quotes are taken
      off:
        ONESIGNAL_APP_ID      a separate app, for OneSignal has no sandbox
        ADJUST_APP_TOKEN      with ADJUST_S2S_TOKEN: the session goes to s2s.adjust.com too; only Adjust's closed library
                              can sign what the SDK sends, so that stays with the stand-in unless ADJUST_AUTHORIZATION
                              has a signature
        ADJUST_ENVIRONMENT    sandbox (default), or production with --production
        ADAPTY_PUBLIC_KEY     and ADAPTY_CLUSTER: default, eu or cn
        MOTISIG_SDK_KEY       with MOTISIG_PROJECT_ID, and perhaps MOTISIG_BASE_URL
        LAUNCHTAPE_CA_FILE    certificates in PEM to trust instead of the system's, seen from FILE's folder
      Each such recording is made as a new device. No credential reaches OUT or the terminal. --route says where a host is:
      --route api.onesignal.com=tls://127.0.0.1:9443; without tls:// plain HTTP is spoken there.

      --store DIR keeps what the app remembers, identifiers included, for a recording of a later launch; keep DIR private.

      --mode fill answers from OUT (or from what a cut recording left in OUT.part) with the recorded timing, and sends only
      the other requests. The new OUT is this launch: what was answered and what was recorded, in the order it was asked
      for. What the launch no longer asks for is listed and left out.
      """,
    options: [
      FlowOption.option,
      .init(
        "route", "HOST=ADDRESS", "send a host's requests to this address, or tls://ADDRESS; may stand several times",
        isRepeatable: true),
      LaunchHistory.option, RedactionOption.option,
    ] + AccessOption.all + ScenarioOptions.all + SandboxOptions.all + RecordMode.options + [
      .init("record-in-ci", nil, "record although the variable CI is set")
    ],
    example: """
      launchtape record out.cassette --flow first-launch
        launchtape record out.cassette --flow first-launch --env launch.env --store app
        launchtape record later.cassette --flow later-launch --env launch.env --store app
      """)

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
    let access = try AccessOption.access(arguments, verb: usage.verb)
    var sandbox = try SandboxOptions.sandbox(arguments, verb: usage.verb)
    var scenario = try ScenarioOptions.apply(arguments, to: flow, &sandbox, verb: usage.verb)
    access?.apply(to: &scenario)
    var routes = try routes(arguments, access)
    let history = try LaunchHistory(for: flow, in: arguments.value("store"), access, &sandbox)
    let sandboxes = try Sandboxes(sandbox)
    defer { sandboxes.stop() }
    try sandboxes.complete(&routes)
    let recording = Recording(
      flow: flow, path: path, replaces: mode != .new, routes: routes, scenario: scenario, access: access,
      history: history, rules: rules, recorded: recorded)
    if access == nil, let calls = recorded?.trace.exchanges.count, calls > 0 {
      Console.complain(
        "the stand-ins start anew and have seen none of the calls in \(path), \(calls) in all: what is asked of them now "
          + "may get another answer than behind those, a 404 for one")
    }
    let (cassette, fill): (Cassette, FillTransport?)
    do {
      (cassette, fill) = try await recording.run()
    } catch {
      // A launch that hangs ends with a Ctrl-C, and what the user saw until then is why it was recorded.
      if (error as? Failure)?.isInterruption == true, let cut = try? Cassette(path: path + ".part") {
        tell(cut, at: path + ".part")
      }
      throw error
    }
    tell(cassette, at: path)
    if let access { AccessOption.complain(about: cassette.trace, access, routes) }
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

  private static func tell(_ cassette: Cassette, at path: String) {
    Console.print("\(path): \(cassette.trace.summary)")
    for line in LaunchStory(cassette.events).lines { Console.print("  \(line.printable)") }
  }

  /// What `--route` and `--env` say about hosts; the stand-ins' own are missing.
  private static func routes(_ arguments: Arguments, _ access: VendorAccess?) throws -> RouteTable {
    var routes: RouteTable
    do throws(RouteError) {
      routes = try RouteTable(
        parsing: arguments.all("route"), caFile: access?.authorityFile, otherwise: .refuse)
    } catch {
      throw Failure.usage("--route: \(error)", verb: usage.verb)
    }
    if let access { try AccessOption.complete(&routes, for: access, verb: usage.verb) }
    return routes
  }

  /// Whether this runs under continuous integration, as its services say it.
  private static var isCI: Bool {
    let value = Environment.value(of: "CI") ?? ""
    return !["", "0", "false"].contains(value.lowercased())
  }
}
