import LaunchHTTP
import Testing

struct RequestParserTests {
  typealias Piece = RequestParser.Piece

  private static func head(
    _ method: String, _ target: String, _ fields: Fields = ["Host": "h"], _ version: HTTPVersion = .http11
  ) -> Piece {
    .head(RequestHead(method: method, target: target, fields: fields, version: version))
  }

  static let messages: [(bytes: String, pieces: [Piece])] = [
    ("", []),
    ("\r\n\r\n", []),
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", [head("GET", "/"), .end(trailers: [:])]),
    ("\r\nGET /a?b HTTP/1.0\r\n\r\n", [head("GET", "/a?b", [:], .http10), .end(trailers: [:])]),
    ("GET / HTTP/1.9\r\nHost:\r\n\r\n", [head("GET", "/", ["Host": ""]), .end(trailers: [:])]),
    ("OPTIONS * HTTP/1.1\r\nhOST: \t h \t\r\n\r\n", [head("OPTIONS", "*", ["hOST": "h"]), .end(trailers: [:])]),
    ("GET http://o/x HTTP/1.1\r\nHost: h\r\n\r\n", [head("GET", "http://o/x"), .end(trailers: [:])]),
    ("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n\u{16}\u{3}", [head("CONNECT", "h:443")]),
    (
      "POST /s HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
      [head("POST", "/s", ["Host": "h", "Content-Length": "5"]), .content(Array("hello".utf8)), .end(trailers: [:])]
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 02\r\nContent-Length: 2, 2\r\n\r\nab",
      [
        head("POST", "/", ["Host": "h", "Content-Length": "02", "Content-Length": "2, 2"]), .content(Array("ab".utf8)),
        .end(trailers: [:]),
      ]
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
      [
        head("POST", "/", ["Host": "h", "Content-Length": "0"]), .end(trailers: [:]), head("GET", "/2"),
        .end(trailers: [:]),
      ]
    ),
    (
      "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "5\r\nhello\r\n00A;x=\"y;z\" ; q\r\n, chunked \r\n1 \t\r\n!\r\n0;last\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n"
        + "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
      [
        head("PUT", "/", ["Host": "h", "Transfer-Encoding": "Chunked"]), .content(Array("hello, chunked !".utf8)),
        .end(trailers: ["X-Sum": "1", "x-sum": "2"]), head("GET", "/"), .end(trailers: [:]),
      ]
    ),
    (
      "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\naPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nb"
        + "POST /3 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\ncdGET /4 HTTP/1.1\r\nHost: h\r\n\r\n",
      [
        head("POST", "/1", ["Host": "h", "Content-Length": "1"]), .content([0x61]), .end(trailers: [:]),
        head("POST", "/2", ["Host": "h", "Content-Length": "1"]), .content([0x62]), .end(trailers: [:]),
        head("POST", "/3", ["Host": "h", "Content-Length": "2"]), .content([0x63, 0x64]), .end(trailers: [:]),
        head("GET", "/4"), .end(trailers: [:]),
      ]
    ),
    (
      "GET /é HTTP/1.1\r\nHost: h\r\nX: ü\r\nEmpty:\r\nX: a b\tc\r\n\r\n",
      [head("GET", "/é", ["Host": "h", "X": "ü", "Empty": "", "X": "a b\tc"]), .end(trailers: [:])]
    ),
  ]

  @Test(arguments: messages) func `a message is read`(row: (bytes: String, pieces: [Piece])) {
    #expect(readRequests(Array(row.bytes.utf8)) == Outcome(pieces: row.pieces))
  }

  @Test func `a header that was fine in another version or for another method is judged anew`() throws {
    for (second, reason) in [
      ("GET / HTTP/1.1\r\nX: a\r\n\r\n", CodecError.Reason.missingHost),
      ("CONNECT h:1 HTTP/1.1\r\nX: a\r\n\r\n", .missingHost),
    ] {
      var parser = RequestParser()
      parser.append(Array(("GET / HTTP/1.0\r\nX: a\r\n\r\n" + second).utf8))
      #expect(try parser.next() != nil)
      #expect(try parser.next() == .end(trailers: [:]))
      #expect(throws: CodecError(reason, at: 24)) { try parser.next() }
    }
  }

  @Test func `a header that repeats the one before counts for the limit too`() throws {
    var parser = RequestParser(headBytes: 40)
    let header = "Host: h\r\nX: \(String(repeating: "x", count: 8))\r\n\r\n"
    parser.append(Array(("GET / HTTP/1.1\r\n" + header + "GET /longer HTTP/1.1\r\n" + header).utf8))
    #expect(try parser.next() != nil)
    #expect(try parser.next() == .end(trailers: [:]))
    #expect(throws: CodecError.self) { try parser.next() }
  }

  @Test func `a value that is not UTF-8 is read as Latin-1`() {
    let bytes = Array("GET / HTTP/1.0\r\nX: a".utf8) + [0xE9, 0xFF] + Array("\r\n\r\n".utf8)
    #expect(readRequests(bytes).pieces.first == Self.head("GET", "/", ["X": "a\u{E9}\u{FF}"], .http10))
  }

