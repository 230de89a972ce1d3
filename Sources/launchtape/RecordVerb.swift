import LaunchCassette
import LaunchClients
import LaunchCurl
import LaunchFile
import LaunchReport
import LaunchTrace

/// Runs a flow against the stand-ins and records it.
@MainActor
enum RecordVerb {
  static let usage = Usage(
    verb: "record", paths: "OUT", pathCount: 1...1,
    summary: "runs a launch flow against the vendors' stand-ins and records it",
    details: """
      OUT.part grows while the launch runs and takes the name OUT at its end. Ctrl-C, or a death of the process, leaves
      OUT.part: a cut cassette that every verb reads.
      """,
    options: [
      FlowOption.option,
      .init("route", "HOST=ADDRESS", "send a host's requests there, not to its stand-in; may stand several times"),
      .init("force", nil, "replace OUT if it exists"),
    ],
    example: "launchtape record out.cassette --flow first-launch")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let path = arguments.paths[0]
    let flow = try FlowOption.flow(arguments, verb: usage.verb)
    guard arguments.has("force") || !pathExists(path) else {
      throw Failure(message: "\(path) exists and stays as it is", next: "to replace it: add --force")
    }
    let sandboxes = try Sandboxes()
    defer { sandboxes.stop() }
    let routes: RouteTable
    do throws(RouteError) {
      routes = try sandboxes.routes(except: arguments.all("route"))
    } catch {
      throw Failure.usage("--route: \(error)", verb: usage.verb)
    }
    let cassette = try await Recording.record(
      flow, to: path, replaces: arguments.has("force"), over: routes)
    Console.print("\(path): \(cassette.trace.summary)")
    return .holds
  }
}
