import LaunchHTTP
import Testing

@testable import LaunchServer

struct WireAnswerTests {
  private static let head = ResponseHead(status: 200)
  private static let ok = Answer(head: head, body: Array("ok".utf8), after: .milliseconds(3))
  private static let early = Answer.TimedPart(at: .zero, .informational(ResponseHead(status: 103, fields: ["L": "x"])))
  private static func part(_ milliseconds: Int, _ part: Answer.Part) -> Answer.TimedPart {
    Answer.TimedPart(at: .milliseconds(milliseconds), part)
  }
  private static func streaming(_ last: Answer.Part, fields: Fields = [:]) -> Answer {
    Answer(parts: [
      part(0, .head(ResponseHead(status: 200, fields: fields))), part(1, .chunk(Chunk([0x61]))),
      part(2, .chunk(Chunk([0x62]))),
      part(3, last),
    ])
  }

  struct Row: Sendable {
    var name: String
    var answer: Answer
    var method = "GET"
    var version = HTTPVersion.http11
    var fields: Fields = [:]
    /// Bytes by millisecond.
    var writes: [Int: String]
    var ending: WireAnswer.Ending
  }

  static let rows = [
    Row(
      name: "one piece has a length", answer: ok, writes: [3: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
      ending: .keepAlive),
    Row(
      name: "an early head does not make it a stream",
      answer: Answer(parts: [early, part(1, .head(head)), part(2, .chunk(Chunk([0x61]))), part(2, .end(Ending()))]),
      writes: [
        0: "HTTP/1.1 103 Early Hints\r\nL: x\r\n\r\n", 1: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", 2: "a",
      ], ending: .keepAlive),
    Row(
      name: "a stream is chunked, with trailers", answer: streaming(.end(Ending(trailers: ["T": "1"]))),
      writes: [
        0: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1: "1\r\na\r\n", 2: "1\r\nb\r\n",
        3: "0\r\nT: 1\r\n\r\n",
      ], ending: .keepAlive),
    Row(
      name: "a stream whose length is declared keeps it",
      answer: streaming(.end(Ending()), fields: ["content-length": "2"]),
      writes: [0: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", 1: "a", 2: "b"], ending: .keepAlive),
    Row(
      name: "a wrong length is replaced", answer: streaming(.end(Ending()), fields: ["Content-Length": "3"]),
      writes: [
        0: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 1: "1\r\na\r\n", 2: "1\r\nb\r\n", 3: "0\r\n\r\n",
      ], ending: .keepAlive),
    Row(
      name: "a recorded head loses the framing of its own connection",
      answer: Answer(
        head: ResponseHead(
          status: 200,
          fields: ["Transfer-Encoding": "chunked", "X": "y", "Keep-Alive": "timeout=5", "Connection": "keep-alive"],
          version: .http2), body: [0x61]),
      writes: [0: "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"],
      ending: .keepAlive),
    Row(
      name: "what was chunked stays chunked, one chunk for each part, also at one moment",
      answer: Answer(parts: [
        part(
          0, .head(ResponseHead(status: 200, fields: ["transfer-encoding": "gzip, Chunked", "Content-Length": "9"]))),
        part(0, .chunk(Chunk([0x61, 0x61]))), part(0, .chunk(Chunk([]))), part(0, .chunk(Chunk([0x62]))),
        part(0, .end(Ending())),
      ]),
      writes: [0: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\naa\r\n1\r\nb\r\n0\r\n\r\n"],
      ending: .keepAlive),
    Row(
      name: "what was chunked closes for HTTP/1.0",
      answer: Answer(head: ResponseHead(status: 200, fields: ["Transfer-Encoding": "chunked"]), body: [0x61]),
      version: .http10, fields: ["Connection": "keep-alive"],
      writes: [0: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na"], ending: .close),
    Row(
      name: "content goes out as it was encoded",
      answer: Answer(parts: [
        part(0, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"]))),
        part(0, .chunk(Chunk([0x61, 0x61], wire: [0x7A]))), part(0, .end(Ending(encoding: "gzip"))),
      ]),
      writes: [0: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nz"], ending: .keepAlive),
    Row(
      name: "HEAD gets no content",
      answer: Answer(head: ResponseHead(status: 200, fields: ["Content-Length": "7"]), body: [1]),
      method: "HEAD", writes: [0: "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"], ending: .keepAlive),
    Row(
      name: "204 has neither content nor length",
      answer: Answer(head: ResponseHead(status: 204, fields: ["Content-Length": "0"]), body: [1]),
      writes: [0: "HTTP/1.1 204 No Content\r\n\r\n"], ending: .keepAlive),
    Row(
      name: "304 has no content", answer: Answer(head: ResponseHead(status: 304), body: [1]),
      writes: [0: "HTTP/1.1 304 Not Modified\r\n\r\n"], ending: .keepAlive),
    Row(
      name: "no content has length 0", answer: Answer(head: head),
      writes: [0: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"], ending: .keepAlive),
    Row(
      name: "the client may want to close", answer: ok, fields: ["Connection": "close"],
      writes: [3: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"], ending: .close),
    Row(
      name: "the answer may want to close",
      answer: Answer(head: ResponseHead(status: 200, fields: ["connection": "Close"])),
      writes: [0: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"], ending: .close),
    Row(
      name: "HTTP/1.0 closes after a stream", answer: Answer(parts: [early] + streaming(.end(Ending())).parts),
      version: .http10,
      fields: ["Connection": "keep-alive"],
      writes: [0: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", 1: "a", 2: "b"], ending: .close),
    Row(
      name: "HTTP/1.0 can stay", answer: ok, version: .http10, fields: ["Connection": "keep-alive"],
      writes: [3: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok"], ending: .keepAlive),
    Row(name: "reset before the head", answer: Answer(parts: [part(5, .fault(.reset))]), writes: [:], ending: .reset),
    Row(
      name: "reset in the content", answer: streaming(.fault(.reset)),
      writes: [
        0: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n", 1: "1\r\na\r\n",
        2: "1\r\nb\r\n",
      ], ending: .reset),
    Row(
      name: "truncated below the declared length",
      answer: streaming(.fault(.truncate), fields: ["Content-Length": "9"]),
      writes: [0: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n", 1: "a", 2: "b"], ending: .close),
    Row(
      name: "truncated for HTTP/1.0", answer: streaming(.fault(.truncate)), version: .http10,
      writes: [0: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n", 1: "a", 2: "b"], ending: .close),
    Row(name: "an answer that just stops is truncated", answer: Answer(parts: []), writes: [:], ending: .close),
    Row(
      name: "hang", answer: Answer(parts: [part(0, .fault(.hang)), part(1, .head(head))]), writes: [:], ending: .hang),
    Row(
      name: "a time-out is the client's",
      answer: Answer(parts: [part(0, .fault(.error(TransportError(.timeout, during: .response))))]),
      writes: [:], ending: .hang),
    Row(
      name: "no connection at all is a reset",
      answer: Answer(parts: [part(0, .fault(.error(TransportError(.refused, during: .connect))))]),
      writes: [:], ending: .reset),
    Row(
      name: "a protocol error is garbage",
      answer: Answer(parts: [part(1, .fault(.error(TransportError(.protocol, during: .response))))]),
      writes: [1: "no status line\r\n\r\n"], ending: .close),
    Row(
      name: "a protocol error in the content is a bad chunk",
      answer: streaming(.fault(.error(TransportError(.protocol, during: .body)))),
      writes: [
        0: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n", 1: "1\r\na\r\n",
        2: "1\r\nb\r\n",
        3: "no chunk size\r\n",
      ], ending: .close),
    Row(
      name: "an unmatched request is told so",
      answer: Answer(parts: [part(1, .fault(.error(TransportError(.unmatched, during: .request, "never recorded"))))]),
      writes: [
        1:
          "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 41\r\n\r\nunmatched during request: never recorded\n"
      ], ending: .keepAlive),
  ]

  @Test(arguments: rows) func `an answer becomes bytes and moments`(row: Row) throws {
    let request = RequestHead(method: row.method, target: "/", fields: row.fields, version: row.version)
    let wire = try WireAnswer(row.answer, to: request)
    let writes = Dictionary(
      wire.writes.map { (Int($0.offset / .milliseconds(1)), String(decoding: $0.pieces.joined(), as: UTF8.self)) },
      uniquingKeysWith: +)
    #expect(writes == row.writes, "\(row.name)")
    #expect(wire.ending == row.ending, "\(row.name)")
    #expect(wire.endOffset >= wire.writes.last?.offset ?? .zero)
  }

  static let impossible: [(parts: [Answer.Part], error: AnswerError)] = [
    ([.chunk(Chunk([1]))], .disordered), ([.end(Ending())], .disordered), ([.head(head), .head(head)], .disordered),
    ([.head(ResponseHead(status: 103))], .disordered), ([.informational(head)], .disordered),
    ([.head(head), .informational(ResponseHead(status: 103))], .disordered),
    ([.head(ResponseHead(status: 1000)), .end(Ending())], .unwritable(.malformedStatus)),
    ([.head(ResponseHead(status: 200, fields: ["A": "b\r\nC: d"])), .end(Ending())], .unwritable(.forbiddenByte(13))),
    ([.head(head), .end(Ending(trailers: ["A b": "c"]))], .unwritable(.malformedField)),
  ]

  @Test(arguments: impossible) func `an answer that is no response is refused`(
    row: (parts: [Answer.Part], error: AnswerError)
  ) {
    let answer = Answer(parts: row.parts.map { Answer.TimedPart(at: .zero, $0) })
    #expect(throws: row.error) { try WireAnswer(answer, to: RequestHead(method: "GET", target: "/")) }
  }
}
