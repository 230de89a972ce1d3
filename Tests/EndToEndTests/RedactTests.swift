import Foundation
import LaunchCassette
import Testing

/// `launchtape redact` on a launch that was recorded without any redaction; its secrets are made up.
@Suite struct RedactTests {
  private let folder: TemporaryFolder
  private let input = CommandLineTool.packageFolder + "/Tests/Fixtures/redaction/unredacted-launch.cassette"

  init() throws { folder = try TemporaryFolder() }

  @Test func `a redacted cassette holds no identifier, keeps its lengths and its contracts`() async throws {
    let output = folder.path("safe.cassette")
    let result = try await CommandLineTool.run("redact", input, output, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("\(output): 2"))
    #expect(result.output.contains("\n  idfa               1\n"), "\(result.output)")

    let safe = try folder.text("safe.cassette")
    for secret in ["11111111-2222-3333-4444-555555555555", "public_live_fakefake", "7d3c5a90-1f42", "Autumn launch"] {
      #expect(!safe.contains(secret))
    }
    let verified = try await CommandLineTool.run("verify", output, in: folder)
    #expect(verified.status == 0, "\(verified.output)")
    #expect(try Cassette(path: output).warnings.isEmpty)

    let again = try await CommandLineTool.run("redact", output, folder.path("again.cassette"), in: folder)
    #expect(again.status == 0)
    #expect(try folder.text("again.cassette") == safe)
  }

  @Test func `rules of a file come on top, and mistakes in it stop everything`() async throws {
    let output = folder.path("safe.cassette")
    let rules = try folder.write(
      "redact field segment_hash\nkeep field device_name\nredact field nonesuch\n", to: "my.rules")
    let result = try await CommandLineTool.run("redact", input, output, "--rules", rules, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("segment_hash"))
    #expect(result.errors == "\(rules):3:1: warning: the rule finds nothing\nredact field nonesuch\n^\n")
    #expect(try folder.text("safe.cassette").contains("iPhone99,1"))

    let wrong = try folder.write("redcat field a\n", to: "wrong.rules")
    let refused = try await CommandLineTool.run(
      "redact", input, folder.path("no.cassette"), "--rules", wrong, in: folder)
    #expect(refused.status == 2)
    #expect(
      refused.errors == """
        \(wrong):1:1: error: 'redcat' is no rule; did you mean 'redact'?
        redcat field a
        ^
        launchtape: \(wrong) has a mistake; nothing was redacted

        """)
    #expect(!FileManager.default.fileExists(atPath: folder.path("no.cassette")))
  }

  @Test func `nothing is overwritten without --force`() async throws {
    let output = try folder.write("mine", to: "out.cassette")
    let refused = try await CommandLineTool.run("redact", input, output, in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors == "launchtape: \(output) exists and stays as it is\n  to replace it: add --force\n")
    #expect(try folder.text("out.cassette") == "mine")
    let forced = try await CommandLineTool.run("redact", input, output, "--force", in: folder)
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(try folder.text("out.cassette").hasPrefix(#"{"cassette":1"#))
  }

  @Test func `a body whose encoding was not undone is withheld for a secret in it`() async throws {
    let gzip = try await Self.gzipped("idfv is AAAAAAAA-0000-4000-8000-000000000001, so it is", in: folder)
    let (result, output) = try await redact(end: #"{"body":{"base64":"\#(gzip)"},"raw":true}"#)
    #expect(result.status == 0)
    let reason = "what it holds in compressed form has a secret in it"
    #expect(
      result.errors
        == "\(output): warning: the body that call 1 got was withheld: \(reason); it cannot be replayed\n")
    let safe = try folder.text("safe.cassette")
    #expect(safe.contains(#","missing":true,"withheld":"\#(reason)"}}"#) && !safe.contains(gzip))
    #expect(try Cassette(path: output).warnings.count == 1)
  }

  @Test func `a secret inside compressed content in a string is found, and nothing is written`() async throws {
    let gzip = try await Self.gzipped("idfv is AAAAAAAA-0000-4000-8000-000000000001, so it is", in: folder)
    let (result, output) = try await redact(end: #"{"body":{"json":{"packed":"\#(gzip)"}}}"#)
    #expect(result.status == 2)
    #expect(result.errors.contains("would still hold a secret of the kind idfv on line 16"), "\(result.errors)")
    #expect(!result.errors.contains("AAAAAAAA-0000"))
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(!FileManager.default.fileExists(atPath: output + ".part"))
  }

  /// Redacts the launch with another end of its first call.
  private func redact(end: String) async throws -> (CommandLineTool.Result, output: String) {
    let source = try String(contentsOfFile: input, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains(#""call":1,"end""#) ? #"{"at":109149,"call":1,"end":\#(end)}"# : String(line)
    }
    let leaky = try folder.write(lines.joined(separator: "\n"), to: "leaky.cassette")
    let output = folder.path("safe.cassette")
    return (try await CommandLineTool.run("redact", leaky, output, in: folder), output)
  }

  private static func gzipped(_ text: String, in folder: TemporaryFolder) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = "import gzip,base64,sys;print(base64.b64encode(gzip.compress(sys.argv[1].encode())).decode(),end='')"
    process.arguments = ["python3", "-c", script, text]
    let output = folder.path("gzipped")
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    return try folder.text("gzipped")
  }
}
