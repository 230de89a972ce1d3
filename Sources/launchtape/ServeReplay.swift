import LaunchCassette
import LaunchCodings
import LaunchDeck
import LaunchFile
import LaunchProxy
import LaunchReport
import LaunchServer
import LaunchSimulation
import LaunchTrace

/// Serves a cassette on loopback, to a command or to whoever comes, and verifies what the clients did.
@MainActor
enum ServeReplay {
  static let listen = Usage.Option(
    "listen", "ADDRESS", "serve on 127.0.0.1:PORT, 0 for any (the default with a command)")
  static let map = Usage.Option(
    "map", "HOST=ADDRESS", "serve a recorded host at 127.0.0.1:PORT; may stand several times",
    isRepeatable: true)
  static let output = Usage.Option("output", "FILE", "keep what the clients did as a cassette")
  static let options = [listen, map, output]

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    try Descriptors.require()
    // Before the cassette is read, so that the two never stand in memory together.
    giveBackLoadedPages()
    let path = arguments.paths[0]
    let contracts = try Contracts(arguments)
    let options = try options(arguments, contracts: contracts)
    let output = arguments.value(Self.output.name)
    let format = try output.map { text throws(Failure) in try OutputFormat(path: text, verb: ReplayVerb.usage.verb) }
    if let output, !folderExists(parentFolder(of: output)) {
      throw Failure(message: "\(parentFolder(of: output)) is no folder, and \(output) could not be kept")
    }
    if let output, pathExists(output) {
      throw Failure(message: "\(output) exists and stays as it is", next: "choose another path for --output")
    }
    let cassette = try Files.cassette(at: path)
    try MatchingOptions.check(options.matching, against: cassette.trace, verb: ReplayVerb.usage.verb)
    // Some time before anybody knows the addresses: a signal is lost until the sources are registered.
    let interruptions = Signals.interruptions()
    let server = try server(for: cassette, options)
    var code = ExitCode.holds
    if let command = arguments.command {
      let environment = server.environment(over: Environment.variables)
      let ending = try await ChildCommand.run(command, environment: environment, forwarding: interruptions)
      if ending != .exit(0) {
        Console.complain("launchtape: \(command[0]) \(ending)")
        code = .broken
      }
    } else {
      printAddresses(of: server)
      // Nobody would find a server whose addresses are lost.
      guard Console.failure == nil else { return .couldNotRun }
      await waitForEnd(of: server, or: interruptions)
    }
    let served = server.finish()
    await server.controlClosed()
    let name = cassette.name
    code = code.joined(with: report(served, name, arguments))
    if let output, let format { try keep(served.replay.trace, at: output, as: format) }
    return code.joined(
      with: contracts.verify(served.events, named: name, rerun: rerun(arguments), command: command(arguments)))
  }

  private static func server(for cassette: Cassette, _ options: ReplayServer.Options) throws(Failure) -> ReplayServer {
    do throws(ReplayServerError) {
      return try ReplayServer(cassette.trace, options)
    } catch {
      throw Failure(message: "\(error)")
    }
  }

  private static func options(_ arguments: Arguments, contracts: Contracts) throws(Failure) -> ReplayServer.Options {
    var options = ReplayServer.Options()
    options.contracts = contracts.contracts
    options.matching = try MatchingOptions.matching(arguments, verb: ReplayVerb.usage.verb)
    options.encode = { pieces, encoding in try? encode(pieces: pieces, as: encoding) }
    options.speed =
      switch try SpeedOption.pace(arguments, verb: ReplayVerb.usage.verb) {
      case .virtual: .immediate
      case .real(let speed): .times(speed)
      }
    if let text = arguments.value(listen.name) { options.address = try address(text, for: listen) }
    for text in arguments.all(map.name) {
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
        throw Failure.usage("--map takes HOST=ADDRESS, not \(text)", verb: ReplayVerb.usage.verb)
      }
      options.mapped[String(text[..<equals])] = try address(String(text[text.index(after: equals)...]), for: map)
    }
    return options
  }

  private static func address(_ text: String, for option: Usage.Option) throws(Failure) -> LoopbackAddress {
    do throws(ReplayServerError) {
      return try LoopbackAddress(parsing: text)
    } catch {
      throw Failure.usage("--\(option.name): \(error)", verb: ReplayVerb.usage.verb)
    }
  }

  /// One line an address, for people and scripts; those of the hosts are what `--route` of `record` takes.
  private static func printAddresses(of server: ReplayServer) {
    Console.print("proxy=\(server.url)")
    Console.print("control=\(server.controlURL)")
    for base in server.bases { Console.print("\(base.name.printable)=\(base.address)") }
    Console.complain("Ctrl-C stops")
  }

  /// Waits for Ctrl-C, SIGTERM, SIGHUP, or a client that posts to `/finish`.
  private static func waitForEnd(of server: ReplayServer, or interruptions: AsyncStream<Int32>) async {
    await withTaskGroup { group in
      group.addTask { for await _ in interruptions { return } }
      group.addTask { await server.finishRequested() }
      _ = await group.next()
      group.cancelAll()
    }
  }

  /// Prints how the replay went; contracts aside.
  private static func report(_ served: ServedReplay, _ name: String, _ arguments: Arguments) -> ExitCode {
    Console.print("served \(served.events.summary(named: name))")
    ReplayVerb.printLateness(served.replay, arguments)
    if served.slowClients > 0 {
      Console.print("answers that waited for a client to take what was due: \(served.slowClients)")
    }
    for exchange in served.unended {
      Console.print("left waiting, no end was recorded: \(ReplayVerb.describe(exchange))")
    }
    for exchange in served.withoutBody {
      Console.print("answered with 502, not recorded in full: \(ReplayVerb.describe(exchange))")
    }
    ReplayVerb.printUnused(served.replay)
    let code = ReplayVerb.check(served.replay, arguments)
    return served.withoutBody.isEmpty ? code : code.joined(with: .broken)
  }

  private static func keep(_ trace: Trace, at path: String, as format: OutputFormat) throws {
    let header = CassetteHeader(
      name: cassetteName(of: path), microsecondsSince1970: microsecondsSince1970(),
      by: "launchtape \(Launchtape.version)")
    let cassette = Cassette(header: header, events: trace.events)
    try format.write(RedactionOption.redact(cassette, for: path).cassette, to: path, replaces: false, isPrivate: true)
    Console.print("kept as \(path)")
  }

  private static func rerun(_ arguments: Arguments) -> String {
    let listen = arguments.command == nil ? " --listen 127.0.0.1:0" : ""
    let served = arguments.words([SpeedOption.option, map])
    return "launchtape replay \(arguments.paths[0].shellWord)\(listen)\(served)\(ReplayVerb.words(arguments))"
  }

  private static func command(_ arguments: Arguments) -> String {
    arguments.command.map { " -- " + $0.map(\.shellWord).joined(separator: " ") } ?? ""
  }
}
