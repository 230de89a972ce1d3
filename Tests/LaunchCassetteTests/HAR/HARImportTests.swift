import Foundation
@testable import LaunchCassette
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

struct HARImportTests {
  /// What becomes of each call: its status or failure, how many body bytes, and how long it took in microseconds.
  static let outcomes: [(file: String, calls: [String])] = [
    (
      "browsermob.har",
      [
        "reset during response 0 in 5000", "connect during connect 0 in 0", "200 2 in 20000",
        "reset during response 0 in 5000", "999 3 in 5000",
      ]
    ),
    ("charles.har", ["200 11 in 312000", "200 2 in 50000"]),
    (
      "chrome.har",
      [
        "302 0 in 44666", "200 22 in 14666", "200 missing in 9000", "304 8 in 5000", "dns during dns 0 in 31500",
      ]
    ),
    ("firefox.har", ["200 15 in 247000", "200 missing in 0", "refused during connect 0 in 10000"]),
    ("insomnia.har", ["200 9 in 64250"]),
    ("mitmproxy.har", ["200 100 in 150250", "204 0 in 12000", "tls during tls 0 in 5000", "101 0 in 30000"]),
    ("pairs.har", ["201 2 in 25000", "200 missing in 7000"]),
    (
      "playwright.zip", ["200 17 in 54500", "200 4 in 9000", "cancelled during response 0 in 0", "200 missing in 4000"]
    ),
    ("polly.har", ["200 7 raw in 120000", "200 7 raw in 20000"]),
    ("proxyman.har", ["200 2 in 180500", "connect during connect 0 in 0"]),
    ("safari.har", ["200 28 in 60962", "200 6 in 3000"]),
    ("version13.har", ["200 11 in 10000", "truncated during body 0 in 10000"]),
  ]

  @Test(arguments: outcomes)
  func `every entry becomes a call with its outcome, body and duration`(file: String, calls: [String]) throws {
    let cassette = try HARFixtures.cassette(file)
    #expect(cassette.trace.exchanges.map(outcome) == calls)
    #expect(cassette.trace.isClosed)
  }

