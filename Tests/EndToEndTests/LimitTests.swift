import Foundation
import LaunchCassette
import LaunchTrace
import Testing

/// What the tool does when the system gives it too little, or a path leads nowhere.
@Suite struct LimitTests {
  private let folder: TemporaryFolder
  private static let recording = CommandLineTool.packageFolder + "/cassettes/first-launch.cassette"

  init() throws { folder = try TemporaryFolder() }

  @Test func `a recording whose last lines do not fit stays as a cut one`() async throws {
    let result = try await Shell.run(
      "ulimit -f 32; $launchtape record out.cassette --flow first-launch", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("cannot write out.cassette.part"))
    #expect(try Cassette(path: folder.path("out.cassette.part")).trace.exchanges.count > 10)
  }

  @Test(arguments: ["redact", "convert"]) func `a file that becomes too large is an error`(verb: String) async throws {
    let result = try await Shell.run("ulimit -f 1; $launchtape \(verb) \(Self.recording) out.cassette", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("File too large"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.cassette")))
  }

  @Test func `too few descriptors are told of before anything is served`() async throws {
    let result = try await Shell.run(
      "ulimit -n 40; $launchtape replay \(Self.recording) --listen 127.0.0.1:0", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("only 40 file descriptors are allowed"))
  }

  @Test func `a server whose addresses cannot be printed does not serve`() async throws {
    let result = try await CommandLineTool.run(
      ["replay", "cassettes/first-launch.cassette", "--listen", "127.0.0.1:0"], outputTo: "/dev/full", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("launchtape: the results could not be printed: No space left on device"))
  }

  @Test func `stand-ins whose addresses cannot be printed do not serve`() async throws {
    let result = try await Shell.run("timeout 60 $launchtape sandbox > /dev/full", in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "launchtape: the results could not be printed: No space left on device\n")
  }

  @Test func `a replay that was started to outlive its terminal does`() async throws {
    let result = try await Shell.run(
      "trap '' HUP; $launchtape replay \(Self.recording) -- bash -c 'kill -HUP $PPID; sleep 0.2; exit 0'", in: folder)
    #expect(result.status == 0 && result.output.contains("served first-launch: 0 calls"), "\(result)")
  }

  @Test func `a trace that cannot be kept is told of before the replay`() async throws {
    let result = try await Shell.run(
      "$launchtape replay \(Self.recording) --output missing/x.cassette -- touch ran", in: folder)
    #expect(result.status == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.path("ran")))
  }

  @Test func `a command that ignores signals is ended by the third one`() async throws {
    let result = try await Shell.run(
      """
      $launchtape replay \(Self.recording) -- bash -c 'trap "" TERM; touch ready; while :; do sleep 0.1; done' & replay=$!
      until [ -e ready ]; do sleep 0.05; done
      for again in 1 2 3; do kill -TERM $replay; sleep 0.3; done
      wait $replay
      """, in: folder)
    #expect(result.status == 1)
    #expect(result.errors.contains("was ended by signal 9"))
  }

  @Test func `a change of protocols cannot be replayed, and is told of`() async throws {
    let cassette = try folder.write(
      """
      {"cassette":1,"name":"socket"}
      {"at":0,"launch":1}
      {"at":1,"call":1,"request":{"method":"GET","url":"http://a.test/","headers":[]}}
      {"at":2,"call":1,"response":{"status":101,"headers":[]}}
      {"at":3,"call":1,"end":{}}
      {"at":4,"closed":true,"events":4}

      """, to: "socket.cassette")
    let result = try await Shell.run(
      "$launchtape replay \(cassette) -- curl -s http://a.test/", in: folder)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("call 1 switched protocols, and what followed was not recorded\n"))
    #expect(result.output.contains("answered with 502, not recorded in full: call 1, GET http://a.test/"))
  }
}
