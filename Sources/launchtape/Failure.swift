/// Why a command could not run: one sentence and what to type next. Exit code 2.
struct Failure: Error, CustomStringConvertible {
  var message: String
  var next: String?
  /// Whether the user ended the command, so that what it had until then is what there is.
  var isInterruption = false

  var description: String { "launchtape: \(message)" + (next.map { "\n  \($0)" } ?? "") }

  static func usage(_ message: String, verb: String) -> Failure {
    Failure(message: message, next: verb.isEmpty ? "see: launchtape --help" : "see: launchtape \(verb) --help")
  }
}

/// How a run ended (design section 9): the first that applies of could not run, broken, could not tell, idle.
enum ExitCode: Int32 {
  case holds = 0
  case broken = 1
  case couldNotRun = 2
  case couldNotTell = 3
  case idle = 4

  /// The code that two runs in one command give together.
  func joined(with other: ExitCode) -> ExitCode {
    let order: [ExitCode] = [.couldNotRun, .broken, .couldNotTell, .idle, .holds]
    return order.first { $0 == self || $0 == other } ?? .holds
  }
}
