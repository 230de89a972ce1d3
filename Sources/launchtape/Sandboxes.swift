import LaunchCurl
import LaunchHTTP
import LaunchJSON
import LaunchProxy
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
  private let standIns: StandIns

  init(_ sandbox: VendorSandbox = VendorSandbox()) throws(ServerError) {
    let standIns = StandIns(sandbox)
    self.standIns = standIns
    all = try VendorSandbox.vendors.map { (vendor) throws(ServerError) in
      Sandbox(
        vendor: vendor.name, hosts: vendor.hosts,
        server: try LaunchServer { request in standIns.respond(to: request.meant(for: vendor.hosts)) })
    }
  }

  /// A server that tells what the stand-ins were asked: `GET /requests` gives JSON, `DELETE /requests` forgets it and
  /// everything the stand-ins know.
  func admin() throws(ServerError) -> LaunchServer {
    let standIns = standIns
    return try LaunchServer { request in standIns.administrate(request) }
  }

  /// Adds the way from every vendor host that has none to its stand-in, in plain HTTP.
  func complete(_ routes: inout RouteTable) throws(RouteError) {
    for sandbox in all {
      for host in sandbox.hosts where routes[host] == nil { routes[host] = try Route(parsing: sandbox.server.address) }
    }
  }

  /// The way from every vendor host to its stand-in. Any other host is refused: a launch against stand-ins never reaches
  /// the network.
  func routes() throws(RouteError) -> RouteTable {
    var routes = RouteTable(otherwise: .refuse)
    try complete(&routes)
    return routes
  }

  func stop() {
    for sandbox in all { sandbox.server.stop() }
  }
}

extension Request {
  /// A client that was given the address of a vendor's stand-in for a base URL names that address: it means the vendor, that
  /// is the first of its hosts that has such a call.
  fileprivate func meant(for hosts: [String]) -> Request {
    guard LoopbackAddress.isLoopback(location.host) else { return self }
    let requests = hosts.map { host in
      var request = self
      request.location.host = host
      request.location.port = nil
      return request
    }
    return requests.first { VendorSandbox.call(of: $0) != .unknown } ?? requests.first ?? self
  }
}

/// All stand-ins and what they were asked, behind the lock that the threads of their servers take turns at.
private final class StandIns: Sendable {
  private struct State {
    var sandbox: VendorSandbox
    var received = ReceivedRequests()
  }

  private let fresh: VendorSandbox
  private let state: Mutex<State>
  private let started = ContinuousClock.now

  init(_ sandbox: VendorSandbox) {
    fresh = sandbox
    state = Mutex(State(sandbox: sandbox))
  }

  func respond(to request: Request) -> Answer {
    state.withLock { state in
      let answer = state.sandbox.respond(to: request)
      state.received.add(request, answer, at: .now - started)
      return answer
    }
  }

  func administrate(_ request: Request) -> Answer {
    switch (request.method, request.location.path) {
    case ("GET", "/requests"):
      let json = state.withLock { $0.received.json }
      return Answer(
        head: ResponseHead(status: 200, fields: ["Content-Type": "application/json"]), body: json.serialized)
    case ("DELETE", "/requests"):
      state.withLock { $0 = State(sandbox: fresh) }
      return Answer(head: ResponseHead(status: 204))
    default:
      return Answer(
        head: ResponseHead(status: 404, fields: ["Content-Type": "text/plain"]),
        body: Array("there is GET /requests and DELETE /requests\n".utf8))
    }
  }
}
