import LaunchContract
import LaunchReport
import LaunchTrace

/// The contracts a command was given, held against what it recorded, replayed or read.
struct Contracts {
  let contracts: [Contract]
  private let failsIdle: Bool

  static func option(default path: String? = nil) -> Usage.Option {
    let unless = path.map { " (default: \($0))" } ?? ""
    return .init("contract", "FILE", "a contract to verify; may stand several times\(unless)", isRepeatable: true)
  }

  static let noIdle = Usage.Option("no-idle", nil, "exit with 4 when a rule was never exercised")

  /// What the arguments say about verdicts, for a command that does the same again.
  static func words(_ arguments: Arguments) -> String { arguments.has(noIdle.name) ? " --\(noIdle.name)" : "" }

  /// - Parameter path: What is read when the arguments name no contract; nil is none.
  /// - Throws: `Failure` for a contract with mistakes, after all of them were printed.
  init(_ arguments: Arguments, default path: String? = nil) throws {
    let given = arguments.all("contract")
    try self.init(arguments, at: given.isEmpty ? path.map { [$0] } ?? [] : given)
  }

  /// The contracts at these paths.
  /// - Throws: `Failure` as the other one does.
  init(_ arguments: Arguments, at paths: [String]) throws {
    contracts = try paths.map(Files.contract)
    failsIdle = arguments.has("no-idle")
  }

  /// Prints the verdict on every rule of every contract.
  /// - Parameters:
  ///   - rerun: The command that shows a failure again, options for the contract aside.
  ///   - command: What stands behind those options.
  func verify(_ trace: Trace, rerun: String, command: String = "") -> ExitCode {
    verify(trace.events, named: trace.name, rerun: rerun, command: command)
  }

  /// The same for events that need not be in memory all at once.
  func verify(
    _ events: some Sequence<Event>, named name: String, rerun: String, command: String = ""
  ) -> ExitCode {
    let verifications = contracts.map { $0.verification(of: events, named: name) }
    for verification in verifications { report(verification, rerun: rerun, command: command) }
    return exitCode(of: verifications)
  }

  func verifications(of trace: Trace) -> [Verification] { contracts.map { $0.verification(of: trace) } }

  func report(_ verification: Verification, rerun: String, command: String = "") {
    let rerun = "\(rerun) --contract \(verification.file.shellWord)\(command)"
    Console.print(TextReport(verification, rerun: rerun, colour: Console.hasColour).text)
  }

  func exitCode(of verifications: [Verification]) -> ExitCode {
    let code = verifications.flatMap(\.reports).exitCode(idleFails: failsIdle)
    return ExitCode(rawValue: code) ?? .couldNotRun
  }
}
