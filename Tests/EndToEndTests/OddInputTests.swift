import Foundation
import Testing

/// Inputs that are no ordinary files, and outputs that do not fit.
@Suite struct OddInputTests {
  private static let recording = CommandLineTool.packageFolder + "/cassettes/first-launch.cassette"
  private static let contract = "contract \"x\" version 1\nmark splash = \"splash launch\"\n[R1] exactly 1 splash\n"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    "verify <(cat \(Self.recording)) --contract <(echo 'contract \"x\" version 1'; echo 'mark splash = \"splash launch\"'; echo '[R1] exactly 1 splash')",
    "show <(cat \(Self.recording))",
    "redact <(cat \(Self.recording)) safe.cassette --rules <(echo redact header X-None)",
    "convert <($launchtape convert \(Self.recording) a.har >/dev/null; cat a.har) b.cassette",
    "replay <(cat \(Self.recording)) --flow first-launch --speed immediate",
  ])
  func `a pipe is read to its end, once`(command: String) async throws {
    let result = try await Shell.run("timeout 60 $launchtape \(command)", in: folder)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: ["/dev/zero", "/dev/full"], ["show", "lint", "verify --contract launch.contract"])
  func `a device without an end is an error at once`(device: String, verb: String) async throws {
    _ = try folder.write(Self.contract, to: "launch.contract")
    let result = try await Shell.run("timeout 60 $launchtape \(verb) \(device)", in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix("launchtape: cannot read \(device): it is a device, and gives bytes without an end"),
      "\(result.errors)")
  }

  @Test func `standard input without an end is an error, too`() async throws {
    _ = try folder.write(Self.contract, to: "launch.contract")
    let result = try await Shell.run(
      "timeout 60 $launchtape verify - --contract launch.contract < /dev/zero", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("it is a device, and gives bytes without an end"), "\(result.errors)")
  }

  @Test func `a path that is no UTF-8 is told of`() async throws {
    let result = try await Shell.run(
      "cp \(Self.recording) $'b\\xffd.cassette'; $launchtape show $'b\\xffd.cassette'", in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        launchtape: the argument b\u{FFFD}d.cassette is not UTF-8, and launchtape takes no other text
          if it is the name of a file or folder, rename that

        """)
  }

  @Test func `a HAR that does not fit on the disk leaves nothing`() async throws {
    let result = try await Shell.run("ulimit -f 1; $launchtape convert \(Self.recording) out.har", in: folder)
    #expect(result.status == 2 && result.errors.contains("cannot write out.har.part"), "\(result.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.hasPrefix("out.har") })
  }
}
