import LaunchHTTP
import Testing

@testable import LaunchCurl

@Suite struct TransferPlanTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var scheme = "https"
    var port: Int?
    var route: Route?
    var origin: String
    var connectTo: String?
    var usesTLS: Bool
    var resolvesName: Bool
    var testDescription: String { "\(scheme) \(port ?? 0) \(route?.description ?? "direct")" }
  }

  static let plain = Route(host: "127.0.0.1", port: 9001)
  static let secure = Route(host: "sandbox.test", port: 9443, security: .tls(caFile: "ca.pem"))

  @Test(arguments: [
    Case(origin: "https://vendor.test/", usesTLS: true, resolvesName: true),
    Case(scheme: "http", port: 81, origin: "http://vendor.test:81/", usesTLS: false, resolvesName: true),
    Case(
      route: plain, origin: "http://vendor.test/", connectTo: "::127.0.0.1:9001", usesTLS: false, resolvesName: false),
    Case(
      port: 444, route: plain, origin: "http://vendor.test:444/", connectTo: "::127.0.0.1:9001", usesTLS: false,
      resolvesName: false),
    Case(
      scheme: "http", route: secure, origin: "https://vendor.test/", connectTo: "::sandbox.test:9443", usesTLS: true,
      resolvesName: true),
  ]) func `a route changes the address and nothing else`(row: Case) throws {
    let location = Location(scheme: row.scheme, host: host, port: row.port)
    let routes = RouteTable(row.route.map { [host: $0] } ?? [:], otherwise: .direct)
    let plan = try TransferPlan(Request(method: "GET", location: location), routes: routes)
    #expect(plan.origin == row.origin)
    #expect(plan.connectTo == row.connectTo)
    #expect(plan.usesTLS == row.usesTLS)
    #expect(plan.resolvesName == row.resolvesName)
    #expect(plan.caFile == (row.route?.security == .tls(caFile: "ca.pem") ? "ca.pem" : nil))
  }

  @Test(
    arguments: [
      (nil, nil), (Duration.milliseconds(1500), 1500), (.microseconds(1), 1), (.microseconds(1001), 2), (.zero, 1),
      (.seconds(-3), 1), (.seconds(1 << 60), 2_147_483_647), (.milliseconds(2_147_483_646), 2_147_483_646),
    ] as [(Duration?, Int?)]) func `a time-out is rounded up and never becomes no limit`(
      timeout: Duration?, milliseconds: Int?
    ) throws
  {
    let plan = try TransferPlan(request("/", timeout: timeout), routes: RouteTable(otherwise: .direct))
    #expect(plan.timeoutMilliseconds == milliseconds)
  }

  @Test(arguments: ["", "a b", "a/b", "a@b", "a#", "a?b", "[::1", "::1", "a:1", "a\0b"])
  func `a host that would change the URL is refused`(name: String) {
    let location = Location(scheme: "https", host: name)
    let error = #expect(throws: TransportError.self) {
      _ = try TransferPlan(Request(method: "GET", location: location), routes: RouteTable(otherwise: .direct))
    }
    #expect(error?.reason == .protocol)
  }

  @Test func `only http and https are spoken`() {
    let location = Location(scheme: "file", host: host)
    #expect(throws: TransportError(.protocol, during: .request, "the scheme “file” is not http or https")) {
      _ = try TransferPlan(Request(method: "GET", location: location), routes: RouteTable(otherwise: .direct))
    }
  }
}
