import LaunchHTTP
import TestSupport
import Testing

@testable import LaunchCurl

@Suite struct HeadAssemblerTests {
  /// The heads that the lines complete, and the trailers.
  func assemble(_ lines: [String]) -> ([HeadAssembler.Head], Fields) {
    var assembler = HeadAssembler()
    let heads = lines.compactMap { assembler.take(Array($0.utf8)) }
    return (heads, assembler.trailers)
  }

  @Test func `blocks become informational heads, one final head and trailers`() {
    let (heads, trailers) = assemble([
      "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103\r\n", "Link: <a>\r\n", "\r\n", "HTTP/1.0 404 Not  Found\r\n",
      "A: 1\r\n", "a:2\r\n", "\r\n", "T: 3\r\n", "\r\n",
    ])
    #expect(
      heads == [
        .informational(ResponseHead(status: 100)), .informational(ResponseHead(status: 103, fields: ["Link": "<a>"])),
        .final(ResponseHead(status: 404, fields: Fields([Field("A", "1"), Field("a", "2")]), version: .http10)),
      ])
    #expect(trailers == ["T": "3"])
  }

  @Test(arguments: [
    ("A: 1", Field("A", "1")), ("A:1", Field("A", "1")), ("A:", Field("A", "")), ("A: \t 1 2 \t", Field("A", "1 2")),
    ("A : 1", Field("A", "1")), ("A: b: c", Field("A", "b: c")), ("A", Field("A", "")), (": 1", Field("", "1")),
  ]) func `a line is a name and a value`(line: String, field: Field) {
    let (heads, _) = assemble(["HTTP/2 200 \r\n", line + "\r\n", "\r\n"])
    #expect(heads == [.final(ResponseHead(status: 200, fields: Fields([field]), version: .http2))])
  }

  @Test func `folded lines go on with the value before`() {
    let (heads, _) = assemble(["HTTP/1.1 200 OK\n", "A: 1\n", "  2\n", "\t\n", "\t3\n", "\n"])
    #expect(heads == [.final(ResponseHead(status: 200, fields: ["A": "1 2  3"]))])
  }

  @Test func `101 is final`() {
    let (heads, _) = assemble(["HTTP/1.1 101 Switching Protocols\r\n", "\r\n"])
    #expect(heads == [.final(ResponseHead(status: 101))])
  }

  @Test(arguments: ["", "\r\n", "HTTP/1.1\r\n", "HTTP/1.1 abc\r\n", "HTTX/1.1 200\r\n", " \r\n"])
  func `what is no status line begins no head`(line: String) {
    let (heads, trailers) = assemble([line, "A: 1\r\n", "\r\n"])
    #expect(heads.isEmpty && trailers.isEmpty)
  }

  @Test func `any lines are taken`() {
    var random = SeededGenerator(seed: 0x4EAD)
    let alphabet = Array("HTTP/1.1 200\r\n:a \t".utf8) + [0, 0xFF, 0xC3]
    for _ in 0..<5_000 {
      var assembler = HeadAssembler()
      for _ in 0..<6 {
        let line = (0..<Int.random(in: 0..<16, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        _ = assembler.take(Bool.random(using: &random) ? Array("HTTP/1.1 200 ".utf8) + line : line)
      }
    }
  }
}

@Suite struct RequestMeterTests {
  static let head = "POST /a/b HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a request is complete with its last byte, wherever it is cut`() {
    let bytes = Array((Self.head + "\r\nbody").utf8)
    for cut in 0..<bytes.count {
      var meter = RequestMeter(bodyBytes: 6)
      meter.take(bytes[..<cut])
      #expect(!meter.isComplete)
      #expect((meter.version == .http11) == (cut > 18))
      meter.take(bytes[cut...])
      #expect(meter.isComplete && meter.version == .http11)
    }
  }

  @Test(arguments: [("HTTP/2", HTTPVersion.http2), ("HTTP/1.0", .http10), ("HTTP/1.1", .http11)])
  func `the version stands at the end of the request line`(text: String, version: HTTPVersion) {
    var meter = RequestMeter(bodyBytes: 0)
    meter.take(Array("GET /a/2 \(text)\r\n\r\n".utf8))
    #expect(meter.version == version && meter.isComplete)
  }
}
