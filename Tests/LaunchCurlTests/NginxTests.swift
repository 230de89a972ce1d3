import Foundation
import LaunchCurl
import LaunchHTTP
import Testing

/// Against an independent server.
@Suite(.timeLimit(.minutes(2)), .enabled(if: FileManager.default.fileExists(atPath: "/usr/sbin/nginx")))
struct NginxTests {
  static let content = String(repeating: "Consent first, attribution second, paywall last.\n", count: 50)

  func plain() throws -> CurlTransport { try makeTransport(to: "plain", of: Fixture.nginx) }

  func certificate() throws -> String { try #require(Fixture.nginx.get().values["certificate"]) }

  func secure(_ port: String, caFile: String?) throws -> CurlTransport {
    try makeTransport(to: port, of: Fixture.nginx, security: .tls(caFile: caFile))
  }

  @Test func `plain, chunked and HEAD`() async throws {
    let transport = try plain()
    let whole = try await transport.response(to: request("/plain.txt"))
    #expect(whole.text == Self.content)
    let chunked = try await transport.response(to: request("/chunked.txt"))
    #expect(chunked.text == Self.content && chunked.fields["Transfer-Encoding"] == "chunked")
    let head = try await transport.response(to: request("HEAD", "/plain.txt"))
    #expect(head.body.isEmpty && head.fields["Content-Length"] == "\(Self.content.utf8.count)")
  }

  @Test func `gzip is undone and kept`() async throws {
    let recorder = try await plain().record(request("GET", "/gzip.txt", ["Accept-Encoding": "gzip"]))
    #expect(String(decoding: recorder.content, as: UTF8.self) == Self.content)
    #expect(recorder.wire.starts(with: [0x1F, 0x8B]) && recorder.wire.count < recorder.content.count)
    #expect(recorder.ending == Ending(encoding: "gzip"))
    #expect(try await plain().response(to: request("/gzip.txt")).fields["Content-Encoding"] == nil)
  }

  @Test func `redirect, missing, no content and cookies`() async throws {
    let transport = try plain()
    let redirect = try await transport.response(to: request("/redirect"))
    #expect(redirect.status == 302 && redirect.fields["Location"] == "http://vendor.test/plain.txt")
    #expect(try await transport.response(to: request("/missing")).status == 404)
    #expect(try await transport.response(to: request("/none")).status == 204)
    let cookies = try await transport.response(to: request("/cookies"))
    #expect(cookies.fields.values("set-cookie") == ["a=1; Path=/", "b=2"])
  }

  @Test func `a certificate nobody vouches for is refused`() async throws {
    let recorder = try await secure("http1", caFile: nil).record(request("/"))
    #expect(recorder.outline == ["failed"])
    expect(recorder, failed: .tls, during: .tls)
  }

  @Test func `a certificate for another name is refused`() async throws {
    let route = Route(
      host: "127.0.0.1", port: try Fixture.nginx.get().port("http1"), security: .tls(caFile: try certificate()))
    let transport = CurlTransport(routes: RouteTable(["other.test": route], otherwise: .refuse))
    let location = Location(scheme: "https", host: "other.test")
    expect(await transport.record(Request(method: "GET", location: location)), failed: .tls, during: .tls)
  }

  @Test func `a file of authorities that is not there is an error`() async throws {
    expect(try await secure("http1", caFile: "/nowhere.pem").record(request("/")), failed: .tls, during: .tls)
  }

  @Test func `a plain server does not speak TLS`() async throws {
    expect(try await secure("plain", caFile: nil).record(request("/")), failed: .tls, during: .tls)
  }

  @Test(arguments: [("http1", HTTPVersion.http11, "HTTP/1.1"), ("http2", .http2, "HTTP/2.0")])
  func `TLS keeps the vendor's name and agrees on a version`(
    port: String, version: HTTPVersion, name: String
  ) async throws {
    let recorder = try await secure(port, caFile: certificate()).record(request("/"))
    #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
    let words = String(decoding: recorder.content, as: UTF8.self).split(separator: " ").prefix(3)
    #expect(
      words.map(String.init) == [name, "vendor.test", "vendor.test"])
    #expect(recorder.heads.first?.version == version)
    let connection = try #require(recorder.connection)
    #expect(connection.version == version)
    #expect(try #require(connection.tls) > .zero)
    #expect(connection.connect != nil && connection.dns == nil)
  }

  @Test func `HTTP2 exchanges share one connection`() async throws {
    let transport = try secure("http2", caFile: certificate())
    let connections = try await withThrowingTaskGroup(of: Connection.self) { group in
      for number in 0..<32 {
        group.addTask {
          let recorder = await transport.record(request("POST", "/?\(number)", body: "body"))
          #expect(recorder.outline == ["connection", "sent", "head", "chunk", "end"])
          return try #require(recorder.connection)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(connections.count { !$0.isReused } == 1)
    #expect(connections.allSatisfy { $0.id == 1 && $0.version == .http2 && ($0.tls == nil) == $0.isReused })
  }

  @Test func `cancelling one HTTP2 exchange keeps the connection`() async throws {
    let transport = try secure("http2", caFile: certificate())
    _ = try await transport.response(to: request("/"))
    let sending = Task { try await transport.response(to: request("/")) }
    sending.cancel()
    _ = try? await sending.value
    let recorder = await transport.record(request("/"))
    #expect(recorder.connection?.id == 1 && recorder.connection?.isReused == true)
  }
}
