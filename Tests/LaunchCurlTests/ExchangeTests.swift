import LaunchCurl
import LaunchHTTP
import Testing

@Suite(.timeLimit(.minutes(2))) struct ExchangeTests {
  static let content = String(repeating: "Consent first, attribution second, paywall last. ", count: 20)

  @Test func `a plain exchange is delivered in order`() async throws {
    let recorder = try await makeTransport().record(request("/plain"))
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    #expect(recorder.unflushed == 0)
    #expect(String(decoding: recorder.content, as: UTF8.self) == Self.content)
    #expect(recorder.wire == recorder.content)
    #expect(recorder.ending == Ending())
  }

  @Test func `the connection tells where the bytes went and what setting it up took`() async throws {
    let recorder = try await makeTransport().record(request("/plain"))
    let connection = try #require(recorder.connection)
    #expect(connection.id == 1)
    #expect(connection.address == "127.0.0.1:\(try Fixture.server.get().port("server"))")
    #expect(!connection.isReused)
    #expect(connection.dns == nil)
    #expect(try #require(connection.connect) > .zero)
    #expect(connection.tls == nil)
    #expect(connection.version == .http11)
  }

  @Test func `a name that is looked up takes time`() async throws {
    let route = Route(host: "localhost", port: try Fixture.server.get().port("server"))
    let transport = CurlTransport(routes: RouteTable([host: route], otherwise: .refuse))
    let connection = try #require(await transport.record(request("/plain")).connection)
    #expect(try #require(connection.dns) > .zero)
    #expect(connection.address.hasPrefix("127.0.0.1:"))
  }

  struct Encoded: Sendable, CustomTestStringConvertible {
    var path: String
    var encoding: String?
    var isRaw = false
    var testDescription: String { path }
  }

  @Test(arguments: [
    Encoded(path: "/gzip", encoding: "gzip"), Encoded(path: "/x-gzip", encoding: "gzip"),
    Encoded(path: "/members", encoding: "gzip"), Encoded(path: "/deflate", encoding: "deflate"),
    Encoded(path: "/bare-deflate", encoding: "deflate"), Encoded(path: "/twice", encoding: "gzip, gzip"),
    Encoded(path: "/identity"),
    Encoded(path: "/unknown", isRaw: true), Encoded(path: "/not-gzip", isRaw: true),
  ]) func `content encodings are undone beside the wire form`(row: Encoded) async throws {
    let recorder = try await makeTransport().record(request(row.path))
    #expect(String(decoding: recorder.content, as: UTF8.self) == Self.content)
    #expect(recorder.ending == Ending(encoding: row.encoding, isRaw: row.isRaw))
    #expect((recorder.wire == recorder.content) == (row.encoding == nil))
    let length = try #require(recorder.heads.first?.fields["Content-Length"])
    #expect(recorder.wire.count == Int(length))
  }

  @Test func `a body whose encoding ends too early is raw`() async throws {
    let transport = try makeTransport()
    #expect(await transport.record(request("/cut-gzip")).ending == Ending(isRaw: true))
    let response = try await transport.response(to: request("/cut-gzip"))
    #expect(response.body.starts(with: [0x1F, 0x8B]))
  }

  @Test func `a body found corrupt in the middle is raw, and its response has the wire form`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    async let sending: Void = transport.send(request("/corrupt-gzip?gate=corrupt"), into: recorder)
    #expect(await recorder.wait { if case .chunk = $0 { true } else { false } })
    _ = try await transport.response(to: request("/open?gate=corrupt"))
    try await sending
    #expect(String(decoding: recorder.chunks[0].content, as: UTF8.self) == Self.content)
    #expect(recorder.chunks[1] == Chunk([UInt8](repeating: 0xFF, count: 30)))
    #expect(recorder.ending == Ending(isRaw: true))

    let collector = ResponseCollector()
    for delivery in recorder.deliveries { collector.receive(delivery) }
    #expect(try collector.response().body == recorder.wire)
  }

  @Test func `a body without bytes has no encoding to undo`() async throws {
    #expect(try await makeTransport().record(request("/encoded-nothing")).ending == Ending())
  }

  @Test func `chunked framing is undone`() async throws {
    let response = try await makeTransport().response(to: request("/chunked"))
    #expect(response.text == "firstsecond")
    #expect(response.fields == ["Transfer-Encoding": "chunked"])
  }

  @Test func `trailers come with the end`() async throws {
    let response = try await makeTransport().response(to: request("/trailers"))
    #expect(response.text == "content")
    #expect(Array(response.trailers) == [Field("X-Sum", "7"), Field("x-sum", "8"), Field("X-Empty", "")])
  }

  @Test func `a body may end with the connection`() async throws {
    let response = try await makeTransport().response(to: request("/until-close"))
    #expect(response.text == Self.content)
    #expect(response.head.version == .http10)
  }

  @Test func `response fields keep order, case and duplicates`() async throws {
    let response = try await makeTransport().response(to: request("/fields"))
    #expect(
      Array(response.fields) == [
        Field("X-ODD-case", "1"), Field("set-cookie", "a=1"), Field("Set-Cookie", "b=2; Path=/"), Field("x-empty", ""),
        Field("X-Folded", "one two"), Field("X-Latin", "café"), Field("X-Unicode", "café"),
        Field("Content-Length", "2"),
      ])
  }

  @Test func `a redirect is not followed`() async throws {
    let response = try await makeTransport().response(to: request("/redirect"))
    #expect(response.status == 302)
    #expect(response.fields["location"] == "/plain")
    #expect(response.body.isEmpty)
  }

  @Test func `a status is no error`() async throws {
    let response = try await makeTransport().response(to: request("/missing"))
    #expect(response.status == 404)
    #expect(response.text == "nothing here")
  }

  @Test func `responses without a body end at their head`() async throws {
    let transport = try makeTransport()
    #expect(await transport.record(request("/none")).outline == ["connection", "sent", "head", "end"])
    let recorder = await transport.record(request("HEAD", "/head"))
    #expect(recorder.outline == ["connection", "sent", "head", "end"])
    #expect(recorder.heads.first?.fields["Content-Length"] == "12345")
    #expect(recorder.ending == Ending())
    #expect(recorder.connection?.isReused == true)
  }

  @Test func `informational responses come before the head`() async throws {
    let recorder = try await makeTransport().record(request("/early"))
    #expect(
      recorder.outline == ["connection", "sent", "informational", "informational", "head", "chunk", "end"])
    #expect(recorder.heads.map(\.status) == [100, 103, 200])
    #expect(Array(recorder.heads[1].fields) == [Field("Link", "</a.css>"), Field("link", "</b.css>")])
    #expect(recorder.heads[2].fields["X-Final"] == "1")
  }

  @Test func `pieces written apart are delivered apart`() async throws {
    let transport = try makeTransport()
    let recorder = Recorder()
    async let sending: Void = transport.send(request("/steps?gate=steps-"), into: recorder)
    for word in ["one", "two", "three"] {
      #expect(await recorder.wait { $0 == .chunk(Chunk(Array(word.utf8))) })
      _ = try await transport.response(to: request("/open?gate=steps-\(word)"))
    }
    try await sending
    #expect(recorder.chunks.map { String(decoding: $0.content, as: UTF8.self) } == ["one", "two", "three"])
  }
}
