import Foundation
import LaunchCassette
import LaunchHTTP
import LaunchTrace
import Testing

/// `launchtape record` in real time, whole and interrupted.
@Suite struct RecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How many calls there are is a matter of the machine: a busy one merges what OneSignal is told otherwise.
  @Test func `a recorded launch verifies, replays and is not overwritten`() async throws {
    let path = folder.path("out.cassette")
    let recorded = try await CommandLineTool.run("record", path, "--flow", "first-launch", in: folder)
    #expect(recorded.status == 0, "\(recorded.errors)")
    let trace = try Cassette(path: path).trace
    let marks = trace.events.compactMap { if case .mark(let mark) = $0.kind { mark.name } else { nil } }
    #expect(
      recorded.output.hasPrefix("\(path): out: \(trace.exchanges.count) calls, \(marks.count) marks, "),
      "\(recorded.output)")
    #expect(trace.isClosed)
    for exchange in trace.exchanges { #expect(exchange.response.map { 200...299 ~= $0.head.status } == true) }
    for name in ["ATT answered", "campaign", "IAM did display", "home shown", "paywall shown"] {
      #expect(marks.count { $0 == name } == 1, "\(name)")
    }

    let verified = try await CommandLineTool.run("verify", path, in: folder)
    #expect(verified.status == 0, "\(verified.output)")
    let replayed = try await CommandLineTool.run(
      "replay", path, "--flow", "first-launch", "--speed", "immediate", "--strict", in: folder)
    #expect(replayed.status == 0, "\(replayed.errors)")

    let again = try await CommandLineTool.run("record", path, "--flow", "first-launch", in: folder)
    #expect(again.status == 2)
    #expect(
      again.errors == """
        launchtape: \(path) exists and stays as it is
          to replace it: add --force; to keep it and record only what is missing: --mode fill

        """)
  }

  /// Ten recordings run at once; each is killed at its own random moment of the launch.
  @Test func `kill -9 leaves a readable cassette, the unfinished line aside`() async throws {
    let readable = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<10 {
        let seconds = Double.random(in: 0.3...12)
        group.addTask {
          let path = folder.path("killed-\(number).cassette")
          _ = try await CommandLineTool.run(
            ["record", path, "--flow", "first-launch"], interruptedBy: .init(signal: "KILL", seconds: seconds),
            in: folder)
          return try Self.isReadable(path, killedAfter: seconds)
        }
      }
      return try await group.reduce(into: 0) { count, isReadable in count += isReadable ? 1 : 0 }
    }
    // On a busy machine a process may be killed before it begins to write.
    #expect(readable >= 7)
  }

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `an interrupted recording is kept as a cut cassette, and an older one stays`(signal: String) async throws {
    let path = try folder.write("older", to: "out.cassette")
    let result = try await CommandLineTool.run(
      ["record", path, "--flow", "first-launch", "--force"], interruptedBy: .init(signal: signal, seconds: 4),
      in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("interrupted; what was recorded until then is the cut cassette \(path).part"))
    #expect(result.output.contains("  home never appears\n"))
    #expect(try folder.text("out.cassette") == "older")
    #expect(try !Cassette(path: path + ".part").trace.isClosed)
  }

  /// False when the recording was killed before its first line was written.
  private static func isReadable(_ path: String, killedAfter seconds: Double) throws -> Bool {
    guard let bytes = FileManager.default.contents(atPath: path + ".part"), !bytes.isEmpty else { return false }
    let cassette = try Cassette(path: path)
    #expect(!cassette.trace.isClosed)
    let lines = bytes.split(separator: UInt8(ascii: "\n")).count
    // The header is a line and no event; the last line may be torn.
    #expect(lines - 2 <= cassette.events.count && cassette.events.count <= lines - 1, "killed after \(seconds) s")
    return true
  }
}
