import LaunchHTTP
import LaunchServer
import LaunchTrace
import Testing

@testable import LaunchProxy

struct PlainAnswerTests {
  @Test(
    arguments: [
      ([:], [5], Content(Array("hello".utf8))), (["Content-Length": "5"], [5], Content(Array("hello".utf8))),
      ([:], [2, 1], Content(Array("hello".utf8))), ([:], [2, 0, 9, 4], Content(Array("hello".utf8))),
      ([:], [], Content(Array("hello".utf8))), (["Content-Length": "0"], [], Content()),
      (["Content-Encoding": "x"], [5], Content(Array("hello".utf8), encoding: "x", isRaw: true)),
    ] as [(Fields, [Int], Content)])
  func `a plain answer is the one made of all its parts`(fields: Fields, chunks: [Int], content: Content) throws {
    let exchanges = try recorded("GET", ResponseHead(status: 200, fields: fields), chunks, .end(content))
    let plain = try #require(PlainAnswer(0, of: exchanges))
    let request = exchanges.request(of: 0)
    let answer = exchanges[0].answer(to: request) { _, _ in nil }
    var scheduled = ScheduledAnswer(answer, content: content.body, of: 1, to: request.location, from: .never)
    var steps: [Event.Step] = []
    while !scheduled.isOver { steps.append(scheduled.next()) }
    #expect(plain.steps == steps)
    #expect(plain.eventCount == steps.count)
    #expect(answer.head == plain.head)
    #expect(Array(answer.wire.utf8) == plain.content.body.bytes)
  }

  @Test func `what depends on the client, or has more to it, is no plain answer`() throws {
    let content = Content(Array("hello".utf8))
    func isPlain(
      method: String = "GET", status: Int = 200, _ fields: Fields = [:], _ end: Event.Step? = nil
    ) throws -> Bool {
      let head = ResponseHead(status: status, fields: fields)
      return PlainAnswer(0, of: try recorded(method, head, [5], end ?? .end(content))) != nil
    }
    #expect(try isPlain())
    #expect(try !isPlain(method: "HEAD"))
    for status in [101, 204, 302, 304] { #expect(try !isPlain(status: status)) }
    #expect(try !isPlain(["Content-Length": "6"]))
    #expect(try !isPlain(["Content-Length": "5", "content-length": "5"]))
    #expect(try !isPlain(["Transfer-Encoding": "chunked"]))
    #expect(try !isPlain([:], .end(Content(content.body, trailers: ["A": "b"]))))
    #expect(try !isPlain([:], .end(Content(content.body, encoding: "gzip"))))
    #expect(try !isPlain([:], .end(Content(isMissing: true))))
    #expect(try !isPlain([:], .error(TransportError(.reset, during: .body, "gone"), content)))
    #expect(try !isPlain([:], .chunk(bytes: 1)))
    #expect(try !isPlain([:], .informational(ResponseHead(status: 103))))
  }

  private func recorded(
    _ method: String, _ head: ResponseHead, _ chunks: [Int], _ end: Event.Step
  ) throws -> ExchangeList {
    var recording = Recording()
    let steps = [.response(head)] + chunks.map { Event.Step.chunk(bytes: $0) } + [end]
    try recording.call(method, "https://a.test/one", steps.map { (0, $0) })
    return ExchangeList(recording.trace.events)
  }
}
