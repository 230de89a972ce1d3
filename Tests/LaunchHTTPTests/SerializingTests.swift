import LaunchHTTP
import Testing

struct SerializingTests {
  @Test func `heads are written in wire order`() throws {
    let request = RequestHead(method: "PATCH", target: "/a?b", fields: ["Host": "h", "x": "ü", "Empty": ""])
    #expect(try request.serialized() == Array("PATCH /a?b HTTP/1.1\r\nHost: h\r\nx: ü\r\nEmpty:\r\n\r\n".utf8))
    let response = ResponseHead(status: 200, fields: ["Set-Cookie": "a", "Set-Cookie": "b"], version: .http10)
    #expect(try response.serialized() == Array("HTTP/1.0 200 OK\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\n".utf8))
    #expect(try ResponseHead(status: 299).serialized() == Array("HTTP/1.1 299 \r\n\r\n".utf8))
  }

  @Test func `chunks are written with their sizes and trailers`() throws {
    #expect(
      ChunkedCoding.chunk(Array(repeating: 0x61, count: 26))
        == Array("1a\r\n\(String(repeating: "a", count: 26))\r\n".utf8))
    #expect(ChunkedCoding.chunk([]) == [])
    #expect(try ChunkedCoding.end() == Array("0\r\n\r\n".utf8))
    #expect(try ChunkedCoding.end(trailers: ["T": "1"]) == Array("0\r\nT: 1\r\n\r\n".utf8))
  }

  static let requests: [(head: RequestHead, reason: CodecError.Reason)] = [
    (RequestHead(method: "", target: "/"), .malformedMethod),
    (RequestHead(method: "GET /x HTTP/1.1\r\n", target: "/"), .malformedMethod),
    (RequestHead(method: "GET", target: "/ HTTP/1.1\r\nX: y"), .malformedTarget),
    (RequestHead(method: "GET", target: ""), .malformedTarget),
    (RequestHead(method: "GET", target: "/", version: .http2), .unsupportedVersion("HTTP/2")),
    (RequestHead(method: "GET", target: "/", fields: ["A: b\r\nC": "d"]), .malformedField),
    (RequestHead(method: "GET", target: "/", fields: ["": "d"]), .malformedField),
    (RequestHead(method: "GET", target: "/", fields: ["A": "b\r\nC: d"]), .forbiddenByte(13)),
    (RequestHead(method: "GET", target: "/", fields: ["A": "b\nC: d"]), .forbiddenByte(10)),
    (RequestHead(method: "GET", target: "/", fields: ["A": "\0"]), .forbiddenByte(0)),
  ]

  @Test(arguments: requests) func `nothing in a head can begin another line`(
    row: (head: RequestHead, reason: CodecError.Reason)
  ) {
    #expect(throws: CodecError(row.reason, at: 0)) { try row.head.serialized() }
    let response = ResponseHead(status: 200, fields: row.head.fields)
    if !row.head.fields.isEmpty {
      #expect(throws: CodecError(row.reason, at: 0)) { try response.serialized() }
      #expect(throws: CodecError(row.reason, at: 0)) { try ChunkedCoding.end(trailers: row.head.fields) }
    }
  }

  @Test(arguments: [-1, 0, 99, 1000]) func `a status out of range is refused`(status: Int) {
    #expect(throws: CodecError(.malformedStatus, at: 0)) { try ResponseHead(status: status).serialized() }
  }

  @Test func `a request gets the lines a transport adds`() throws {
    let location = try Location(parsing: "https://h:8443/p?q")
    var request = Request(method: "POST", location: location, fields: ["A": "b"])
    #expect(RequestHead(request).fields == ["Host": "h:8443", "A": "b", "Content-Length": "0"])
    #expect(RequestHead(request).target == "/p?q")
    request.method = "DELETE"
    #expect(RequestHead(request).fields == ["Host": "h:8443", "A": "b"])
    request.body = [1]
    request.fields = ["host": "x", "content-length": "1"]
    #expect(RequestHead(request).fields == request.fields)
  }
}
