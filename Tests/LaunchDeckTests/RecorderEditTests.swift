import LaunchCassette
import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Testing

/// What the format page says of editing failures, done to the text.
struct RecorderEditTests {
  @Test func `a failed exchange becomes a good one`() throws {
    let recorded = try text(
      AnswerTransport { _ in
        Answer(parts: [.init(at: .milliseconds(1), .fault(.error(TransportError(.timeout, during: .response))))])
      })
    let error = #"{"at":1000,"call":1,"error":{"reason":"timeout","phase":"response"}}"#
    #expect(recorded.contains(error))
    let edited = recorded.replacing(
      error,
      with: #"""
        {"at":1000,"call":1,"response":{"status":200,"headers":[["Content-Type","application/json"]]}}
        {"at":1000,"call":1,"end":{"body":{"json":{"ok":true}}}}
        """#)
    let (outcome, took) = try replay(edited)
    #expect(try outcome.get() == #"200 {"ok":true}"#)
    #expect(took == .milliseconds(1))
  }

  @Test func `a good exchange fails, after as much of its body as the edit leaves`() throws {
    let recorded = try text(
      AnswerTransport { _ in
        Answer(parts: [
          .init(at: .milliseconds(1), .head(ResponseHead(status: 200))),
          .init(at: .milliseconds(2), .chunk(Chunk(Array("first half, ".utf8)))),
          .init(at: .milliseconds(9), .chunk(Chunk(Array("second half".utf8)))),
          .init(at: .milliseconds(9), .end(Ending())),
        ])
      })
    let rest = #"""
      {"at":9000,"call":1,"chunk":{"bytes":11}}
      {"at":9000,"call":1,"end":{"body":{"text":"first half, second half"}}}
      """#
    #expect(recorded.contains(rest))
    let edited = recorded.replacing(
      rest,
      with: #"{"at":4000,"call":1,"error":{"reason":"reset","phase":"body","body":{"text":"first half, "}}}"#)
    let (outcome, took) = try replay(edited)
    #expect(throws: TransportError(.reset, during: .body)) { try outcome.get() }
    #expect(took == .milliseconds(4))
  }

  @Test func `a good exchange never reaches its server`() throws {
    let recorded = try text(AnswerTransport { _ in Answer(head: ResponseHead(status: 204), after: .milliseconds(5)) })
    var lines = recorded.split(separator: "\n").map(String.init)
    lines.removeAll { $0.contains(#""call":1"#) && !$0.contains(#""request""#) }
    lines.insert(#"{"at":3000,"call":1,"error":{"reason":"dns","phase":"dns"}}"#, at: lines.count - 1)
    let (outcome, took) = try replay(lines.joined(separator: "\n"))
    #expect(throws: TransportError(.dns, during: .dns)) { try outcome.get() }
    #expect(took == .milliseconds(3))
  }

  /// The cassette of one request.
  private func text(_ transport: AnswerTransport) throws -> String {
    let trace = try traced(transport) { tap in _ = try? await tap.response(to: get("/a")) }
    return String(
      decoding: Cassette(header: CassetteHeader(name: "test"), events: trace.events).serialized, as: UTF8.self)
  }

  /// How the request goes with the cassette `text`, and how long that takes.
  private func replay(_ text: String) throws -> (outcome: Result<String, any Error>, took: Duration) {
    let cassette = try Cassette(parsing: Array(text.utf8), path: "test.cassette")
    let transport = ReplayTransport(cassette.trace)
    return try Simulation.run {
      let start = ContinuousClock.now
      let outcome: Result<String, any Error>
      do {
        let response = try await transport.response(to: get("/a"))
        outcome = .success("\(response.status) \(String(decoding: response.body, as: UTF8.self))")
      } catch { outcome = .failure(error) }
      return (outcome, ContinuousClock.now - start)
    }
  }
}
