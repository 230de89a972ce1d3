import LaunchCassette
import LaunchContract
import LaunchDiagnostics
import LaunchFile
import LaunchReport
import LaunchTrace

/// Holds contracts against recorded traces.
@MainActor
enum VerifyVerb {
  static let usage = Usage(
    verb: "verify", paths: "TRACE…", pathCount: 1...Int.max,
    summary: "holds contracts against recordings and says which rule broke, where, and by how much",
    details: """
      A trace is \(Files.formats); - reads one from standard input, where a cassette
      may lack its header line.
      Without --contract, each is held against every *.contract in the nearest folder contracts: beside it, in a folder
      above it (up to the one with a Package.swift), or in the current folder; those that speak of nothing in it are left
      out.
      Of several traces a rule is broken if it is broken on one, and idle only if it is idle on all.
      Exits with 0 when all rules hold, 1 when one is broken, 2 when a file could not be read, 3 when a trace does not
      tell, 4 with --no-idle when a rule was never exercised; the first of 2, 1, 3, 4 that applies.
      """,
    options: [
      Contracts.option(default: NearbyContracts.help), Contracts.noIdle,
      .init("format", "FORMAT", "text, json, junit, github or xcode (default: text)"),
      .init("output", "FILE", "write the report in that format to FILE, and print the text"),
      .init("strength", nil, "also change the traces one event at a time and count what the rules catch"),
    ],
    example:
      "launchtape verify cassettes/first-launch.cassette --contract contracts/launch.contract --format junit")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let format = try format(arguments)
    var verifying = Verifying(arguments)
    if verifying.isGiven { _ = try verifying.contracts(for: "") }
    for path in arguments.paths { verifying.verify(path, wantsStrength: arguments.has("strength")) }
    let run = verifying.report
    if let path = arguments.value("output") {
      try write(format.text(of: run) + "\n", to: path)
      Console.print(ReportFormat.text.text(of: run, colour: Console.hasColour))
    } else if format != .text || !run.entries.isEmpty {
      Console.print(format.text(of: run, colour: format == .text && Console.hasColour))
    }
    return ExitCode(rawValue: run.exitCode(idleFails: arguments.has("no-idle"))) ?? .couldNotRun
  }

  private static func format(_ arguments: Arguments) throws(Failure) -> ReportFormat {
    let name = arguments.value("format") ?? "text"
    guard let format = ReportFormat(rawValue: name) else {
      let known = ReportFormat.allCases.map(\.rawValue)
      let nearest = Suggestion.nearest(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
      throw Failure.usage("--format is one of \(known.joined(separator: ", ")), not \(name)\(nearest)", verb: "verify")
    }
    return format
  }

  /// A report of an earlier run is replaced, in one step.
  private static func write(_ text: String, to path: String) throws(Failure) {
    do throws(FileError) {
      let journal = try Journal(path: path, replaces: true, isPrivate: false)
      try journal.commit(appending: Array(text.utf8))
      try journal.close()
    } catch {
      throw Failure(message: "\(error)")
    }
  }
}

/// One trace after the other, each with the contracts it is held against.
private struct Verifying {
  /// Whether the command line names the contracts.
  let isGiven: Bool
  private let arguments: Arguments
  private let given: [String]
  /// By their paths: each is read once, however many traces it is for.
  private var known: [[String]: Result<Contracts, any Error>] = [:]
  /// Files of contracts that have nothing to say about the trace at hand.
  private var leftOut: [Verification] = []
  /// By the contract's path, in the order in which they were first needed.
  private var entries: [(contract: String, entries: [RunReport.Entry])] = []
  private var run = RunReport()

  init(_ arguments: Arguments) {
    self.arguments = arguments
    given = arguments.all("contract")
    isGiven = !given.isEmpty
  }

  var report: RunReport {
    var run = run
    run.entries = entries.flatMap(\.entries)
    return run
  }

  /// - Throws: `Failure` for contracts that are missing or have mistakes.
  mutating func contracts(for path: String) throws -> Contracts {
    let paths = isGiven ? given : try NearbyContracts.paths(for: path)
    let contracts = known[paths] ?? Result { try Contracts(arguments, at: paths) }
    known[paths] = contracts
    return try contracts.get()
  }

  /// The other traces are still worth a verdict when one cannot be read.
  mutating func verify(_ path: String, wantsStrength: Bool) {
    defer { noteLeftOut() }
    do {
      // First, because a recording that is not there has no contracts that belong to it.
      let recording = try Files.recording(at: path)
      let contracts = try contracts(for: path).contracts
      switch consume recording {
      case .whole(let cassette):
        doubt(cassette.warnings)
        verify(cassette.trace, contracts, path, wantsStrength: wantsStrength)
      case .stream(let stream): try verify(stream, contracts, path, wantsStrength: wantsStrength)
      }
    } catch {
      Console.complain("\(error)")
      run.problems.append(RunReport.Problem(path: path, message: (error as? Failure)?.message ?? "\(error)"))
    }
  }

  /// Event by event, unless the trace is needed as a whole.
  private mutating func verify(
    _ stream: consuming CassetteStream, _ contracts: [Contract], _ path: String, wantsStrength: Bool
  ) throws {
    let order = stream.header.order
    let isWhole = wantsStrength || order != .recorded
    var trace = Trace(name: stream.header.name, order: order)
    var monitors = isWhole ? [] : contracts.map(Monitor.init)
    while let events = try stream.next() {
      if isWhole { trace.events += events }
      for index in monitors.indices { for event in events { monitors[index].step(event) } }
    }
    doubt(stream.warnings)
    if isWhole { return verify(trace, contracts, path, wantsStrength: wantsStrength) }
    for monitor in monitors { add(monitor.verification(of: trace.name), path) }
  }

  private mutating func noteLeftOut() {
    guard let trace = leftOut.first?.trace else { return }
    let (verb, are) = leftOut.count == 1 ? ("speaks", "is") : ("speak", "are")
    let files = leftOut.map(\.file).joined(separator: ", ")
    Console.complain("\(files) \(verb) of nothing in \(trace) and \(are) left out")
    leftOut = []
  }

  private mutating func doubt(_ warnings: [Cassette.Diagnostic]) {
    run.doubts += warnings.map {
      Diagnostic(
        file: $0.path, line: $0.line, column: $0.column, severity: .warning, message: $0.message, sourceLine: "")
    }
  }

  private mutating func verify(_ trace: Trace, _ contracts: [Contract], _ path: String, wantsStrength: Bool) {
    for contract in contracts {
      let isConcerned = add(contract.verification(of: trace), path)
      if wantsStrength, isConcerned, trace.isClosed { run.strengths.append(contract.strength(on: trace)) }
    }
  }

  /// - Returns: false for a contract that nobody named and that has nothing to say.
  @discardableResult
  private mutating func add(_ verification: Verification, _ path: String) -> Bool {
    guard isGiven || verification.isConcerned else {
      leftOut.append(verification)
      return false
    }
    let options = "--contract \(verification.file.shellWord)\(Contracts.words(arguments))"
    let rerun = path == "-" ? nil : "launchtape verify \(path.shellWord) \(options)"
    add(RunReport.Entry(verification, path: path == "-" ? nil : path, rerun: rerun))
    return true
  }

  private mutating func add(_ entry: RunReport.Entry) {
    let file = entry.verification.file
    if let index = entries.firstIndex(where: { $0.contract == file }) {
      entries[index].entries.append(entry)
    } else {
      entries.append((file, [entry]))
    }
  }
}
