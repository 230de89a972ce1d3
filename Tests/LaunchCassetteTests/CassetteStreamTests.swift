import Foundation
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette
@testable import LaunchFile

/// A cassette read in parts is the cassette read as a whole.
struct CassetteStreamTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let cassettes = [
    "cassettes/first-launch.cassette", "Tests/cassettes/toy-launch.cassette", "Tests/Fixtures/cassette/forms.cassette",
    "Tests/Fixtures/cassette/by-hand.cassette.part",
  ].map { root.appending(path: $0).path() }

  private static func temporaryPath(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(name)").path()
  }

  /// What reading gives, or says.
  private struct Reading: Equatable {
    var header: CassetteHeader?
    var events: [Event] = []
    var warnings: [String] = []
    var error: String?
  }

  private static func whole(_ path: String) -> Reading {
    do {
      let cassette = try Cassette(path: path)
      return Reading(header: cassette.header, events: cassette.events, warnings: cassette.warnings.map(\.description))
    } catch {
      return Reading(error: "\(error)")
    }
  }

  private static func streamed(_ path: String, size: Int) -> Reading {
    var reading = Reading()
    do {
      var stream = try CassetteStream(FileBlocks(path, size: size), name: path)
      reading.header = stream.header
      while let events = try stream.next() { reading.events += events }
      reading.warnings = stream.warnings.map(\.description)
      return reading
    } catch {
      return Reading(error: "\(error)")
    }
  }

  @Test(arguments: cassettes, [17, 100, 4096, 1 << 20])
  func `parts of any size make the same events`(path: String, size: Int) {
    #expect(Self.streamed(path, size: size) == Self.whole(path))
  }

  @Test func `a file cut anywhere says the same`() throws {
    let path = Self.temporaryPath("cut.cassette")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = try readFile(Self.cassettes[1])
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 0...bytes.count, using: &generator)
      try Data(bytes.prefix(count)).write(to: URL(filePath: path))
      #expect(Self.streamed(path, size: 64) == Self.whole(path), "\(count) bytes")
    }
  }

  @Test func `a file damaged anywhere says the same`() throws {
    let path = Self.temporaryPath("damaged.cassette")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = try readFile(Self.cassettes[1])
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      try Data(damaged).write(to: URL(filePath: path))
      #expect(Self.streamed(path, size: 64) == Self.whole(path))
    }
  }

  @Test func `events may stand without a header`() throws {
    let path = Self.temporaryPath("bare.jsonl")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{\"at\":0,\"mark\":\"a\"}\n{\"at\":5,\"mark\":\"b\"}".utf8).write(to: URL(filePath: path))
    let reading = Self.streamed(path, size: 1 << 10)
    #expect(reading.header?.name.contains("bare") == true && reading.events.count == 2 && reading.error == nil)
  }

  @Test func `ended calls are forgotten and stay ended`() {
    var order = EventOrder()
    let request = EventOrderSamples.request(1)
    #expect(order.findings(on: request).isEmpty)
    for step in EventOrderSamples.answer(1) { #expect(order.findings(on: step).isEmpty) }
    order.forgetEnded()
    #expect(order.findings(on: request).contains(.error("call 1 has a request already")))
    #expect(order.findings(on: EventOrderSamples.request(2)).isEmpty)
  }
}

private enum EventOrderSamples {
  static func request(_ call: Int) -> Event {
    let url = "https://a.test/\(call)"
    return event(#"{"at":1,"call":\#(call),"request":{"method":"GET","url":"\#(url)","headers":[]}}"#)
  }

  static func answer(_ call: Int) -> [Event] {
    [
      event(#"{"at":2,"call":\#(call),"response":{"status":204,"headers":[]}}"#),
      event(#"{"at":3,"call":\#(call),"end":{}}"#),
    ]
  }

  private static func event(_ line: String) -> Event {
    let bytes = Array(line.utf8)
    var reader = LineReader(bytes, in: bytes.indices)
    guard let event = try? reader.event() else { preconditionFailure("a sample line is an event") }
    return event
  }
}
