import Foundation
import LaunchCassette
import LaunchCurl
import LaunchDeck
import LaunchHTTP
import LaunchServer
import LaunchTrace
import Testing

/// Real exchanges over libcurl, recorded to a file and replayed from it.
@Suite(.timeLimit(.minutes(2))) final class RecordedTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("launchtape-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static let requests = [
    request("/plain.txt"), request("/gzip.txt"), request("/chunked.txt"), request("/redirect"), request("/missing"),
    request("/cookies"), request("HEAD", "/plain.txt"), request("/none"),
    request("GET", "/gzip.txt", ["Accept-Encoding": "gzip"]),
  ]

  @Test func `what nginx answered is replayed with the same bodies and header lists`() async throws {
    let path = folder.appendingPathComponent("nginx.cassette").path

    let live = try makeTransport(to: "plain", of: Fixture.nginx)
    let recorded = try await LaunchDeck.Recorder(path: path, by: "test").record(over: live) { tap in
      try await Self.responses(over: tap)
    }
    live.close()
    let replay = ReplayTransport(try Cassette(path: path).trace)
    let replayed = try await Self.responses(over: replay)

    #expect(replayed == recorded)
    #expect(replay.unused.isEmpty)
    #expect(recorded.map(\.status) == [200, 200, 200, 302, 404, 200, 200, 204, 200])
    #expect(recorded[2].fields["Transfer-Encoding"] == "chunked")
    #expect(recorded[5].fields.values("Set-Cookie") == ["a=1; Path=/", "b=2"])
    #expect(recorded[6].body.isEmpty && recorded[6].fields["Content-Length"] != nil)
    #expect(recorded[8].fields["Content-Encoding"] == "gzip" && recorded[8].body == recorded[0].body)
  }

  @Test func `sixty-four exchanges at once are recorded without a loss or a crossed body`() async throws {
    let server = try LaunchServer { request in
      // Everyone's answer comes in two pieces with time between them, so that exchanges overlap.
      let half = Array(repeating: UInt8(ascii: "a"), count: request.body.count * 100)
      return Answer(parts: [
        .init(at: .milliseconds(2), .head(ResponseHead(status: 200))),
        .init(at: .milliseconds(4), .chunk(Chunk(request.body.bytes))),
        .init(at: .milliseconds(30), .chunk(Chunk(half))),
        .init(at: .milliseconds(30), .chunk(Chunk(request.body.bytes))), .init(at: .milliseconds(30), .end(Ending())),
      ])
    }
    let routes = try RouteTable(parsing: ["vendor.test=\(server.address)"], otherwise: .refuse)
    let live = CurlTransport(routes: routes)
    let path = folder.appendingPathComponent("64.cassette").path
    let recorded = try await LaunchDeck.Recorder(path: path, by: "test").record(over: live) { tap in
      try await Self.answers(over: tap)
    }
    live.close()
    server.stop()

    let cassette = try Cassette(path: path)
    #expect(cassette.warnings.isEmpty)
    #expect(cassette.trace.exchanges.count == 64)
    for exchange in cassette.trace.exchanges {
      guard case .end(let content) = exchange.steps.last?.step else {
        Issue.record("call \(exchange.call) has no end")
        continue
      }
      #expect(content.body.bytes == recorded[exchange.request.location.path])
      let body = exchange.request.body.bytes
      #expect(content.body.bytes == body + Array(repeating: UInt8(ascii: "a"), count: body.count * 100) + body)
      let arrived = exchange.steps.reduce(0) { if case .chunk(let bytes) = $1.step { $0 + bytes } else { $0 } }
      #expect(arrived == content.body.bytes.count)
    }
    let replay = ReplayTransport(cassette.trace)
    #expect(try await Self.answers(over: replay) == recorded)
    #expect(replay.unused.isEmpty)
  }

  /// Sends sixty-four requests at once, each with a body of its own, and returns the answers by path.
  private static func answers(over transport: any Transport) async throws -> [String: [UInt8]] {
    try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
      for number in 0..<64 {
        group.addTask {
          ("/\(number)", try await transport.response(to: request("POST", "/\(number)", body: "<\(number)>")).body)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private static func responses(over transport: any Transport) async throws -> [Response] {
    var responses: [Response] = []
    for request in requests { responses.append(try await transport.response(to: request)) }
    return responses
  }
}
