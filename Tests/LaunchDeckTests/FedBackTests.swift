import LaunchCassette
import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// What an app finds of its own identifiers in the answers of a redacted recording.
@Suite struct FedBackTests {
  private static let pseudonym = "ba2b49a6-3cb4-4eb0-9318-1e690c0c9518"
  private static let live = "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6"

  private func transport(recorded id: String, answering body: String, headers: Fields = [:]) -> ReplayTransport {
    let head = ResponseHead(status: 200, fields: headers)
    let steps: [Event.Step] = [
      .request(post("/profiles", #"{"id":"\#(id)"}"#)), .sent, .response(head), .chunk(bytes: body.utf8.count),
      .end(Content(Array(body.utf8))),
    ]
    let trace = Trace(name: "profiles", events: steps.map { Event(at: .zero, .call(1, $0)) })
    return ReplayTransport(closed(trace, redacted: ["id": [.string(id)]]))
  }

  @Test func `an answer gives the app its own value, in every letter case`() async throws {
    let p = Self.pseudonym
    let transport = transport(
      recorded: p, answering: #"{"id":"\#(p)","upper":"\#(p.uppercased())","other":"\#(p.dropLast())"}"#,
      headers: ["Location": "https://example.com/profiles/\(p)"])
    let response = try await transport.response(to: post("/profiles", #"{"id":"\#(Self.live)"}"#))
    let expected = #"{"id":"\#(Self.live)","upper":"\#(Self.live.uppercased())","other":"\#(p.dropLast())"}"#
    #expect(String(decoding: response.body, as: UTF8.self) == expected)
    #expect(response.fields["Location"] == "https://example.com/profiles/\(Self.live)")
  }

  @Test func `an answer stays as it was recorded for an app that sends the pseudonym`() async throws {
    let body = #"{"id":"\#(Self.pseudonym)"}"#
    let transport = transport(recorded: Self.pseudonym, answering: body)
    let response = try await transport.response(to: post("/profiles", body))
    #expect(String(decoding: response.body, as: UTF8.self) == body)
  }

  @Test func `a value of another length corrects the length, and is escaped in JSON`() async throws {
    let transport = transport(
      recorded: "user-name", answering: #"{"name":"user-name"}"#, headers: ["Content-Length": "20"])
    let response = try await transport.response(to: post("/profiles", #"{"id":"a \"longer\" name"}"#))
    #expect(try JSON(parsing: response.body)["name"] == #"a "longer" name"#)
    #expect(response.fields["Content-Length"] == "\(response.body.count)")
  }

  /// A first answer of 100 ms names an identifier that only the second request tells, 50 ms later, and in a header.
  @Test func `an answer names what a later request has told by the time it begins`() throws {
    let p = Self.pseudonym
    var second = get("/second")
    second.fields["X-Device"] = p
    let steps: [(Int64, Int, Event.Step)] = [
      (0, 1, .request(get("/first"))), (0, 1, .sent), (50_000, 2, .request(second)), (50_000, 2, .sent),
      (60_000, 2, .response(ResponseHead(status: 204))), (60_000, 2, .end(Content([]))),
      (100_000, 1, .response(ResponseHead(status: 200))), (100_000, 1, .chunk(bytes: p.utf8.count)),
      (100_000, 1, .end(Content(Array(p.utf8)))),
    ]
    let trace = Trace(name: "late", events: steps.map { call($0, $1, $2) })
    let deck = Deck(
      Cassette(
        header: CassetteHeader(name: "late", by: "test"), events: closed(trace, redacted: ["id": [.string(p)]]).events))
    _ = try deck.simulate { launch in
      async let first = launch.transport.response(to: get("/first"))
      try await Task.sleep(for: .milliseconds(50))
      var second = get("/second")
      second.fields["X-Device"] = Self.live
      _ = try await launch.transport.response(to: second)
      #expect(String(decoding: try await first.body, as: UTF8.self) == Self.live)
    }
  }
}
