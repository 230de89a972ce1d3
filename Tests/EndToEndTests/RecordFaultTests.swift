import Foundation
import LaunchCassette
import LaunchTrace
import Testing

/// `launchtape record` when the disk is full, and when signals come at a bad time.
@Suite struct RecordFaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a write that fails ends the recording at once and loudly, and the old cassette stays`() async throws {
    let path = try folder.write("older", to: "out.cassette")
    let result = try await Shell.run(
      "ulimit -f 8; $launchtape record out.cassette --flow first-launch --force", in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        launchtape: the recording failed: cannot write out.cassette.part: File too large
          what there is of it: launchtape show out.cassette.part

        """)
    #expect(result.output == "")
    #expect(try folder.text("out.cassette") == "older")
    let part = try Cassette(path: path + ".part")
    #expect(!part.trace.isClosed)
    #expect(part.trace.end < .zero + .seconds(10))
  }

  @Test(arguments: ["INT", "TERM"])
  func `signals one after another end the recording once, in order`(signal: String) async throws {
    let result = try await Shell.run(
      """
      $launchtape record out.cassette --flow first-launch & recording=$!
      sleep 4
      for again in 1 2 3 4 5 6 7 8 9 10; do kill -\(signal) $recording 2>/dev/null; done
      wait $recording
      """, in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("interrupted; what was recorded until then is the cut cassette out.cassette.part"))
    #expect(try !Cassette(path: folder.path("out.cassette.part")).trace.isClosed)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.cassette")))
  }

  /// A hail of signals from each step of the last call on meets the close in whatever state it is in.
  @Test func `signals while the cassette is closed leave it whole or cut, never torn`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in ["request", "response", "chunk", "end"] {
        group.addTask {
          let result = try await Shell.run(
            """
            $launchtape record \(step).cassette --flow first-launch & recording=$!
            until [ -e \(step).cassette ] || grep -qs '"call":21,"\(step)"' \(step).cassette.part; do
              kill -0 $recording || exit 9
              sleep 0.02
            done
            while kill -INT $recording 2>/dev/null; do :; done
            wait $recording
            """, in: folder)
          let path = folder.path("\(step).cassette")
          if FileManager.default.fileExists(atPath: path) {
            #expect(try Cassette(path: path).trace.isClosed)
            #expect(!FileManager.default.fileExists(atPath: path + ".part"))
          } else {
            #expect(result.status == 2, "\(result.errors)")
            #expect(try !Cassette(path: path + ".part").trace.isClosed)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
