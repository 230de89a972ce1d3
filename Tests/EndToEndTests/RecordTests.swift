import Foundation
import LaunchCassette
import LaunchTrace
import Testing

/// `launchtape record` in real time, whole and interrupted.
@Suite struct RecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a recorded launch verifies, replays and is not overwritten`() async throws {
    let path = folder.path("out.cassette")
    let recorded = try await CommandLineTool.run("record", path, "--flow", "first-launch", in: folder)
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(recorded.output.hasPrefix("\(path): out: 21 calls, 53 marks, "))

    let verified = try await CommandLineTool.run("verify", path, in: folder)
    #expect(verified.status == 0, "\(verified.output)")
    let replayed = try await CommandLineTool.run(
      "replay", path, "--flow", "first-launch", "--speed", "immediate", "--strict", in: folder)
    #expect(replayed.status == 0, "\(replayed.errors)")

    let again = try await CommandLineTool.run("record", path, "--flow", "first-launch", in: folder)
    #expect(again.status == 2)
    #expect(again.errors == "launchtape: \(path) exists and stays as it is\n  to replace it: add --force\n")
  }

  /// Ten recordings run at once; each is killed at its own random moment of the launch.
  @Test func `kill -9 leaves a readable cassette, the unfinished line aside`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        let moment = Duration.milliseconds(Int.random(in: 300...12_000))
        group.addTask {
          let path = folder.path("killed-\(number).cassette")
          let run = try CommandLineTool.start(
            ["record", path, "--flow", "first-launch"], folder: folder, name: "killed-\(number)")
          try await Task.sleep(for: moment)
          kill(run.process.processIdentifier, SIGKILL)
          _ = await run.status()
          try Self.check(path, killedAfter: moment)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted recording is kept as a cut cassette, and an older one stays`(signal: Int32) async throws {
    let path = try folder.write("older", to: "out-\(signal).cassette")
    let run = try CommandLineTool.start(
      ["record", path, "--flow", "first-launch", "--force"], folder: folder, name: "\(signal)")
    while !FileManager.default.fileExists(atPath: path + ".part") { await Task.yield() }
    try await Task.sleep(for: .milliseconds(500))
    kill(run.process.processIdentifier, signal)
    #expect(await run.status() == 2)
    #expect(try folder.text("\(signal).err").contains("interrupted; what was recorded until then is the cut cassette"))
    #expect(try folder.text("out-\(signal).cassette") == "older")
    #expect(try !Cassette(path: path + ".part").trace.isClosed)
  }

  private static func check(_ path: String, killedAfter moment: Duration) throws {
    // A kill before the first line was written leaves nothing to read.
    guard let bytes = FileManager.default.contents(atPath: path + ".part"), !bytes.isEmpty else { return }
    let cassette = try Cassette(path: path)
    #expect(!cassette.trace.isClosed)
    let lines = bytes.split(separator: UInt8(ascii: "\n")).count
    // The header is a line and no event; the last line may be torn.
    #expect(lines - 2 <= cassette.events.count && cassette.events.count <= lines - 1, "killed after \(moment)")
  }
}
