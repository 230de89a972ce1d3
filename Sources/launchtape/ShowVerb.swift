import LaunchCassette
import LaunchReport

/// Draws a cassette for the terminal.
@MainActor
enum ShowVerb {
  static let usage = Usage(
    verb: "show", paths: "CASSETTE", pathCount: 1...1,
    summary: "draws a cassette: one line a call or mark, bars by time",
    details: "In a bar ─ is the wait for the response, ━ its content arriving, × a failure, … a call without an end.",
    options: [.init("width", "COLUMNS", "how wide to draw (default: the terminal, or 120)")],
    example: "launchtape show cassettes/first-launch.cassette")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let width = try arguments.value("width").map { text throws(Failure) in
      guard let width = Int(text), (1...10_000).contains(width) else {
        throw Failure.usage("--width takes a number of columns, not \(text)", verb: usage.verb)
      }
      return width
    }
    let cassette = try Files.cassette(at: arguments.paths[0])
    for line in Waterfall(cassette.trace).lines(width: width ?? Console.width) { Console.print(line) }
    return .holds
  }
}
