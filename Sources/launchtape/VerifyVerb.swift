import LaunchCassette

/// Holds contracts against recorded traces.
@MainActor
enum VerifyVerb {
  private static let launchContract = "contracts/launch.contract"

  static let usage = Usage(
    verb: "verify", paths: "CASSETTE…", pathCount: 1...Int.max,
    summary: "holds contracts against cassettes and says which rule broke, where, and by how much",
    options: [Contracts.option(default: launchContract), Contracts.noIdle],
    example: "launchtape verify cassettes/first-launch.cassette --contract contracts/launch.contract")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let contracts = try Contracts(arguments, default: launchContract)
    var code = ExitCode.holds
    for path in arguments.paths {
      do throws(Failure) {
        let trace = try Files.cassette(at: path).trace
        code = code.joined(with: contracts.verify(trace, rerun: "launchtape verify \(path)"))
      } catch {
        // The other cassettes are still worth a verdict.
        Console.complain("\(error)")
        code = code.joined(with: .couldNotRun)
      }
    }
    return code
  }
}
