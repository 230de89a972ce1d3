import LaunchClients
import LaunchCurl
import LaunchFile

/// Runs a flow against the stand-ins and records it.
enum RecordVerb: Verb {
  static let usage = Usage(
    verb: "record", paths: "OUT", pathCount: 1...1,
    summary: "runs a launch flow against the vendors' stand-ins and records it",
    details: """
      OUT.part grows while the launch runs and takes the name OUT at its end. Ctrl-C, or a death of the process, leaves
      OUT.part: a cut cassette that every verb reads.
      """,
    options: [
      FlowOption.option,
      .init("route", "HOST=ADDRESS", "send a host's requests there instead of to its stand-in; may stand several times"),
      .init("force", nil, "replace OUT if it exists"),
    ],
    example: "launchtape record out.cassette --flow first-launch")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let path = arguments.paths[0]
    let flow = try FlowOption.flow(arguments, verb: usage.verb)
    guard arguments.has("force") || !fileExists(path) else {
      throw Failure(message: "\(path) exists and stays as it is", next: "to replace it: add --force")
    }
    let sandboxes = try Sandboxes()
    defer { sandboxes.stop() }
    let cassette = try await Recording.record(flow, to: path, over: try routes(arguments, sandboxes))
    Console.print("\(path): \(cassette.trace.summary)")
    return .holds
  }

  private static func routes(_ arguments: Arguments, _ sandboxes: Sandboxes) throws -> RouteTable {
    var routes = try sandboxes.routes
    for text in arguments.all("route") {
      do throws(RouteError) {
        let given = try RouteTable(parsing: [text], otherwise: .refuse)
        for host in given.hosts { routes[host] = given[host] }
      } catch {
        throw Failure.usage("--route \(text): \(error)", verb: usage.verb)
      }
    }
    return routes
  }
}
