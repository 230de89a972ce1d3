@testable import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// What counts when somebody edits a HAR of ours, or a cassette that came from one.
struct HAREditTests {
  private static let text = """
    {"cassette":1,"name":"edited","recorded":"2026-01-02T03:04:05.000000Z"}
    {"at":0,"launch":1}
    {"at":1000,"call":1,"request":{"method":"GET","url":"https://a.example/x","headers":[]}}
    {"at":31000,"call":1,"connection":{"id":1,"address":"127.0.0.1:443","dns":5000,"connect":10000,"tls":15000}}
    {"at":32000,"call":1,"sent":{}}
    {"at":92000,"call":1,"response":{"status":200,"headers":[]}}
    {"at":92000,"call":1,"chunk":{"bytes":2}}
    {"at":102000,"call":1,"chunk":{"bytes":2}}
    {"at":112123,"call":1,"end":{"body":{"text":"abcd"}}}
    {"at":150000,"mark":"home"}
    {"at":150000,"closed":true,"events":9}

    """

  private static func edited(
    _ edit: (JSON) -> JSON
  ) throws -> (cassette: Cassette, original: Cassette) {
    let original = try Cassette(parsing: Array(text.utf8), path: "edited.cassette")
    return (try Cassette(har: changed(try JSON(parsing: original.har), edit).serialized, path: "edited.har"), original)
  }

  /// The HAR with its first entry edited.
  private static func changed(_ root: JSON, _ edit: (JSON) -> JSON) throws -> JSON {
    var entries = try #require(root["log"]?["entries"]?.array)
    entries[0] = edit(entries[0])
    return root.setting("log", to: root["log"]?.setting("entries", to: .array(entries)))
  }

  private func times(_ cassette: Cassette) -> [Int64] {
    cassette.events.compactMap { if case .call = $0.kind { $0.at.microseconds } else { nil } }
  }

