import LaunchCurl
import LaunchHTTP
import Testing

/// What arrives at the server, byte for byte.
@Suite(.timeLimit(.minutes(2))) struct RequestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var request: Request
    var lines: [String]
    var testDescription: String { "\(request.method) \(request.location.target) \(request.fields.map(\.name))" }
  }

  static let cases = [
    Case(request: request("/echo"), lines: ["GET /echo HTTP/1.1", "Host: vendor.test"]),
    Case(request: request("DELETE", "/echo"), lines: ["DELETE /echo HTTP/1.1", "Host: vendor.test"]),
    Case(request: request("OPTIONS", "/echo"), lines: ["OPTIONS /echo HTTP/1.1", "Host: vendor.test"]),
    Case(
      request: request("POST", "/echo"), lines: ["POST /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 0"]),
    Case(
      request: request("PUT", "/echo"), lines: ["PUT /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 0"]),
    Case(
      request: request("POST", "/echo", ["Content-Type": "application/json"], body: "{}"),
      lines: [
        "POST /echo HTTP/1.1", "Host: vendor.test", "Content-Type: application/json", "Content-Length: 2", "", "{}",
      ]),
    Case(
      request: request("PATCH", "/echo", body: "tags"),
      lines: ["PATCH /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 4", "", "tags"]),
    Case(
      request: request("DELETE", "/echo", body: "why"),
      lines: ["DELETE /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 3", "", "why"]),
    Case(
      request: request("GET", "/echo", body: "query"),
      lines: ["GET /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 5", "", "query"]),
    // Order, case, duplicates, an empty value; lines libcurl would add by itself stay as the client set them.
    Case(
      request: request(
        "GET", "/echo",
        Fields([
          Field("x-ODD", "1"), Field("Accept", "*/*"), Field("X-Twice", "a"), Field("x-twice", "b"),
          Field("X-Empty", ""), Field("User-Agent", "Launch/1"), Field("Accept-Encoding", "gzip"), Field("Aa", " ;"),
        ])),
      lines: [
        "GET /echo HTTP/1.1", "Host: vendor.test", "x-ODD: 1", "Accept: */*", "X-Twice: a", "x-twice: b", "X-Empty:",
        "User-Agent: Launch/1", "Accept-Encoding: gzip", "Aa:  ;",
      ]),
    Case(
      request: request("GET", "/echo", ["A": "1", "host": "other.test"]),
      lines: ["GET /echo HTTP/1.1", "Host: other.test", "A: 1"]),
    // How the body is framed is the transport's to say.
    Case(
      request: request("POST", "/echo", ["content-length": "99", "Transfer-Encoding": "chunked"], body: "x"),
      lines: ["POST /echo HTTP/1.1", "Host: vendor.test", "Content-Length: 1", "", "x"]),
    // Nothing in a path or query is normalised.
    Case(
      request: request("/echo?a=%7e&b=../c&d=[\"]|#e&f=é"),
      lines: ["GET /echo?a=%7e&b=../c&d=[\"]|#e&f=é HTTP/1.1", "Host: vendor.test"]),
  ]

  @Test(arguments: cases) func `a request arrives as it was composed`(row: Case) async throws {
    let recorder = try await makeTransport().record(row.request)
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    let lines = row.lines.contains("") ? row.lines : row.lines + ["", ""]
    #expect(String(decoding: recorder.content, as: UTF8.self) == lines.joined(separator: "\r\n"))
  }

  @Test func `dots in a path are kept`() async throws {
    #expect(try await makeTransport().response(to: request("/x/../plain")).status == 500)
  }

  @Test func `a port in the location stays in the Host line`() async throws {
    var ported = request("/echo")
    ported.location.port = 8443
    #expect(try await makeTransport().response(to: ported).text.contains("\r\nHost: vendor.test:8443\r\n"))
  }

  @Test func `a large upload is sent whole, and without waiting for leave`() async throws {
    let body = [UInt8](String(repeating: "0123456789abcdef", count: 3 << 16).utf8)
    var upload = request("POST", "/length")
    upload.body = Body(body)
    let recorder = try await makeTransport().record(upload)
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(String(decoding: recorder.content, as: UTF8.self).hasPrefix("\(body.count) "))
    #expect(Array(try #require(recorder.heads.first).fields).map(\.name) == ["Content-Length"])
  }

  @Test func `a head of any length is sent, and seen to be`() async throws {
    let long = request("GET", "/plain", ["X-Long": String(repeating: "x", count: 900_000)])
    let recorder = try await makeTransport().record(long)
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
  }

  @Test func `a response that overtakes its request counts it as sent`() async throws {
    var upload = request("POST", "/overtaken")
    upload.body = Body([UInt8](repeating: 0, count: 32 << 20))
    let recorder = try await makeTransport().record(upload)
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(recorder.heads.first?.status == 413)
  }

  @Test(arguments: [
    request("GET ", "/echo"), request("", "/echo"), request("HEAD", "/echo", body: "body"),
    request("GET", "/echo", ["X-A": "1\r\nX-B: 2"]), request("GET", "/echo", ["X-A": "\0"]),
    request("GET", "/echo", ["X A": "1"]), request("GET", "/echo", ["": "1"]), request("GET", "/echo", ["X:": "1"]),
    request("GET", "/e cho"), request("GET", "/echo\u{7F}"), request("GET", "echo"),
  ]) func `what cannot be written as HTTP is refused`(request: Request) async throws {
    let recorder = try await makeTransport().record(request)
    guard case .failed(let error) = recorder.deliveries.first, recorder.deliveries.count == 1 else {
      Issue.record("\(recorder.outline)")
      return
    }
    #expect(error.reason == .protocol && error.phase == .request && !error.message.isEmpty)
    #expect(recorder.unflushed == 0)
  }
}
