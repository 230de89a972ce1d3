import LaunchClients
import LaunchContract
import LaunchFile
import LaunchPlist

/// Says what is wrong with contracts, `Info.plist` files and logs, and lays contracts out.
@MainActor
enum LintVerb {
  static let usage = Usage(
    verb: "lint", paths: "FILE…", pathCount: 1...Int.max,
    summary: "says what is wrong with contracts, Info.plist files and [waitingTime] logs, and lays contracts out",
    details: """
      What a file is, its content tells: an XML or binary property list is held to the checks P1 to P14 of an app that asks
      for tracking, a console log with [waitingTime] lines to the vocabulary and order of the published launch.
      Mistakes and doubts are printed with their place; a mistake makes the exit code 2. A sound contract that is laid out
      otherwise is named and makes the exit code 1; with --fix it is laid out anew, comments and groups being kept.
      """,
    options: [.init("fix", nil, "write the canonical layout of contracts")],
    example: "launchtape lint contracts/launch.contract App/Info.plist console.txt --fix")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    var code = ExitCode.holds
    for path in arguments.paths {
      do throws(FileError) {
        code = code.joined(with: try lint(path, fixes: arguments.has("fix")))
      } catch {
        // The other files are still worth a look.
        Console.complain("launchtape: \(error)")
        code = .couldNotRun
      }
    }
    return code
  }

  private static func lint(_ path: String, fixes: Bool) throws(FileError) -> ExitCode {
    let bytes = try readFile(path, limit: Files.contractLimit)
    switch LintSubject(bytes, path: path) {
    case .contract: return try lintContract(bytes, path: path, fixes: fixes)
    case .propertyList: return report(InfoPlistCheck(bytes).findings.map { LintFinding($0, path: path) })
    case .log(let text):
      let names = WaitingTimeEntry.allCases.map(\.rawValue)
      let check = WaitingTimeCheck(text) { Suggestion.nearest(to: $0, in: names) }
      return report(check.findings.map { LintFinding($0, path: path) })
    }
  }

  private static func report(_ findings: [LintFinding]) -> ExitCode {
    // As many as of a contract's mistakes.
    for finding in findings.prefix(50) { Console.complain("\(finding)") }
    if findings.count > 50 { Console.complain("… and \(findings.count - 50) more") }
    return findings.contains(where: \.isError) ? .couldNotRun : .holds
  }

  private static func lintContract(_ bytes: [UInt8], path: String, fixes: Bool) throws(FileError) -> ExitCode {
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

/// What a file is that lint is given.
private enum LintSubject {
  case contract
  case propertyList
  case log(String)

  /// The content decides, and the name where it says nothing: an empty `Info.plist` is a bad property list.
  init(_ bytes: [UInt8], path: String) {
    let name = path.lowercased()
    if PropertyList.format(of: bytes) != nil || name.hasSuffix(".plist") {
      self = .propertyList
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isContract = name.hasSuffix(".contract") || Self.beginsContract(text)
    self = !isContract && WaitingTimeCheck.isLog(text) ? .log(text) : .contract
  }

  /// Whether the first line that says something is a contract's: its comments may quote a log.
  private static func beginsContract(_ text: String) -> Bool {
    let words = text.split(separator: "\n").lazy.map { $0.drop(while: \.isWhitespace) }
    return words.first { !$0.isEmpty && !$0.hasPrefix("#") }?.hasPrefix("contract ") ?? false
  }
}
