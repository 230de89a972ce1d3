import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchReport

/// Holds contracts against recorded traces.
@MainActor
enum VerifyVerb {
  private static let launchContract = "contracts/launch.contract"

  static let usage = Usage(
    verb: "verify", paths: "TRACE…", pathCount: 1...Int.max,
    summary: "holds contracts against recordings and says which rule broke, where, and by how much",
    details: """
      A trace is \(Files.formats); - reads one from standard input.
      Of several traces a rule is broken if it is broken on one, and idle only if it is idle on all.
      Exits with 0 when all rules hold, 1 when one is broken, 2 when a file could not be read, 3 when a trace does not
      tell, 4 with --no-idle when a rule was never exercised; the first of 2, 1, 3, 4 that applies.
      """,
    options: [
      Contracts.option(default: launchContract), Contracts.noIdle,
      .init("format", "FORMAT", "text, json, junit, github or xcode (default: text)"),
      .init("output", "FILE", "write the report in that format to FILE, and print the text"),
      .init("strength", nil, "also change the traces one event at a time and count what the rules catch"),
    ],
    example:
      "launchtape verify cassettes/*.cassette --contract contracts/launch.contract --format junit --output launch.xml")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let format = try format(arguments)
    let contracts = try Contracts(arguments, default: launchContract)
    let run = report(on: arguments.paths, contracts, wantsStrength: arguments.has("strength"))
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

  /// The other traces are still worth a verdict when one cannot be read.
  private static func report(on paths: [String], _ contracts: Contracts, wantsStrength: Bool) -> RunReport {
    var run = RunReport()
    var byContract: [[RunReport.Entry]] = Array(repeating: [], count: contracts.contracts.count)
    for path in paths {
      do throws(Failure) {
        let trace = try Files.cassette(at: path).trace
        for (index, contract) in contracts.contracts.enumerated() {
          let rerun = "launchtape verify \(path) --contract \(contract.file)"
          byContract[index].append(RunReport.Entry(contract.verification(of: trace), rerun: rerun))
          if wantsStrength, trace.isClosed { run.strengths.append(contract.strength(on: trace)) }
        }
      } catch {
        Console.complain("\(error)")
        run.problems.append(RunReport.Problem(path: path, message: error.message))
      }
    }
    run.entries = byContract.flatMap(\.self)
    return run
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
