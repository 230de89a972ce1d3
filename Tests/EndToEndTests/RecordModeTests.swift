import Foundation
import LaunchCassette
import LaunchHTTP
import LaunchTrace
import Testing

/// What `launchtape record` does about a cassette that is there, and about continuous integration.
@Suite struct RecordModeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `rewrite replaces a cassette, fill answers from it and records what is missing`() async throws {
    let path = try folder.write("not a cassette\n", to: "out.cassette")
    let rewritten = try await Shell.run(
      "$launchtape record out.cassette --flow first-launch --mode rewrite", in: folder)
    #expect(rewritten.status == 0, "\(rewritten.errors)")

    // The file loses one exchange that nothing else depends on, and gains one that nobody asks for.
    let lines = try folder.text("out.cassette").split(separator: "\n").map(String.init)
    let request = try #require(lines.first { $0.contains("/net-config.json") })
    let lost = try #require(request.firstMatch(of: /"call":\d+,/)).output
    var edited = lines.filter { !$0.contains(lost) }
    edited.insert(
      #"{"at":0,"call":99,"request":{"method":"GET","url":"https://api.adapty.io/old","headers":[]}}"#, at: 2)
    edited.insert(#"{"at":0,"call":99,"error":{"reason":"reset","phase":"response"}}"#, at: 3)
    _ = try folder.write(edited.joined(separator: "\n") + "\n", to: "out.cassette")

    let filled = try await Shell.run("$launchtape record out.cassette --flow first-launch --mode fill", in: folder)
    #expect(filled.status == 0, "\(filled.errors)")
    #expect(filled.errors.contains("the stand-ins start anew and have seen none of the calls in out.cassette, "))
    let cassette = try Cassette(path: path)
    #expect(cassette.warnings == [])
    // How many that are is a matter of the machine: a busy one merges what OneSignal is told otherwise.
    let paths = cassette.trace.exchanges.map(\.request.location.path)
    #expect(paths.count { $0.hasSuffix("/net-config.json") } == 1)
    #expect(
      filled.output.contains(
        "\n\(paths.count - 1) of \(paths.count) calls were answered from the cassette that was there\n"))
    #expect(filled.output.hasSuffix("not asked for and left out: call 99, GET https://api.adapty.io/old\n"))
  }

  @Test func `a recording that was cut off can be filled up`() async throws {
    let result = try await Shell.run(
      """
      timeout --preserve-status --signal=KILL 6 $launchtape record out.cassette --flow first-launch
      $launchtape record out.cassette --flow first-launch --mode fill
      """, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(" calls were answered from the cassette that was there"))
    #expect(try Cassette(path: folder.path("out.cassette")).trace.isClosed)
  }

  @Test func `CI refuses to record unless it is told to`() async throws {
    let refused = try await Shell.run("CI=true $launchtape record out.cassette --flow first-launch", in: folder)
    #expect(refused.status == 2)
    #expect(
      refused.errors == """
        launchtape: CI is set, and what CI records nobody has reviewed; nothing was recorded
          record on your own machine and check the cassette in, or add --record-in-ci

        """)
    // It goes on to the next reason not to record.
    let allowed = try await Shell.run(
      "touch out.cassette; CI=true $launchtape record out.cassette --flow first-launch --record-in-ci", in: folder)
    #expect(allowed.errors.hasPrefix("launchtape: out.cassette exists and stays as it is\n"))
    let told = try await Shell.run("CI=false $launchtape record out.cassette --flow first-launch", in: folder)
    #expect(told.errors.hasPrefix("launchtape: out.cassette exists and stays as it is\n"))
  }

  @Test func `an unknown mode is one error`() async throws {
    let result = try await Shell.run("$launchtape record a.cassette --flow first-launch --mode all", in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors == "launchtape: --mode takes new, rewrite or fill, not all\n  see: launchtape record --help\n")
  }
}
