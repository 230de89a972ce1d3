import Foundation
import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchTrace
import Testing

final class RecorderTests {
  private let folder: String
  private var path: String { folder + "/toy.cassette" }

  init() throws { folder = try createUniqueFolder(prefix: "launchtape-recorder-") }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `a recording is a closed cassette under the file's name`() async throws {
    let status = try await Recorder(path: path, by: "launchtape 0.1.0").record(over: server) { tap in
      tap.mark("begin")
      return try await tap.response(to: get("/a")).status
    }
    #expect(status == 200)
    let cassette = try Cassette(path: path)
    #expect(cassette.warnings == [])
    #expect(cassette.name == "toy")
    #expect(cassette.header.by == "launchtape 0.1.0")
    #expect(cassette.header.recorded.count == "2026-11-30T06:20:45.123456Z".count)
    #expect(cassette.trace.exchanges.map({ $0.end != nil }) == [true])
  }

  @Test func `a launch that fails leaves a cut recording, and the old cassette`() async throws {
    try writeFile(Array("old".utf8), to: path)
    await #expect(throws: ToyError.noSession) {
      try await Recorder(path: path, by: "x", replaces: true).record(over: server) { tap in
        _ = try await tap.response(to: get("/a"))
        throw ToyError.noSession
      }
    }
    #expect(try readFile(path) == Array("old".utf8))
    let cut = try Cassette(path: path + ".part")
    #expect(!cut.trace.isClosed)
    #expect(cut.trace.exchanges.map({ $0.end != nil }) == [true])
  }

  @Test func `a recording that cannot be written fails before the launch begins`() async {
    await #expect(throws: FileError.self) {
      try await Recorder(path: folder + "/missing/toy.cassette", by: "x").record(over: server) { _ in
        Issue.record("the launch ran")
      }
    }
  }

  @Test func `a recording that cannot take its name fails`() async throws {
    await #expect(throws: FileError.self) {
      try await Recorder(path: path, by: "x").record(over: server) { [path] _ in try createFolder(path) }
    }
    #expect(try Cassette(path: path + ".part").trace.isClosed)
  }

  private let server = AnswerTransport { _ in Answer(head: ResponseHead(status: 200), body: [1, 2, 3]) }
}
