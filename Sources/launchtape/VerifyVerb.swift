import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchReport

/// Holds contracts against recorded traces.
@MainActor
enum VerifyVerb {
  static let usage = Usage(
    verb: "verify", paths: "TRACE…", pathCount: 1...Int.max,
    summary: "holds contracts against recordings and says which rule broke, where, and by how much",
    details: """
      A trace is \(Files.formats); - reads one from standard input.
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
    } else {
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
      let journal = try Journal(path: path, replaces: true)
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
  private var known: [[String]: Contracts] = [:]
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
    let contracts = try known[paths] ?? Contracts(arguments, at: paths)
    known[paths] = contracts
    return contracts
  }

  /// The other traces are still worth a verdict when one cannot be read.
  mutating func verify(_ path: String, wantsStrength: Bool) {
    do {
      let trace = try Files.cassette(at: path).trace
      for contract in try contracts(for: path).contracts {
        let verification = contract.verification(of: trace)
        guard isGiven || verification.isConcerned else {
          Console.complain("\(contract.file) speaks of nothing in \(trace.name.printable) and is left out")
          continue
        }
        add(RunReport.Entry(verification, rerun: "launchtape verify \(path) --contract \(contract.file)"))
        if wantsStrength, trace.isClosed { run.strengths.append(contract.strength(on: trace)) }
      }
    } catch {
      Console.complain("\(error)")
      run.problems.append(RunReport.Problem(path: path, message: (error as? Failure)?.message ?? "\(error)"))
    }
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
