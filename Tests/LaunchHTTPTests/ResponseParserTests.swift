import LaunchHTTP
import Testing

struct ResponseParserTests {
  typealias Piece = ResponseParser.Piece

  static let messages: [(bytes: String, methods: [String], pieces: [Piece])] = [
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", [],
      [
        .head(ResponseHead(status: 200, fields: ["Content-Length": "2"])), .content(Array("ok".utf8)),
        .end(trailers: [:]),
      ]
    ),
    (
      "HTTP/1.1 200\r\n\r\nto the end\r\n", [],
      [.head(ResponseHead(status: 200)), .content(Array("to the end\r\n".utf8)), .end(trailers: [:])]
    ),
    ("HTTP/1.0 404 \r\n\r\n", [], [.head(ResponseHead(status: 404, version: .http10)), .end(trailers: [:])]),
    (
      "HTTP/1.1 999 Ünknown  phrase\r\nContent-Length: 0\r\n\r\n", [],
      [.head(ResponseHead(status: 999, fields: ["Content-Length": "0"])), .end(trailers: [:])]
    ),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\nHTTP/1.1 304 x\r\n\r\n",
      ["POST", "GET"],
      [
        .informational(ResponseHead(status: 100)),
        .informational(ResponseHead(status: 103, fields: ["Link": "</a>", "Content-Length": "9"])),
        .head(ResponseHead(status: 204, fields: ["Content-Length": "9"])), .end(trailers: [:]),
        .head(ResponseHead(status: 304)), .end(trailers: [:]),
      ]
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n 2\r\n\r\n",
      ["HEAD", "HEAD", "GET"],
      [
        .head(ResponseHead(status: 200, fields: ["Content-Length": "7"])), .end(trailers: [:]),
        .head(ResponseHead(status: 200, fields: ["Transfer-Encoding": "chunked"])), .end(trailers: [:]),
        .head(ResponseHead(status: 200, fields: ["transfer-encoding": "chunked"])), .content(Array("abc".utf8)),
        .end(trailers: ["T": "1 2"]),
      ]
    ),
    (
      "HTTP/1.1 200 OK\r\nX: a\r\n\t b \r\n  \r\nContent-Length: 0\r\n\r\n", [],
      [.head(ResponseHead(status: 200, fields: ["X": "a b", "Content-Length": "0"])), .end(trailers: [:])]
    ),
    ("HTTP/1.1 101 Switching\r\n\r\nanything", [], [.head(ResponseHead(status: 101))]),
    ("HTTP/1.1 200 OK\r\n\r\ntunnel", ["CONNECT"], [.head(ResponseHead(status: 200))]),
    (
      "HTTP/1.1 407 No\r\nContent-Length: 1\r\n\r\nx", ["CONNECT"],
      [.head(ResponseHead(status: 407, fields: ["Content-Length": "1"])), .content([0x78]), .end(trailers: [:])]
    ),
  ]

  @Test(arguments: messages) func `a message is read`(row: (bytes: String, methods: [String], pieces: [Piece])) {
    #expect(readResponses(Array(row.bytes.utf8), to: row.methods) == Outcome(pieces: row.pieces))
  }

  static let mistakes: [(bytes: String, reason: CodecError.Reason, offset: Int)] = [
    ("\r\nHTTP/1.1 200 OK\r\n", .malformedStartLine, 0),
    ("HTTP/1.1\r\n", .malformedStartLine, 0),
    ("ICY 200 OK\r\n", .malformedVersion, 0),
    ("HTTP/2 200\r\n", .malformedVersion, 0),
    ("HTTP/3.0 200 OK\r\n", .unsupportedVersion("HTTP/3.0"), 0),
    ("HTTP/1.1 20 OK\r\n", .malformedStatus, 9),
    ("HTTP/1.1 2000 OK\r\n", .malformedStatus, 9),
    ("HTTP/1.1 099 OK\r\n", .malformedStatus, 9),
    ("HTTP/1.1  200 OK\r\n", .malformedStatus, 9),
    ("HTTP/1.1 200 O\u{1}K\r\n", .forbiddenByte(1), 14),
    ("HTTP/1.1 200 OK\r\n folded: x\r\n", .malformedField, 17),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .truncated, 42),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP", .truncated, 29),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 3\r\n\r\n", .conflictingLengths, 0),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthWithCoding, 0),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", .unsupportedCoding("gzip"), 0),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello", .truncated, 55),
  ]

  @Test(arguments: mistakes) func `a mistake is named with its position`(
    row: (bytes: String, reason: CodecError.Reason, offset: Int)
  ) {
    #expect(readResponses(Array(row.bytes.utf8)).error == CodecError(row.reason, at: row.offset))
  }

  static let samples =
    messages.map { (Array($0.bytes.utf8), $0.methods) } + mistakes.map { (Array($0.bytes.utf8), []) }

  @Test(arguments: samples) func `how the bytes are split changes nothing`(bytes: [UInt8], methods: [String]) {
    let whole = readResponses(bytes, to: methods)
    #expect(readResponses(bytes, to: methods, cuts: Array(bytes.indices)) == whole)
    for cut in bytes.indices { #expect(readResponses(bytes, to: methods, cuts: [cut]) == whole) }
  }

  @Test func `a connection that closes before the final answer is truncated`() {
    let early = Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)
    #expect(readResponses(early).error == CodecError(.truncated, at: 28))
    #expect(readResponses([], to: ["GET"]).error == CodecError(.truncated, at: 0))
    #expect(readResponses([]).error == nil)
  }

  @Test func `a connection closed at any byte is an end or a truncation, never less`() {
    let bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
    for length in 1..<bytes.count {
      #expect(readResponses(Array(bytes[..<length])).error == CodecError(.truncated, at: length))
    }
  }
}
