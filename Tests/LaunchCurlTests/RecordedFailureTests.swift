import Foundation
import LaunchCassette
import LaunchCurl
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

/// Exchanges that fail over libcurl, recorded to a file and replayed from it in virtual time.
@Suite(.timeLimit(.minutes(2))) final class RecordedFailureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// A port of the test's server, or the address of a route.
    var to = "server"
    var security = Route.Security.plain
    var path = "/"
    var timeout: Duration?
    /// What happens once the client has seen so many bytes of content: the server goes on, or the task is cancelled.
    var then: Then?
    var reason: TransportError.Reason
    var phase: TransportError.Phase
    /// What is recorded of the exchange before the error.
    var steps: [String] = []
    var content = ""
    var testDescription: String { name }
  }

  enum Then: Sendable { case open(String), cancel }

  static let rows = [
    Row(name: "a name that does not exist", to: "nowhere.invalid:80", reason: .dns, phase: .dns),
    Row(name: "a port nobody listens on", to: "deaf", reason: .refused, phase: .connect),
    // A connection to everybody is one the system does not even try.
    Row(name: "an address that cannot be reached", to: "255.255.255.255:80", reason: .connect, phase: .connect),
    Row(name: "a certificate nobody trusts", to: "http1", security: .tls(caFile: nil), reason: .tls, phase: .tls),
    Row(
      name: "a reset before the head", path: "/reset", reason: .reset, phase: .response, steps: ["connection", "sent"]),
    Row(
      name: "a reset in the body", path: "/reset-body?gate=recorded-reset", then: .open("recorded-reset"),
      reason: .reset, phase: .body, steps: ["connection", "sent", "response", "chunk"], content: "half"),
    Row(
      name: "a close before the head", path: "/close", reason: .truncated, phase: .response,
      steps: ["connection", "sent"]),
    Row(
      name: "a body that ends too early", path: "/cut", reason: .truncated, phase: .body,
      steps: ["connection", "sent", "response", "chunk"], content: "half"),
    Row(
      name: "what is no HTTP", path: "/garbage", reason: .protocol, phase: .response, steps: ["connection", "sent"]),
    Row(
      name: "a client that gives up before the head", path: "/hang?gate=recorded-timeout", timeout: .seconds(1),
      reason: .timeout, phase: .response, steps: ["connection", "sent"]),
    Row(
      name: "a client that gives up in the body", path: "/steps?gate=recorded-never-", timeout: .seconds(1),
      reason: .timeout, phase: .body, steps: ["connection", "sent", "response", "chunk"], content: "one"),
    Row(
      name: "a client that is cancelled", path: "/steps?gate=recorded-cancel-", then: .cancel, reason: .cancelled,
      phase: .body, steps: ["connection", "sent", "response", "chunk"], content: "one"),
  ]

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("launchtape-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test(arguments: rows) func `a failure is recorded as it was, and comes again as it was recorded`(
    row: Row
  ) async throws {
    let path = folder.appendingPathComponent("failure.cassette").path
    let live = CurlTransport(routes: RouteTable([host: try Self.route(of: row)], otherwise: .refuse))
    defer { live.close() }
    let sample = request(row.path, timeout: row.timeout)
    try await LaunchDeck.Recorder(path: path, by: "test").record(over: live) { tap in
      await Self.send(sample, of: row, over: tap)
    }

    let cassette = try Cassette(path: path)
    #expect(cassette.warnings == [])
    let recorded = try #require(cassette.trace.exchanges.first)
    #expect(recorded.steps.dropLast().map(\.step.name) == row.steps)
    let error = try #require(recorded.error)
    #expect(error.reason == row.reason && error.phase == row.phase, "\(error)")
    #expect(!error.message.isEmpty)
    guard case .error(_, let content)? = recorded.steps.last?.step else { return }
    #expect(String(decoding: content.body.bytes, as: UTF8.self) == row.content)

    // Nobody waits for anything here: it is the recording that fails, at its own time.
    let collector = Recorder()
    let replay = Deck(cassette).replay { launch in
      await #expect(throws: error) { try await launch.transport.send(request(row.path), into: collector) }
    }
    #expect(replay.failure == nil && replay.misses.isEmpty && replay.unused.isEmpty)
    #expect(String(decoding: collector.content, as: UTF8.self) == row.content)
    let replayed = try #require(replay.trace.exchanges.first)
    #expect(replayed.steps.map(\.step) == recorded.steps.map(\.step))
    #expect(replayed.steps.map { $0.at - replayed.requested } == recorded.steps.map { $0.at - recorded.requested })

    guard let timeout = row.timeout else { return }
    // A client with the time-out it had gives up as it did, be it a moment before the recorded error.
    let impatient = Deck(cassette).replay { launch in
      let error = await #expect(throws: TransportError.self) { try await launch.transport.response(to: sample) }
      #expect(error?.reason == .timeout && error?.phase == row.phase)
    }
    let gaveUp = try #require(impatient.trace.exchanges.first)
    #expect(gaveUp.end.map { $0 - gaveUp.requested } == timeout)
  }

  private static func send(_ request: Request, of row: Row, over tap: Tap) async {
    let recorder = Recorder()
    let sending = Task { try? await tap.send(request, into: recorder) }
    if let then = row.then {
      _ = await recorder.wait { if case .chunk = $0 { true } else { false } }
      switch then {
      case .cancel: sending.cancel()
      case .open(let gate):
        // Past the tap: the recording is about one exchange.
        _ = try? await makeTransport().response(to: LaunchCurlTests.request("/open?gate=\(gate)"))
      }
    }
    await sending.value
  }

  private static func route(of row: Row) throws -> Route {
    if row.to.contains(":") { return try Route(parsing: row.to) }
    let fixture = row.to == "http1" ? Fixture.nginx : Fixture.server
    return Route(host: "127.0.0.1", port: try fixture.get().port(row.to), security: row.security)
  }
}
