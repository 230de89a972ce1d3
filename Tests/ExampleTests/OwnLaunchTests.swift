import Foundation
import LaunchCurl
import LaunchDeck
import LaunchHTTP
import LaunchServer
import LaunchTrace
import XCTest

/// The README's own launch: recorded over libcurl, here from a server of the test, and replayed in virtual time.
final class OwnLaunchTests: XCTestCase {
  func testOwnLaunch() async throws {
    let server = try LaunchServer { _ in
      Answer(head: ResponseHead(status: 200), body: Array("{}".utf8), after: .milliseconds(30))
    }
    defer { server.stop() }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).cassette").path
    defer { try? FileManager.default.removeItem(atPath: path) }

    let live = CurlTransport(
      routes: try RouteTable(parsing: ["api.example.com=\(server.address)"], otherwise: .refuse))
    let recorder = Recorder(path: path, by: "my app")
    try await recorder.record(over: live) { tap in try await Self.launch(tap) }

    let trace = try Deck(cassette: path).simulate(isStrict: true) { launch in try await Self.launch(launch.transport) }
    XCTAssertEqual(
      trace.events.compactMap { if case .mark(let mark) = $0.kind { mark.name } else { nil } },
      ["splash", "configured 200"])
  }

  private static func launch(_ tap: Tap) async throws {
    tap.mark("splash")
    let location = try Location(parsing: "https://api.example.com/config")
    let config = try await tap.response(to: Request(method: "GET", location: location))
    tap.mark("configured \(config.status)")
  }
}