  @Test func `times that another tool changed count, and the chunks keep their places between them`() throws {
    let (cassette, original) = try Self.edited { entry in
      entry.setting("startedDateTime", to: "2026-01-02T03:04:06.000Z")
        .setting("timings", to: entry["timings"]?.setting("wait", to: 160).setting("receive", to: .number("40.246")))
    }
    #expect(times(original) == [1000, 31_000, 32_000, 92_000, 92_000, 102_000, 112_123])
    #expect(
      times(cassette) == [1_000_000, 1_030_000, 1_031_000, 1_191_000, 1_191_000, 1_211_000, 1_231_246])
    #expect(
      cassette.warnings.map(\.message) == [
        "log.entries[0]: its times were changed since it was written; they count, not those in _launchtape"
      ])
    #expect(cassette.trace.isClosed && cassette.events.last?.at == Instant(microseconds: 1_231_246))
    #expect(cassette.events.first { if case .mark = $0.kind { true } else { false } }?.at.microseconds == 150_000)
    #expect(try Cassette(parsing: cassette.serialized, path: "x").events == cassette.events)
    let again = try Cassette(har: cassette.har, path: "x.har")
    #expect(again.events == cassette.events && again.warnings.isEmpty)
  }

  @Test func `the parts of a changed connection count, too`() throws {
    let (cassette, _) = try Self.edited { entry in
      entry.setting("timings", to: entry["timings"]?.setting("connect", to: 45).setting("ssl", to: 25))
    }
    let connection = cassette.trace.exchanges[0].connection
    #expect(connection?.connection.connect == .milliseconds(20) && connection?.connection.tls == .milliseconds(25))
    #expect(connection?.at == Instant(microseconds: 51_000))
  }

  @Test func `a tool that rounds to milliseconds has changed nothing`() throws {
    let (cassette, original) = try Self.edited { entry in
      entry.setting("time", to: 111).setting("timings", to: entry["timings"]?.setting("receive", to: 20))
    }
    #expect(times(cassette) == times(original))
    #expect(cassette.warnings.isEmpty)
  }

  @Test func `an edited call of an imported HAR is exported as it was edited`() throws {
    let imported = try HARFixtures.cassette("chrome.har")
    let lines = String(decoding: imported.serialized, as: UTF8.self).split(separator: "\n").map(String.init)
    let last = lines.lastIndex { $0.contains(#""call":2,"end""#) }
    var text = lines
    let end = try #require(last)
    text[end] = text[end].replacing(/"at":\d+/, with: "\"at\":9000000")
    for index in (end + 1)..<text.count { text[index] = text[index].replacing(/"at":\d+/, with: "\"at\":9000000") }
    let response = try #require(text.firstIndex { $0.contains(#""call":2,"response""#) })
    text[response] = text[response].replacing(#""status":200"#, with: #""status":404"#)
    let edited = try Cassette(parsing: Array(text.joined(separator: "\n").utf8), path: "x.cassette")
    let root = try JSON(parsing: edited.har)
    let entry = try #require(root["log"]?["entries"]?[1])
    #expect(entry["response"]?["status"] == 404)
    let took = try #require(edited.trace.exchanges[1].end) - edited.trace.exchanges[1].requested
    #expect(entry["time"]?.harMicroseconds == took.wholeMicroseconds)
    // What the edit did not touch still says what the HAR said.
    #expect(entry["_priority"] == "VeryHigh" && entry["pageref"] == "page_1")
    let again = try Cassette(har: root.serialized, path: "x.har")
    #expect(again.events == edited.events && again.header == edited.header)
    #expect(again.warnings.isEmpty)
  }

  @Test func `what is not HTTP is remarked once, and comes back`() throws {
    let urls = ["https://a.example/", "data:1,x", "blob:https://a.example/7", "chrome-extension://k/b.js", "data:,"]
    let entries = urls.map { url in
      ["startedDateTime": "2026-01-02T03:04:05Z", "request": ["method": "GET", "url": .string(url)]] as JSON
    }
    let bytes = (["log": ["version": "1.2", "entries": .array(entries)]] as JSON).serialized
    let cassette = try Cassette(har: bytes, path: "x.har")
    let remarks = cassette.warnings.map(\.message).filter { $0.contains("HTTP") }
    #expect(
      remarks == [
        "log.entries[1].request.url: blob:, chrome-extension:, data: is not HTTP, as in 4 entries; kept for the way back "
          + "to a HAR, and never replayed"
      ])
    #expect(cassette.trace.exchanges.map(\.request.canBeAsked) == [true, false, false, false, false])
    #expect(
      try JSON(parsing: cassette.har)["log"]?["entries"]?.array?.map { $0["request"]?["url"] }
        == urls.map { .string($0) })
  }

  @Test(arguments: [
    ("data:1,x", "data"), ("about:blank", "about"), ("BLOB:null/x", "blob"), ("example.com:443", nil),
    ("localhost:80/x", nil), ("HTTPS://x", nil), ("wss://x", nil), ("/x:y", nil), ("x", nil), (":", nil), ("", nil),
    ("localhost:", nil),
  ])
  func `a scheme is foreign where no client of HTTP can ask`(url: String, scheme: String?) {
    #expect(HAREntryReader.foreignScheme(url) == scheme)
  }

  @Test func `a zip file that grows too large is told by its size`() throws {
    var zip = try HARFixtures.bytes("playwright.zip")
    let directory = try #require(
      zip.indices.dropLast(4).first { zip[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 1, 2]) && zip[$0 + 10] == 8 })
    zip.replaceSubrange(directory + 24..<directory + 28, with: [0, 0, 0, 0x40])
    let nameLength = Int(zip[directory + 28])
    let name = String(decoding: zip[directory + 46..<directory + 46 + nameLength], as: UTF8.self)
    #expect { try ZipArchive(zip).content(of: name, inflate: inflateStoredBlocks) } throws: {
      ($0 as? ZipArchive.Failure)?.message
        == "\(name) in the zip file is larger than 256 MiB; unpack it first, if it is no bomb"
    }
  }

  @Test func `a body that grows too large in a zip file is told by its size`() throws {
    var zip = try HARFixtures.bytes("playwright.zip")
    let directory = try #require(
      zip.indices.dropLast(4).first { zip[$0..<$0 + 4].elementsEqual([0x50, 0x4B, 1, 2]) })
    zip[directory + 10] = 8
    zip.replaceSubrange(directory + 24..<directory + 28, with: [0, 0, 0, 0x40])
    let cassette = try Cassette(har: zip, path: "x.zip", inflate: inflateStoredBlocks)
    let reason = "_file: 5f3e.html in the zip file is larger than 256 MiB; unpack it first, if it is no bomb"
    #expect(cassette.warnings.contains { $0.message.hasSuffix(reason) }, "\(cassette.warnings)")
  }
}