  /// Rewritten with UPDATE_GOLDEN=1, and read like any other change.
  @Test(arguments: HARFixtures.names)
  func `a HAR becomes this cassette with these warnings`(file: String) throws {
    let cassette = try HARFixtures.cassette(file)
    let name = "\(HARFixtures.folder)/\(cassette.name)"
    let warnings = cassette.warnings.map { "\($0)\n" }.joined()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try writeFile(cassette.serialized, to: "\(name).cassette")
      try writeFile(Array(warnings.utf8), to: "\(name).warnings")
    }
    #expect(text(cassette.serialized) == text(try readFile("\(name).cassette")))
    #expect(warnings == text(try readFile("\(name).warnings")))
  }

  @Test(arguments: HARFixtures.names)
  func `the cassette of a HAR reads back from its file without a remark`(file: String) throws {
    let cassette = try HARFixtures.cassette(file)
    let again = try Cassette(parsing: cassette.serialized, path: "x.cassette")
    #expect(again.warnings.isEmpty)
    #expect(again.events == cassette.events)
    #expect(again.header == cassette.header)
  }

  @Test func `a redirect's target follows it, and both use the one connection`() throws {
    let cassette = try HARFixtures.cassette("chrome.har")
    guard case .call(2, .request(let request, let origin)) = cassette.events.first(where: isRequest(2))?.kind else {
      Issue.record("there is no second call")
      return
    }
    #expect(request.location.description == "https://shop.example/home")
    #expect(origin == 1)
    let connections = cassette.trace.exchanges.compactMap(\.connection?.connection)
    #expect(connections.map(\.id) == [1, 1, 1, 1])
    #expect(connections.map(\.isReused) == [false, true, true, true])
    #expect(connections[0].address == "[2001:db8::7]:443")
  }

  @Test func `TLS is told apart whether or not the exporter counts it in connect`() throws {
    let times = try ["chrome.har", "firefox.har", "charles.har", "mitmproxy.har", "playwright.zip"].map { file in
      let connection = try #require(try HARFixtures.cassette(file).trace.exchanges[0].connection?.connection)
      return [connection.connect, connection.tls]
    }
    #expect(
      times == [
        [.microseconds(12_250), .microseconds(8250)], [.milliseconds(32), .milliseconds(66)],
        [.milliseconds(40), .milliseconds(80)], [.microseconds(20_250), .microseconds(40_500)],
        [.microseconds(6500), .milliseconds(14)],
      ])
  }

  @Test func `a request's body comes from text, base64 or params`() throws {
    let bodies = try ["charles.har", "version13.har", "pairs.har"].flatMap { file in
      try HARFixtures.cassette(file).trace.exchanges.map(\.request.body.bytes)
    }
    let multipart =
      "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n"
      + "--XX\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--XX--\r\n"
    #expect(
      bodies == [
        Array("user=a+b&q=%C3%A4%26%3D".utf8), [], [0, 0xFF, 0x10, 0xFB], Array(multipart.utf8),
        Array("hé".utf8), [],
      ])
  }

  @Test(arguments: [
    ("", "x.har:1:1: error: the file is empty; a HAR begins with {\"log\":{…"),
    ("{\"log\":{", "x.har:1:9: error: the JSON text ends too early; the file is no HAR, or was cut off"),
    ("{\n \"logs\": 1}", "x.har:1:1: error: the file is JSON but no HAR: it has no object \"log\""),
    ("[]", "x.har:1:1: error: the file is JSON but no HAR: it has no object \"log\""),
    ("{\"log\":\n{\"a\" 1}}", "x.har:2:6: error: expected ':'; the file is no HAR, or was cut off"),
    ("PK\u{3}\u{4}", "x.har:1:1: error: the zip file has no directory at its end; it is damaged or cut off"),
  ])
  func `what is no HAR gives one clear error`(text: String, message: String) {
    #expect { try Cassette(har: Array(text.utf8), path: "x.har") } throws: { "\($0)" == message }
  }

  @Test func `a HAR with nothing but a log is an empty launch`() throws {
    let cassette = try Cassette(har: Array("{\"log\":{}}".utf8), path: "a/empty.har")
    #expect(cassette.name == "empty")
    #expect(cassette.events.map(\.kind) == [.launch(1), .closed(Closing(events: 1))])
    #expect(try JSON(parsing: cassette.har) == ["log": [:]])
  }

  @Test func `text in UTF-16 is read`() throws {
    let units = try text(HARFixtures.bytes("insomnia.har")).utf16
    let bytes: [UInt8] = [0xFF, 0xFE] + units.flatMap { unit in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try Cassette(har: bytes, path: "insomnia.har").events == HARFixtures.cassette("insomnia.har").events)
  }

  @Test(arguments: [
    ("{\"log\":{", true), ("\u{FEFF} {\n \"log\" : {", true), ("PK\u{3}\u{4}", true), ("{\"cassette\":1}", false),
    ("{\"logs\":{", false), ("", false),
  ])
  func `a file tells by its first bytes whether it is a HAR`(text: String, isHAR: Bool) {
    #expect(Cassette.looksLikeHAR(Array(text.utf8)) == isHAR)
  }

  @Test func `no name of a file leads out of the HAR's folder`() throws {
    for name in ["/etc/passwd", "../x", "a/../../x", "", "..\\x"] {
      let entry: JSON = ["response": ["status": 200, "content": ["_file": .string(name)]]]
      let bytes = JSON.object(["log": ["entries": [entry]]]).serialized
      let cassette = try Cassette(har: bytes, path: "x.har", attachment: { _ in Array("secret".utf8) })
      #expect(cassette.trace.exchanges[0].steps.last.map { outcome($0.step) } == "missing")
    }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func isRequest(_ number: Int) -> (Event) -> Bool {
    { if case .call(number, .request) = $0.kind { true } else { false } }
  }

  private func outcome(_ exchange: Exchange) -> String {
    let status = exchange.response.map { "\($0.head.status)" }
    let failure = exchange.error.map { "\($0.reason.rawValue) during \($0.phase.rawValue)" }
    let content = exchange.steps.last.map { outcome($0.step) } ?? "open"
    let time = (exchange.end ?? exchange.requested).microseconds - exchange.requested.microseconds
    return "\(failure ?? status ?? "open") \(content) in \(time)"
  }

  private func outcome(_ step: Event.Step) -> String {
    switch step {
    case .end(let content), .error(_, let content):
      content.isMissing ? "missing" : "\(content.body.count)\(content.isRaw ? " raw" : "")"
    default: "open"
    }
  }
}
