import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// A recording with pseudonyms, asked by clients that have values of their own.
struct BindingTests {
  static let idfa = "11111111-2222-4333-8444-555555555555"
  static let otherIDFA = "11111111-2222-4333-8444-666666666666"
  static let email = "user1@example.com"
  static let live = "99999999-0000-4000-8000-000000000000"
  static let otherLive = "99999999-0000-4000-8000-111111111111"
  static let redacted: JSONObject = [
    "idfa": [.string(idfa), .string(otherIDFA)], "email": [.string(email)], "pin": ["1234"],
  ]
  static let form = "application/x-www-form-urlencoded"

  static func requests(_ value: String) -> [(place: String, request: Request)] {
    [
      ("a segment of the path", get("/users/\(value)/tags")),
      ("a part of a segment", get("/users/id-\(value).json")),
      ("the query", get("/a", query: "x=1&idfa=\(value)")),
      ("a form", post("/a", "idfa=\(value)&x=1", type: form)),
      ("JSON", post("/a", #"{"x":[{"deep":["\#(value)"]}]}"#)),
      ("JSON with another order of members", post("/a", #"{"x":1,"id":"\#(value)","y":"\#(value)"}"#)),
      ("JSON text in a form", post("/a", #"p={"id":"\#(value)"}"#, type: form)),
      ("a sentence", post("/a", "the id is \(value), is it not", type: "text/plain")),
      ("a host", Request(method: "GET", location: Location(scheme: "https", host: "\(value).example.com", path: "/"))),
      (
        "a multipart form",
        MatchingTests.multipart("x", ["Content-Disposition: form-data; name=id\r\n\r\n\(value)\r\n"])
      ),
    ]
  }

  private func player(_ requests: [Request]) -> Player {
    Player(
      closed(
        recording(requests.enumerated().flatMap { exchange($0 + 1, $1, answering: "") }), redacted: Self.redacted))
  }

  @Test func `any value fits a pseudonym, and is then the only one`() throws {
    for (index, (place, recorded)) in Self.requests(Self.idfa).enumerated() {
      var player = player([recorded, recorded, recorded])
      let (first, second) = (Self.requests(Self.live)[index].request, Self.requests(Self.otherLive)[index].request)
      #expect(try player.answer(first).call == 1, "\(place)")
      let miss = #expect(throws: Miss.self) { try player.answer(second) }
      #expect(
        miss?.reason
          == .different(
            call: 2,
            differences: Array(
              repeating: #"idfa is "\#(Self.otherLive)", but the replay bound it to "\#(Self.live)" at call 1"#,
              count: place.hasPrefix("JSON with") ? 2 : 1)), "\(place)")
      #expect(try player.answer(first).call == 2, "\(place)")
      #expect(
        try player.answer(recorded).call == 3, "the pseudonym itself, which came from a replayed answer: \(place)")
    }
  }

  @Test func `a value is the same in every place`() throws {
    let recorded = Self.requests(Self.idfa).map(\.request)
    for index in recorded.indices.dropFirst() {
      var player = player([recorded[0], recorded[index]])
      #expect(try player.answer(Self.requests(Self.live)[0].request).call == 1)
      #expect(throws: Miss.self) { try player.answer(Self.requests(Self.otherLive)[index].request) }
      #expect(try player.answer(Self.requests(Self.live)[index].request).call == 2)
    }
  }

  @Test func `values are told apart however they are asked for`() throws {
    let users = (0..<2).map { $0 == 0 ? Self.idfa : Self.otherIDFA }
    let recorded = users.flatMap { [get("/users/\($0)"), post("/tags", #"{"user":"\#($0)","n":1}"#)] }
    var player = player(recorded)
    #expect(try player.answer(get("/users/\(Self.live)")).call == 1)
    #expect(try player.answer(post("/tags", #"{"n":1,"user":"\#(Self.otherLive)"}"#)).call == 4)
    #expect(try player.answer(get("/users/\(Self.otherLive)")).call == 3)
    #expect(try player.answer(post("/tags", #"{"n":1,"user":"\#(Self.live)"}"#)).call == 2)
    let miss = #expect(throws: Miss.self) { try player.answer(get("/users/somebody")) }
    #expect(
      miss?.reason
        == .different(
          call: 1, differences: [#"idfa is "somebody", but the replay bound it to "\#(Self.live)" at call 1"#]))
  }

  @Test func `one value does not stand for two pseudonyms of one kind`() throws {
    var player = player([get("/a", query: "x=\(Self.idfa)"), get("/b", query: "x=\(Self.otherIDFA)")])
    #expect(try player.answer(get("/a", query: "x=\(Self.live)")).call == 1)
    let miss = #expect(throws: Miss.self) { try player.answer(get("/b", query: "x=\(Self.live)")) }
    #expect(
      miss?.reason
        == .different(
          call: 2, differences: [#"idfa is "\#(Self.live)", but the replay bound that to another idfa at call 1"#]))
    let foreign = #expect(throws: Miss.self) { try player.answer(get("/b", query: "x=\(Self.idfa)")) }
    #expect(
      foreign?.reason
        == .different(
          call: 2, differences: [#"idfa is "\#(Self.idfa)", but the replay bound that to another idfa at call 1"#]))
    #expect(try player.answer(get("/b", query: "x=\(Self.otherLive)")).call == 2)
  }

  @Test func `one request does not use one value for two pseudonyms, nor two for one`() throws {
    let both = get("/a", query: "x=\(Self.idfa)&y=\(Self.otherIDFA)")
    var player = player([both, get("/b", query: "x=\(Self.idfa)&y=\(Self.idfa)")])
    #expect(throws: Miss.self) { try player.answer(get("/a", query: "x=1&y=1")) }
    #expect(throws: Miss.self) { try player.answer(get("/b", query: "x=1&y=2")) }
    #expect(try player.answer(get("/a", query: "x=1&y=2")).call == 1)
    #expect(try player.answer(get("/b", query: "x=1&y=1")).call == 2)
  }

  @Test func `an encoded value is the value`() throws {
    // MotiSig encodes segments twice.
    var player = player([
      post("/users", #"{"id":"\#(Self.email)"}"#), get("/users/user1%2540example.com/tags"),
      get("/users/user1%40example.com"),
    ])
    #expect(try player.answer(post("/users", #"{"id":"a+b@c.d"}"#)).call == 1)
    #expect(try player.answer(get("/users/a%252Bb%2540c.d/tags")).call == 2)
    #expect(try player.answer(get("/users/a%2Bb%40c.d")).call == 3)
  }

  @Test func `what is around a pseudonym has to be the same`() throws {
    var player = player([get("/a", query: "x=id-\(Self.idfa)")])
    let miss = #expect(throws: Miss.self) { try player.answer(get("/a", query: "x=no-\(Self.live)")) }
    #expect(
      miss?.reason
        == .different(
          call: 1, differences: [#"query.x is "no-\#(Self.live)", recorded was "id-\#(Self.idfa)""#]))
  }

  @Test func `a short pseudonym counts only as a whole value`() throws {
    var player = player([get("/a", query: "pin=1234"), get("/a", query: "n=12345")])
    #expect(throws: Miss.self) { try player.answer(get("/a", query: "n=99995")) }
    #expect(try player.answer(get("/a", query: "pin=77")).call == 1)
  }

  @Test func `a recorded value goes before a pseudonym`() throws {
    let zeros = "00000000-0000-0000-0000-000000000000"
    var player = player([get("/a", query: "x=\(Self.idfa)"), get("/a", query: "x=\(zeros)")])
    #expect(try player.answer(get("/a", query: "x=\(zeros)")).call == 2)
    #expect(try player.answer(get("/a", query: "x=\(Self.live)")).call == 1)
  }

  @Test func `a thousand users are told apart in any order`() throws {
    let names = (0..<1000).map { "pseudonym-\($0)-" }
    let trace = closed(
      recording(
        names.enumerated().flatMap { exchange($0 + 1, get("/users/\($1)"), answering: "") }
          + names.enumerated().flatMap { exchange($0 + 1001, get("/users/\($1)/tags"), answering: "") }),
      redacted: ["user": .array(names.map(JSON.string))])
    var player = Player(trace)
    for index in names.indices { #expect(try player.answer(get("/users/live-\(index)")).call == index + 1) }
    for index in names.indices.reversed() {
      #expect(try player.answer(get("/users/live-\(index)/tags")).call == index + 1001)
    }
    #expect(player.unused == [])
  }
}
