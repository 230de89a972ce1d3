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

  init() throws(ServerError) {
    all = try VendorSandbox.vendors.map { (vendor) throws(ServerError) in
      let standIn = StandIn(VendorSandbox())
      return Sandbox(
        vendor: vendor.name, hosts: vendor.hosts,
        server: try LaunchServer { request in standIn.state.withLock { $0.respond(to: request) } })
    }
  }

  /// The way from every vendor host to its stand-in, in plain HTTP. Any other host is refused: a launch against stand-ins
  /// never reaches the network.
  /// - Parameter others: `HOST=ADDRESS` texts that go before the stand-ins.
  /// - Throws: `RouteError` for the first text that is none.
  func routes(except others: [String] = []) throws(RouteError) -> RouteTable {
    var routes = try RouteTable(parsing: others, otherwise: .refuse)
    for sandbox in all {
      for host in sandbox.hosts where routes[host] == nil { routes[host] = try Route(parsing: sandbox.server.address) }
    }
    return routes
  }

  func stop() {
    for sandbox in all { sandbox.server.stop() }
  }
}

/// A stand-in's state behind the lock that the threads of its servers take turns at.
private final class StandIn: Sendable {
  let state: Mutex<VendorSandbox>

  init(_ sandbox: VendorSandbox) { state = Mutex(sandbox) }
}
