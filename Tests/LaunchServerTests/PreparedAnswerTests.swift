import LaunchHTTP
import Testing

@testable import LaunchServer

struct PreparedAnswerTests {
  private let requests = [
    RequestHead(method: "GET", target: "/"), RequestHead(method: "HEAD", target: "/"),
    RequestHead(method: "GET", target: "/", version: .http10),
    RequestHead(method: "GET", target: "/", fields: ["Connection": "close"]),
  ]

  @Test(arguments: [[:], ["Content-Length": "5"], ["A": "b", "content-length": "5", "C": ""]] as [Fields])
  func `a prepared answer is written as the answer is, to every client`(fields: Fields) throws {
    let answer = Answer(head: ResponseHead(status: 200, fields: fields), body: Array("hello".utf8))
    let prepared = try #require(PreparedAnswer(answer))
    #expect(prepared.answer == answer)
    for request in requests {
      #expect(try prepared.wire(to: request) == WireAnswer(answer, to: request))
    }
  }

  @Test func `several chunks are prepared as one`() throws {
    let chunks = ["he", "", "llo"].map { Answer.TimedPart(at: .zero, .chunk(Chunk(Array($0.utf8)[...]))) }
    let head = Answer.TimedPart(at: .zero, .head(ResponseHead(status: 404)))
    let answer = Answer(parts: [head] + chunks + [Answer.TimedPart(at: .zero, .end(Ending()))])
    let prepared = try #require(PreparedAnswer(answer))
    #expect(try prepared.wire(to: requests[0]) == WireAnswer(answer, to: requests[0]))
  }

  @Test func `an answer with timing, faults or framing of its own is not prepared`() {
    func prepared(_ parts: Answer.Part..., at offset: Duration = .zero) -> PreparedAnswer? {
      PreparedAnswer(Answer(parts: parts.map { Answer.TimedPart(at: offset, $0) }))
    }
    func head(_ status: Int = 200, _ fields: Fields = [:]) -> Answer.Part {
      .head(ResponseHead(status: status, fields: fields))
    }
    let end = Answer.Part.end(Ending())
    #expect(prepared(head(), end) != nil)
    #expect(prepared(head(), end, at: .milliseconds(1)) == nil)
    #expect(prepared(head(), .fault(.reset)) == nil)
    #expect(prepared(head()) == nil)
    #expect(prepared(end) == nil)
    #expect(prepared(.informational(ResponseHead(status: 103)), head(), end) == nil)
    #expect(prepared(head(), .end(Ending(trailers: ["A": "b"]))) == nil)
    #expect(prepared(head(204), end) == nil)
    for fields in [
      ["Content-Length": "1"], ["Transfer-Encoding": "chunked"], ["Connection": "close"], ["Keep-Alive": "timeout=5"],
      ["A": "b\nc"],
    ] as [Fields] { #expect(prepared(head(200, fields), end) == nil) }
  }
}
