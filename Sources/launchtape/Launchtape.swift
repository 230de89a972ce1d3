import LaunchContract
import LaunchDiagnostics
import LaunchReport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The command line: finds the verb, prints what went wrong, and turns the outcome into an exit code.
@main
enum Launchtape {
  static let version = "0.1.0"

  @MainActor static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Beyond a limit on the size of files a write fails; the signal would kill the process before it can say so.
    signal(SIGXFSZ, SIG_IGN)
    let code: ExitCode
    do {
      try requireText()
      code = try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Console.complain(error is Failure ? "\(error)" : "launchtape: \(error)")
      code = .couldNotRun
    }
    if let failure = Console.failure {
      Console.complain("launchtape: the results could not be printed: \(failure)")
      exit(ExitCode.couldNotRun.rawValue)
    }
    exit(code.rawValue)
  }

  /// Refuses words that are no UTF-8: as text, a path would be another one.
  private static func requireText() throws(Failure) {
    for (index, word) in CommandLine.arguments.enumerated() where word.unicodeScalars.contains("\u{FFFD}") {
      guard let bytes = unsafe CommandLine.unsafeArgv[index], unsafe String(validatingCString: bytes) == nil else {
        continue
      }
      throw Failure(
        message: "the argument \(word.printable) is not UTF-8, and launchtape takes no other text",
        next: "if it is the name of a file or folder, rename that")
    }
  }

  @MainActor private static func run(_ words: [String]) async throws -> ExitCode {
    guard let word = words.first else { throw Failure.usage("which verb?", verb: "") }
    switch word {
    case "--help", "-h", "help":
      Console.print(help)
      return .holds
    case "--version":
      Console.print("launchtape \(version)")
      return .holds
    default:
      guard let verb = Verb.all.first(where: { $0.usage.verb == word }) else {
        let nearest = Suggestion.nearest(to: word, in: Verb.all.map(\.usage.verb))
        throw Failure.usage("unknown verb \(word)" + (nearest.map { "; did you mean \($0)?" } ?? ""), verb: "")
      }
      let arguments = try Arguments(words.dropFirst(), for: verb.usage)
      guard !arguments.wantsHelp else {
        Console.print(verb.usage.help)
        return .holds
      }
      return try await verb.run(arguments)
    }
  }

  @MainActor private static var help: String {
    let verbs = Verb.all
    let width = (verbs.map { $0.usage.synopsis.count }.max() ?? 0) + 2
    let lines = verbs.map { verb in
      let synopsis = verb.usage.synopsis
      return "  " + synopsis + String(repeating: " ", count: width - synopsis.count) + verb.usage.summary
    }
    return """
      launchtape records the HTTP exchanges of an app's launch, replays them offline, and verifies their order.

      usage: launchtape VERB [PATH…] [--option value | --option=value]

      \(lines.joined(separator: "\n"))

      Every verb explains itself: launchtape VERB --help
      exit codes: 0 holds, 1 broken, 2 could not run, 3 could not tell, 4 idle with --no-idle
      """
  }
}
