import Foundation
import LaunchCurl
import LaunchHTTP

/// A server from `Tests/Fixtures/curl`, which runs until this process ends.
final class Fixture: Sendable {
  struct Failure: Error { var script: String }

  /// What the server said about itself when it was ready: ports and files by name.
  let values: [String: String]
  /// The server ends when its standard input does.
  private let input: Pipe

  static let server = Result { try Fixture("server.py") }
  static let nginx = Result { try Fixture("nginx.py") }

  private init(_ script: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let output = Pipe()
    input = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", folder.appendingPathComponent("Fixtures/curl/\(script)").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.availableData
    guard let values = try JSONSerialization.jsonObject(with: line) as? [String: String] else {
      throw Failure(script: script)
    }
    self.values = values
  }

  func port(_ name: String) throws -> Int {
    guard let port = values[name].flatMap({ Int($0) }) else { throw Failure(script: name) }
    return port
  }
}

/// The host every test's requests name; nothing of the kind exists.
let host = "vendor.test"

/// A transport that sends requests for `host` to a port of the fixture.
func makeTransport(
  to port: String = "server", of fixture: Result<Fixture, any Error> = Fixture.server,
  security: Route.Security = .plain
) throws -> CurlTransport {
  let route = Route(host: "127.0.0.1", port: try fixture.get().port(port), security: security)
  return CurlTransport(routes: RouteTable([host: route], otherwise: .refuse))
}

/// A request for `https://vendor.test`, as a client would make it that knows nothing of routes.
func request(
  _ method: String, _ target: String, _ fields: Fields = [:], body: String = "", timeout: Duration? = nil
) -> Request {
  let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
  let location = Location(
    scheme: "https", host: host, path: parts[0], query: parts.count > 1 ? parts[1] : nil)
  return Request(method: method, location: location, fields: fields, body: Array(body.utf8), timeout: timeout)
}

func request(_ target: String, timeout: Duration? = nil) -> Request { request("GET", target, timeout: timeout) }

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }
}