  private static let begin = "GET / HTTP/1.1\r\nHost: h\r\n"
  private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let mistakes: [(bytes: String, reason: CodecError.Reason, offset: Int)] = [
    ("GET /\r\n", .malformedStartLine, 0),
    ("GET  / HTTP/1.1\r\n", .malformedStartLine, 0),
    ("GET / x HTTP/1.1\r\n", .malformedStartLine, 0),
    ("\r\n GET HTTP/1.1\r\n", .malformedMethod, 2),
    ("G{T / HTTP/1.1\r\n", .malformedMethod, 0),
    ("\u{16}\u{3}\u{1}\r\n", .malformedStartLine, 0),
    ("GET / HTTP/2.0\r\n", .unsupportedVersion("HTTP/2.0"), 6),
    ("GET / HTTP/1.10\r\n", .malformedVersion, 6),
    ("GET / http/1.1\r\n", .malformedVersion, 6),
    ("GET / HTTP/1.1\r\r\n", .malformedVersion, 6),
    ("GET ? HTTP/1.1\r\n", .malformedTarget, 4),
    ("GET * HTTP/1.1\r\n", .malformedTarget, 4),
    ("GET /#f HTTP/1.1\r\n", .malformedTarget, 4),
    ("GET /\0 HTTP/1.1\r\n", .malformedTarget, 4),
    ("CONNECT /x HTTP/1.1\r\n", .malformedTarget, 8),
    ("GET / HTTP/1.1\n", .bareLineFeed, 14),
    ("\nGET / HTTP/1.1\r\n", .bareLineFeed, 0),
    (begin + "a: b\n", .bareLineFeed, 29),
    (begin + "a : b\r\n", .malformedField, 25),
    (begin + ": b\r\n", .malformedField, 25),
    (begin + "no colon\r\n", .malformedField, 25),
    (begin + "a(b): c\r\n", .malformedField, 25),
    (begin + "é: c\r\n", .malformedField, 25),
    (begin + "a: b\rc: d\r\n", .forbiddenByte(13), 29),
    (begin + "a: \0\r\n", .forbiddenByte(0), 28),
    (begin + "a: \u{7F}\r\n", .forbiddenByte(127), 28),
    (begin + "a: b\r\n c\r\n", .foldedField, 31),
    ("GET / HTTP/1.1\r\n Host: h\r\n", .foldedField, 16),
    ("GET / HTTP/1.1\r\n\r\n", .missingHost, 0),
    (begin + "HOST: h\r\n\r\n", .duplicateHost, 0),
    ("\r\n" + begin + "Content-Length: -1\r\n\r\n", .malformedLength("-1"), 2),
    (begin + "Content-Length: +1\r\n\r\n", .malformedLength("+1"), 0),
    (begin + "Content-Length:\r\n\r\n", .malformedLength(""), 0),
    (begin + "Content-Length: 1,\r\n\r\n", .malformedLength(""), 0),
    (begin + "Content-Length: 0x1\r\n\r\n", .malformedLength("0x1"), 0),
    (begin + "Content-Length: 99999999999999999999\r\n\r\n", .malformedLength("99999999999999999999"), 0),
    (begin + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", .conflictingLengths, 0),
    (begin + "Content-Length: 1, 2\r\n\r\n", .conflictingLengths, 0),
    (begin + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthWithCoding, 0),
    (begin + "Transfer-Encoding: gzip, chunked\r\n\r\n", .unsupportedCoding("gzip"), 0),
    (begin + "Transfer-Encoding: identity\r\n\r\n", .unsupportedCoding("identity"), 0),
    (begin + "Transfer-Encoding: chunked, chunked\r\n\r\n", .malformedCoding("chunked, chunked"), 0),
    (begin + "Transfer-Encoding: chunked;q=1\r\n\r\n", .malformedCoding("chunked;q=1"), 0),
    (begin + "Transfer-Encoding:\r\n\r\n", .malformedCoding(""), 0),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .malformedCoding("chunked"), 0),
    (chunked + "\r\n", .malformedChunkSize, 56),
    (chunked + "x\r\n", .malformedChunkSize, 56),
    (chunked + "-1\r\n", .malformedChunkSize, 56),
    (chunked + "0x1\r\n", .malformedChunkSize, 56),
    (chunked + " 1\r\n", .malformedChunkSize, 56),
    (chunked + "1 1\r\n", .malformedChunkSize, 56),
    (chunked + "1;\0\r\n", .malformedChunkSize, 56),
    (chunked + "8000000000000000\r\n", .malformedChunkSize, 56),
    (chunked + "FFFFFFFFFFFFFFFFF\r\n", .malformedChunkSize, 56),
    (chunked + "1\n", .bareLineFeed, 57),
    (chunked + "1\r\nab\r\n", .missingChunkEnd, 60),
    (chunked + "0\r\na: b\r\n c\r\n", .foldedField, 65),
    (chunked + "0\r\nbad\r\n", .malformedField, 59),
    ("GET", .truncated, 3),
    ("\r\n\r", .truncated, 3),
    (begin, .truncated, 25),
    (begin + "Content-Length: 2\r\n\r\na", .truncated, 47),
    (chunked, .truncated, 56),
    (chunked + "5\r\nhel", .truncated, 62),
    (chunked + "5\r\nhello\r", .truncated, 65),
    (chunked + "0\r\n", .truncated, 59),
  ]

