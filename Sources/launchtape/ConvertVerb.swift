import LaunchCassette
import LaunchClients
import LaunchFile
import LaunchReport
import LaunchTrace

/// Turns one file format into another, told by the endings.
@MainActor
enum ConvertVerb {
  static let usage = Usage(
    verb: "convert", paths: "IN OUT", pathCount: 2...2,
    summary: "turns recordings of other tools into cassettes, and cassettes into HARs",
    details: """
      OUT is a .cassette or a .har. IN is \(Files.formats).
      What had to be repaired in IN is printed with its place. Between cassettes and HARs nothing is lost: the way back
      gives IN again. A log has lines such as "[waitingTime] splash launch 166ms", anywhere in a line of the console, with whole
      milliseconds since "[waitingTime] start counting". One that is merged has its marks put in by time, counted from the mark "start counting" of IN, or
      from IN's beginning when it has none; marks that IN has already are left out.
      """,
    options: [
      .init("log", "FILE", "merge the [waitingTime] lines of a console log into IN by time"),
      .init("log-start", "SECONDS", "when the log's \"start counting\" was on the clock of IN"),
      .init("force", nil, "replace OUT if it exists"),
    ],
    example: "launchtape convert cassettes/first-launch.cassette first-launch.har")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let (input, output) = (arguments.paths[0], arguments.paths[1])
    let format = try OutputFormat(path: output, verb: usage.verb)
    guard arguments.has("force") || !pathExists(output) else {
      throw Failure(message: "\(output) exists and stays as it is", next: "to replace it: add --force")
    }
    let cassette = try merged(try Files.cassette(at: input), arguments)
    do throws(FileError) {
      try format.write(cassette, to: output, replaces: arguments.has("force"), isPrivate: false)
    } catch {
      throw Failure(message: "\(error)")
    }
    Console.print("\(output): \(cassette.trace.summary)")
    return .holds
  }

  /// The cassette with the marks of the log that the arguments name.
  private static func merged(_ cassette: Cassette, _ arguments: Arguments) throws(Failure) -> Cassette {
    let start = try arguments.value("log-start").map { text throws(Failure) in
      guard let seconds = Double(decimal: text), abs(seconds) < 1e9 else {
        throw Failure.usage("--log-start takes seconds, not \(text)", verb: usage.verb)
      }
      return Duration.seconds(seconds)
    }
    guard let path = arguments.value("log") else {
      guard start == nil else { throw Failure.usage("--log-start needs --log FILE", verb: usage.verb) }
      return cassette
    }
    let log = try Files.log(at: path)
    guard log.events.contains(where: { if case .mark = $0.kind { true } else { false } }) else {
      throw Failure(message: "\(path) has no [waitingTime] line")
    }
    let name = WaitingTimeEntry.startCounting.rawValue
    let anchor = cassette.events.first { $0.kind == .mark(Mark(name)) }?.at
    let (trace, known) = cassette.trace.merged(withMarksOf: log.events, shiftedBy: start ?? (anchor ?? .zero) - .zero)
    for mark in known {
      Console.complain("\(path): the mark \"\(mark)\" is in \(cassette.name) already and was left out")
    }
    var header = cassette.header
    // Two clocks told the times, so nothing that is close has a known order.
    header.order = .time(TimeOrder(resolution: WaitingTimeImport.resolution))
    return Cassette(header: header, events: trace.events)
  }
}
