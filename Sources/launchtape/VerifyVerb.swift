import LaunchCassette

/// Holds contracts against recorded traces.
@MainActor
enum VerifyVerb {
  static let usage = Usage(
    verb: "verify", paths: "CASSETTE…", pathCount: 1...Int.max,
    summary: "holds contracts against cassettes and says which rule broke, where, and by how much",
    details: """
      Without --contract, each cassette is held against every *.contract in the nearest folder contracts: beside it, in a
      folder above it (up to the one with a Package.swift), or in the current folder.
      """,
    options: [Contracts.option(default: NearbyContracts.help), Contracts.noIdle],
    example: "launchtape verify cassettes/first-launch.cassette --contract contracts/launch.contract")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let given = arguments.all("contract")
    // Read once, whatever many cassettes they are for.
    var known: [[String]: Contracts] = [:]
    if !given.isEmpty { known[given] = try Contracts(arguments, at: given) }
    var code = ExitCode.holds
    for path in arguments.paths {
      do {
        let trace = try Files.cassette(at: path).trace
        let paths = given.isEmpty ? try NearbyContracts.paths(for: path) : given
        let contracts = try known[paths] ?? Contracts(arguments, at: paths)
        known[paths] = contracts
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
