import Foundation
import Testing

/// `launchtape lint`, and contracts of several files.
@Suite struct LintTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `the shipped contracts are laid out in the canonical way`() async throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: CommandLineTool.packageFolder + "/contracts")
      .sorted()
    let paths = names.filter { $0.hasSuffix(".contract") }.map { "contracts/\($0)" }
    #expect(paths.count == 7)
    let result = try await CommandLineTool.run(["lint"] + paths, in: folder)
    #expect(result.output.isEmpty)
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
  }

  @Test func `a contract is named first, and laid out with --fix, its permissions kept`() async throws {
    let path = try folder.write("contract \"x\" version 1\nmark a,b # two\nb only  after a\n", to: "x.contract")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let named = try await CommandLineTool.run("lint", path, in: folder)
    #expect(named.output == "\(path): not laid out in the canonical way; to do so: launchtape lint \(path) --fix\n")
    #expect(named.status == 1)
    let fixed = try await CommandLineTool.run("lint", path, "--fix", in: folder)
    #expect(fixed.output == "\(path): laid out\n")
    #expect(fixed.status == 0)
    #expect(try folder.text("x.contract") == "contract \"x\" version 1\n\nmark a, b  # two\nb only after a\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    #expect(try await CommandLineTool.run("lint", path, in: folder).status == 0)
  }

  @Test func `a link stays one, and what it leads to is laid out`() async throws {
    let path = try folder.write("contract \"x\" version 1\nmark a\nno  a\n", to: "x.contract")
    let link = folder.path("link.contract")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "x.contract")
    #expect(try await CommandLineTool.run("lint", link, "--fix", in: folder).output == "\(link): laid out\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "x.contract")
    #expect(try folder.text("x.contract") == "contract \"x\" version 1\n\nmark a\nno a\n")
    #expect(try await CommandLineTool.run("lint", path, in: folder).status == 0)
  }

  @Test func `mistakes are printed, and a file with one stays as it is`() async throws {
    let text = "contract \"x\" version 1\nmark  a\nno b\n"
    let path = try folder.write(text, to: "x.contract")
    let result = try await CommandLineTool.run("lint", path, path, "\(path)-missing", "--fix", in: folder)
    let mistake = "\(path):3:4: error: 'b' is not declared; declare it with 'mark' or 'call'\nno b\n   ^\n"
    #expect(
      result.errors == mistake + mistake + "launchtape: cannot read \(path)-missing: No such file or directory\n")
    #expect(result.status == 2)
    #expect(try folder.text("x.contract") == text)
  }

  @Test func `verify reads what a contract includes from beside it`() async throws {
    _ = try folder.write("contract \"names\" version 1\n\nmark splash = \"splash launch\"\n", to: "names.contract")
    let path = try folder.write(
      "contract \"x\" version 1\n\ninclude \"names.contract\"\n\nexactly 1 splash\n", to: "x.contract")
    let result = try await CommandLineTool.run(
      "verify", "cassettes/first-launch.cassette", "--contract", path, in: folder)
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    #expect(try await CommandLineTool.run("lint", path, folder.path("names.contract"), in: folder).status == 0)
  }
}
