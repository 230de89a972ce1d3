import LaunchCassette
import LaunchContract
import LaunchReport

/// Holds contracts against recorded traces.
enum VerifyVerb: Verb {
  static let usage = Usage(
    verb: "verify", paths: "TRACE…", pathCount: 1...Int.max,
    summary: "holds contracts against cassettes",
    options: [
      .init("contract", "FILE", "a contract; may stand several times (default: contracts/launch.contract)"),
      .init("no-idle", nil, "exit with 4 when a rule was never exercised"),
    ],
    example: "launchtape verify cassettes/first-launch.cassette --contract contracts/launch.contract")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let contracts = try Contracts(arguments)
    var code = ExitCode.holds
    for path in arguments.paths {
      let cassette = try Files.cassette(at: path)
      let rerun = "launchtape verify \(path)"
      code = code.joined(with: contracts.verify(cassette.trace, rerun: rerun, noIdle: arguments.has("no-idle")))
    }
    return code
  }
}

/// The contracts a command was given.
struct Contracts {
  private let contracts: [Contract]

  static let option = Usage.Option("contract", "FILE", "verify FILE on it; may stand several times")
}
