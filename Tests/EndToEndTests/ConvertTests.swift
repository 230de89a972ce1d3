import Foundation
import Testing

/// The verb `convert`: whole output, exit code, and the files it writes.
@Suite struct ConvertTests {
  private let folder: TemporaryFolder
  private static let fixtures = CommandLineTool.packageFolder + "/Tests/Fixtures/har"
  private static let recording = CommandLineTool.packageFolder + "/cassettes/first-launch.cassette"

  init() throws { folder = try TemporaryFolder() }

  @Test func `the verb explains itself with an example`() async throws {
    let result = try await CommandLineTool.run("convert", "--help", in: folder)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("usage: launchtape convert IN OUT"))
    #expect(result.output.contains("example:\n  launchtape convert"))
  }

  @Test func `a cassette becomes a HAR and the same cassette again`() async throws {
    let there = try await CommandLineTool.run("convert", Self.recording, folder.path("a.har"), in: folder)
    #expect(there.status == 0)
    #expect(there.errors.isEmpty)
    #expect(there.output.hasPrefix("\(folder.path("a.har")): "))
    let back = try await CommandLineTool.run("convert", folder.path("a.har"), folder.path("b.cassette"), in: folder)
    #expect(back.status == 0)
    #expect(back.errors.isEmpty)
    #expect(try folder.text("b.cassette") == String(contentsOfFile: Self.recording, encoding: .utf8))
  }

  @Test func `a HAR becomes a cassette, and each repair is told with its place`() async throws {
    let result = try await CommandLineTool.run(
      "convert", "Tests/Fixtures/har/firefox.har", folder.path("a.cassette"), in: folder)
    #expect(result.status == 0)
    #expect(
      try result.errors
        == String(contentsOfFile: "\(Self.fixtures)/firefox.warnings", encoding: .utf8)
        .replacing("firefox.har:", with: "Tests/Fixtures/har/firefox.har:"))
    #expect(
      try folder.text("a.cassette") == String(contentsOfFile: "\(Self.fixtures)/firefox.cassette", encoding: .utf8))
  }

  @Test func `a log that is not there is told as such`() async throws {
    let result = try await CommandLineTool.run(
      "convert", Self.recording, folder.path("a.cassette"), "--log", "nope.log", in: folder)
    #expect(
      result.status == 2
        && result.errors == """
          launchtape: cannot read nope.log: No such file or directory; nothing was merged
            name a log that can be read: --log FILE

          """,
      "\(result.errors)")
  }

  @Test func `a zipped HAR is read with the bodies beside it`() async throws {
    let zip = try await CommandLineTool.run(
      "convert", "\(Self.fixtures)/playwright.zip", folder.path("a.cassette"), in: folder)
    #expect(zip.status == 0)
    #expect(try folder.text("a.cassette").contains(#"{"text":"<title>shop</titl"}"#))
  }

  @Test func `a body in a file beside the HAR is read`() async throws {
    let har = try folder.write(
      #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2024-03-01T08:00:00Z","#
        + #""time":1,"request":{"method":"GET","url":"https://a.example/"},"timings":{"send":0,"wait":1,"receive":0},"#
        + #""response":{"status":200,"content":{"size":2,"_file":"body.txt"}}}]}}"#, to: "x.har")
    _ = try folder.write("ok", to: "body.txt")
    let result = try await CommandLineTool.run("convert", har, folder.path("x.cassette"), in: folder)
    #expect(result.errors.isEmpty)
    #expect(try folder.text("x.cassette").contains(#""end":{"body":{"text":"ok"}}"#))
  }

  @Test func `a file that is there stays, unless told to be replaced`() async throws {
    let out = try folder.write("mine", to: "out.har")
    let refused = try await CommandLineTool.run("convert", Self.recording, out, in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors == "launchtape: \(out) exists and stays as it is\n  to replace it: add --force\n")
    #expect(try folder.text("out.har") == "mine")
    let forced = try await CommandLineTool.run("convert", Self.recording, out, "--force", in: folder)
    #expect(forced.status == 0)
    #expect(try folder.text("out.har").hasPrefix(#"{"log":{"version":"1.2","#))
  }

  @Test func `what cannot be converted says why`() async throws {
    let odd = try await CommandLineTool.run("convert", Self.recording, folder.path("out.txt"), in: folder)
    #expect(odd.status == 2)
    #expect(odd.errors.hasPrefix("launchtape: \(folder.path("out.txt")) has no ending that says its format"))
    let broken = try folder.write("{\"log\":", to: "broken.har")
    let result = try await CommandLineTool.run("convert", broken, folder.path("out.cassette"), in: folder)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("launchtape: \(broken):1:8: error: the JSON text ends too early"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.cassette")))
  }
}
