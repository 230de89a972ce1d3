import LaunchServer

/// Serves the vendors' stand-ins until it is told to stop.
@MainActor
enum SandboxVerb {
  static let usage = Usage(
    verb: "sandbox", paths: "", pathCount: 0...0,
    summary: "serves the vendors' stand-ins on loopback until Ctrl-C",
    details: """
      Each vendor gets a port of its own. Requests name the vendor's host in the Host line, as route tables and
      proxies send them, or the address, as with a base URL; --route of record takes the lines as they are printed.
      The admin address lists what was received at /requests, each call under the name that a fault script has for it; a
      script that names none of them is told which there are.
      """,
    options: SandboxOptions.all,
    example: "launchtape sandbox --profile edge --fault \"at call adjust.session: wait 9 s\"")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    try Descriptors.require()
    let interruptions = Signals.interruptions()
    let sandboxes = try Sandboxes(try SandboxOptions.sandbox(arguments, verb: usage.verb))
    let admin = try sandboxes.admin()
    for sandbox in sandboxes.all {
      Console.print("\(sandbox.vendor): http://\(sandbox.server.address)")
      for host in sandbox.hosts { Console.print("  \(host)=\(sandbox.server.address)") }
    }
    Console.print("admin: http://\(admin.address)/requests")
    defer {
      sandboxes.stop()
      admin.stop()
    }
    // Nobody would find stand-ins whose addresses are lost.
    guard Console.failure == nil else { return .couldNotRun }
    Console.complain("Ctrl-C stops")
    for await _ in interruptions { break }
    return .holds
  }
}
