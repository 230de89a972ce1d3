import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

@Suite struct VCRImportTests {
  /// The shapes that the tools write, each with what it must be read as.
  static let files: [(tool: String, text: String, outline: [String])] = [
    (
      "VCR",
      #"""
      {"http_interactions":[
        {"request":{"method":"post","uri":"http://a.test/x?q=1","body":{"encoding":"UTF-8","string":"{\"a\":1}"},
          "headers":{"Accept":["*/*"],"Cookie":["a=1","b=2"]}},
         "response":{"status":{"code":201,"message":"Created"},"headers":{"Set-Cookie":["c=3","d=4"]},
          "body":{"encoding":"ASCII-8BIT","base64_string":"AAH/\n"},"http_version":null},
         "recorded_at":"Tue, 01 Nov 2011 04:58:44 GMT"},
        {"request":{"method":"get","uri":"http://a.test/y","body":{"encoding":"US-ASCII","string":""},"headers":{}},
         "response":{"status":{"code":404,"message":""},"headers":{},"body":{"encoding":"ISO-8859-1","string":"\u00e9"}},
         "recorded_at":"Tue, 01 Nov 2011 04:58:46 GMT"}],"recorded_with":"VCR 6.0.0"}
      """#,
      [
        #"0 POST http://a.test/x?q=1 Accept:*/* Cookie:a=1 Cookie:b=2 {"a":1}"#,
        "0 201 Set-Cookie:c=3 Set-Cookie:d=4 0001ff",
        "2000000 GET http://a.test/y  ", "2000000 404  e9",
      ]
    ),
    (
      "vcrpy",
      #"""
      {"version":1,"interactions":[{"request":{"method":"PUT","uri":"https://a.test/","body":"text","headers":
        {"Accept":"*/*"}},"response":{"status":{"code":200,"message":"OK"},"headers":{"content-type":["text/plain"]},
        "body":{"string":"hi"}}}]}
      """#,
      ["0 PUT https://a.test/ Accept:*/* text", "0 200 content-type:text/plain 6869"]
    ),
    (
      "betamax",
      #"""
      {"http_interactions":[{"recorded_at":"2015-01-02T03:04:05","request":{"body":{"encoding":"utf-8","string":""},
        "headers":{},"method":"GET","uri":"http://a.test/"},"response":{"body":{"base64_string":"aGk=","encoding":null},
        "headers":{},"status":{"code":200,"message":"OK"},"url":"http://a.test/"}}],"recorded_with":"betamax/0.8.1"}
      """#,
      ["0 GET http://a.test/  ", "0 200  6869"]
    ),
    (
      "php-vcr",
      #"""
      [{"request":{"method":"GET","url":"http://a.test/","headers":{"Host":"a.test"}},
        "response":{"status":{"http_version":"1.1","code":"200","message":"OK"},"headers":{},"body":"hi"}}]
      """#,
      ["0 GET http://a.test/ Host:a.test ", "0 200  6869"]
    ),
  ]

  @Test(arguments: files) func `every tool's file is read`(
    tool: String, text: String, outline: [String]
  ) throws {
    let cassette = try Cassette(vcr: Array(text.utf8), path: "some/\(tool).json")
    #expect(cassette.name == tool)
    #expect(cassette.warnings == [])
    #expect(Self.outline(cassette) == outline)
    let again = try Cassette(parsing: cassette.serialized, path: "again.cassette")
    #expect(again.events == cassette.events)
    #expect(again.warnings == [])
  }

  @Test func `content that kept its encoding is decoded, and content that lost it stays`() throws {
    func content(_ body: String) throws -> Content {
      let text = """
        {"interactions":[{"request":{"method":"GET","uri":"http://a.test/"},"response":{"status":200,
        "headers":{"Content-Encoding":["gzip"]},"body":{"string":"\(body)"}}}]}
        """
      let cassette = try Cassette(vcr: Array(text.utf8), path: "a.json") { encoding, bytes in
        encoding == "gzip" && bytes == Array("packed".utf8) ? Array("longer".utf8) + [0x21] : nil
      }
      guard case .end(let content) = cassette.trace.exchanges[0].steps.last?.step else { return Content() }
      return content
    }
    #expect(try content("packed") == Content(Array("longer!".utf8), encoding: "gzip", wireBytes: 6))
    #expect(try content("plain") == Content(Array("plain".utf8), encoding: "gzip"))
  }

  @Test func `every interaction that cannot be read is told of by its place`() {
    let text = """
      {"interactions":[{"request":{"uri":"http://a.test/"},"response":{}},
      {"request":{"method":"GET"},"response":{}}, {"request":{"method":"GET","uri":"ftp://a"},"response":{}},
      {"request":{"method":"GET","uri":"http://a.test/"},"response":{"status":{"code":7}}}, 5]}
      """
    let error = #expect(throws: CassetteError.self) { try Cassette(vcr: Array(text.utf8), path: "a.json") }
    guard case .malformed(let diagnostics) = error else { return #expect(Bool(false)) }
    #expect(
      diagnostics.map(\.message) == [
        "interactions[0]: request.method is missing", "interactions[1]: request.uri is missing",
        "interactions[2]: request.uri: the scheme ftp is neither http nor https (byte 0)",
        "interactions[3]: response.status is no status of three digits", "interactions[4]: request.method is missing",
      ])
  }

  @Test func `any text is a cassette or an error`() {
    var random = SeededGenerator(seed: 13)
    for (_, text, _) in Self.files {
      let bytes = Array(text.utf8)
      for cut in bytes.indices { _ = try? Cassette(vcr: Array(bytes[..<cut]), path: "a.json") }
      for _ in 0..<300 {
        var mutant = bytes
        for _ in 0..<3 {
          mutant[Int.random(in: mutant.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
        }
        guard let cassette = try? Cassette(vcr: mutant, path: "a.json") else { continue }
        #expect((try? Cassette(parsing: cassette.serialized, path: "b.cassette"))?.events == cassette.events)
      }
    }
  }

  /// A line for each request, and one for each response with its content in hexadecimal digits.
  private static func outline(_ cassette: Cassette) -> [String] {
    var lines: [String] = []
    for event in cassette.events {
      guard case .call(_, let step) = event.kind else { continue }
      switch step {
      case .request(let request, _):
        let body = String(decoding: request.body.bytes, as: UTF8.self)
        lines.append("\(event.at.microseconds) \(request.method) \(request.location) \(list(request.fields)) \(body)")
      case .response(let head): lines.append("\(event.at.microseconds) \(head.status) \(list(head.fields))")
      case .end(let content): lines[lines.count - 1] += " " + content.body.bytes.map(hex).joined()
      default: break
      }
    }
    return lines
  }

  private static func list(_ fields: Fields) -> String {
    fields.map { "\($0.name):\($0.value)" }.joined(separator: " ")
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
