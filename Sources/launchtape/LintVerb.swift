import LaunchContract
import LaunchFile

/// Says what is wrong with contracts, and lays them out.
@MainActor
enum LintVerb {
  static let usage = Usage(
    verb: "lint", paths: "CONTRACT…", pathCount: 1...Int.max,
    summary: "says what is wrong with contracts, and lays them out in the canonical way",
    details: """
      Mistakes and doubts are printed with their place; a mistake makes the exit code 2. A sound contract that is laid out
      otherwise is named and makes the exit code 1; with --fix it is laid out anew, comments and groups being kept.
      """,
    options: [.init("fix", nil, "write the canonical layout")],
    example: "launchtape lint contracts/launch.contract --fix")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    var code = ExitCode.holds
    for path in arguments.paths {
      do throws(FileError) {
        code = code.joined(with: try lint(path, fixes: arguments.has("fix")))
      } catch {
        // The other contracts are still worth a look.
        Console.complain("launchtape: \(error)")
        code = .couldNotRun
      }
    }
    return code
  }

  private static func lint(_ path: String, fixes: Bool) throws(FileError) -> ExitCode {
    let bytes = try readFile(path, limit: Files.contractLimit)
    let lint = ContractLint(bytes, file: path, include: Files.included)
    if !lint.diagnostics.isEmpty { Console.complain("\(ContractError(lint.diagnostics))") }
    if lint.diagnostics.contains(where: { $0.severity == .error }) { return .couldNotRun }
    guard !lint.isCanonical else { return .holds }
    guard fixes else {
      Console.print("\(path): not laid out in the canonical way; to do so: launchtape lint \(path) --fix")
      return .broken
    }
    // What the path leads to is laid out anew; a link stays one.
    try writeNewFile(lint.canonical, to: followingLinks(path), keepsPermissions: true, flushes: true)
    Console.print("\(path): laid out")
    return .holds
  }
}