  @Test(arguments: mistakes) func `a mistake is named with its position`(
    row: (bytes: String, reason: CodecError.Reason, offset: Int)
  ) {
    #expect(readRequests(Array(row.bytes.utf8)).error == CodecError(row.reason, at: row.offset))
  }

  static let samples = (messages.map(\.bytes) + mistakes.map(\.bytes)).map { Array($0.utf8) }

  @Test(arguments: samples) func `how the bytes are split changes nothing`(bytes: [UInt8]) {
    let whole = readRequests(bytes)
    #expect(readRequests(bytes, cuts: Array(bytes.indices)) == whole)
    for cut in bytes.indices { #expect(readRequests(bytes, cuts: [cut]) == whole) }
  }

  @Test func `a head, a trailer section and a chunk size line have a limit`() {
    let line = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
    let trailers =
      Self.chunked.utf8
      + Array("0;\(String(repeating: "x", count: 57))\r\nabcdefgh: \(String(repeating: "x", count: 46))\r\n\r\n".utf8)
    #expect(readRequests(Array(line.utf8), headBytes: 27).error == nil)
    #expect(readRequests(Array(line.utf8), headBytes: 26).error == CodecError(.oversizedHead, at: 25))
    #expect(readRequests(Array(line.utf8.prefix(20)), headBytes: 19).error == CodecError(.oversizedHead, at: 16))
    #expect(readRequests(Array(line.utf8.prefix(20)), headBytes: 15).error == CodecError(.oversizedHead, at: 0))
    #expect(readRequests(trailers, headBytes: 61).error == nil)
    #expect(readRequests(trailers, headBytes: 60).error == CodecError(.oversizedHead, at: 56))
    let flood = Array(repeating: Array("\r\n".utf8), count: 40).flatMap { $0 }
    #expect(readRequests(flood, headBytes: 60).error == CodecError(.oversizedHead, at: 60))
    let long = Array("GET /\(String(repeating: "x", count: 100)) HTTP/1.1\r\n".utf8)
    for cut in long.indices {
      #expect(readRequests(long, cuts: [cut], headBytes: 60).error == CodecError(.oversizedHead, at: 0))
    }
  }

  @Test func `after an error the parser repeats it`() {
    var parser = RequestParser()
    parser.append(Array("bad\r\n".utf8))
    for _ in 0..<2 {
      #expect(throws: CodecError(.malformedStartLine, at: 0)) { try parser.next() }
      parser.append(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
    }
  }

  @Test func `bytes behind a CONNECT request belong to the tunnel`() throws {
    var parser = RequestParser()
    parser.append(Array("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\nGET".utf8))
    #expect(try parser.next() == Self.head("CONNECT", "h:443"))
    #expect(try parser.next() == nil)
    #expect(parser.unread == Array("GET".utf8))
  }

  static let locations: [(target: String, host: String?, location: String?)] = [
    ("/a?b=c?d", "H:9001", "http://h:9001/a?b=c?d"), ("//x", "h", "http://h//x"), ("/?", "[::1]", "http://[::1]/?"),
    ("https://api.adapty.io/x", "h", "https://api.adapty.io/x"), ("/", nil, "http://fallback:1/"),
    ("/", "", nil), ("/", "a/b", nil), ("/", "a?b", nil), ("/", "me@h", nil), ("/", "h:x", nil), ("/", "h#", nil),
    ("*", "h", nil), ("urn:x", "h", nil),
  ]

  @Test(arguments: locations) func `target and host make the location`(
    row: (target: String, host: String?, location: String?)
  ) {
    var head = RequestHead(method: "GET", target: row.target)
    head.fields["Host"] = row.host
    #expect((try? head.location(scheme: "http", fallback: "fallback:1"))?.description == row.location)
  }

  static let persistence: [(version: HTTPVersion, connection: String?, keeps: Bool)] = [
    (.http11, nil, true), (.http11, "close", false), (.http11, "Keep-Alive, CLOSE", false), (.http11, "upgrade", true),
    (.http10, nil, false), (.http10, "Keep-Alive", true), (.http10, "keep-alive, close", false),
  ]

  @Test(arguments: persistence) func `version and connection options decide whether the connection stays`(
    row: (version: HTTPVersion, connection: String?, keeps: Bool)
  ) {
    var request = RequestHead(method: "GET", target: "/", version: row.version)
    request.fields["Connection"] = row.connection
    #expect(request.keepsAlive == row.keeps)
    #expect(ResponseHead(status: 200, fields: request.fields, version: row.version).keepsAlive == row.keeps)
  }
}
