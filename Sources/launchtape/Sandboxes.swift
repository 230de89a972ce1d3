import LaunchCurl
import LaunchHTTP
import LaunchSandbox
import LaunchServer
import Synchronization

/// The vendors' stand-ins, each served on a loopback port of its own.
final class Sandboxes: Sendable {
  struct Sandbox: Sendable {
    let vendor: String
    let hosts: [String]
    let server: LaunchServer
  }

  let all: [Sandbox]

  init(latency: LatencyProfile = .typical) throws {
    all = [
      try Self.serve("OneSignal", OneSignalSandbox.hosts, OneSignalSandbox(latency: latency)) { $0.respond(to: $1) },
      try Self.serve("Adjust", AdjustSandbox.hosts, AdjustSandbox(latency: latency)) { $0.respond(to: $1) },
      try Self.serve("Adapty", AdaptySandbox.hosts, AdaptySandbox(latency: latency)) { $0.respond(to: $1) },
    ]
  }

  /// The way from every vendor host to its stand-in, in plain HTTP. Any other host is refused: a launch against stand-ins
  /// never reaches the network.
  var routes: RouteTable {
    get throws {
      try RouteTable(
        parsing: all.flatMap { sandbox in sandbox.hosts.map { "\($0)=\(sandbox.server.address)" } }, otherwise: .refuse)
    }
  }

  func stop() {
    for sandbox in all { sandbox.server.stop() }
  }

  private static func serve<StandIn: Sendable>(
    _ vendor: String, _ hosts: [String], _ standIn: StandIn,
    respond: @escaping @Sendable (inout StandIn, Request) -> Answer
  ) throws -> Sandbox {
    let state = StandInState(standIn)
    let server = try LaunchServer { request in state.value.withLock { respond(&$0, request) } }
    return Sandbox(vendor: vendor, hosts: hosts, server: server)
  }
}

/// A stand-in's state behind the lock that its server's connection threads take turns at.
private final class StandInState<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
