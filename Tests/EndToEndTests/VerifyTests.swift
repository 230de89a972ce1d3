import Foundation
import Testing

/// `verify` on what comes from elsewhere, and in the formats that other programs read.
struct VerifyTests {
  private static let contract = """
    contract "order" version 1
    mark a, b
    [O1] b only after a

    """

  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    return folder
  }

  @Test(arguments: [
    // A cassette, its lines without a header, a log, a HAR.
    (
      "{\"cassette\":1,\"name\":\"x\"}\n{\"at\":0,\"mark\":\"b\"}\n{\"at\":9,\"closed\":true,\"events\":1}\n", 1,
      "BROKEN"
    ),
    ("{\"at\":0,\"mark\":\"a\"}\n{\"at\":0,\"mark\":\"b\"}\n{\"at\":9,\"closed\":true,\"events\":2}\n", 0, "HOLDS"),
    ("[waitingTime] start counting\n[waitingTime] a 5ms\n[waitingTime] b 90ms\n", 0, "HOLDS"),
    ("{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"version\":\"1\"},\"entries\":[]}}", 0, "IDLE"),
    ("nothing of the kind\n", 2, ""),
  ])
  func `standard input is read in every format`(_ input: String, _ status: Int32, _ verdict: String) async throws {
    let folder = try folder(["input": input, "o.contract": Self.contract])
    let result = try await CommandLineTool.run(
      ["verify", "-", "--contract", folder.url.appending(path: "o.contract").path],
      input: folder.url.appending(path: "input").path, in: folder)
    #expect(result.status == status, "\(result)")
    #expect(verdict.isEmpty || result.output.contains(verdict))
    if status == 2 { #expect(result.errors.contains("standard input is none of these: a cassette, a HAR")) }
  }

  @Test func `a report goes to a file, and the text stays on the terminal`() async throws {
    let folder = try folder([
      "o.contract": Self.contract, "x.cassette": "{\"cassette\":1,\"name\":\"x\"}\n{\"at\":0,\"mark\":\"b\"}\n",
    ])
    let path = { (name: String) in folder.url.appending(path: name).path }
    let result = try await CommandLineTool.run(
      ["verify", path("x.cassette"), "--contract", path("o.contract"), "--format", "junit", "--output", path("r.xml")],
      in: folder)
    #expect(result.status == 1 && result.output.contains("BROKEN  [O1] b only after a"))
    #expect(try folder.text("r.xml").contains("<failure "))
    let wrong = try await CommandLineTool.run(
      ["verify", path("x.cassette"), "--format", "junti"], in: folder)
    #expect(wrong.status == 2 && wrong.errors.contains("did you mean junit?"))
  }

  @Test func `a cassette without its header line is refused`() async throws {
    let folder = try folder(["o.contract": Self.contract, "x.cassette": "{\"at\":0,\"mark\":\"a\"}\n"])
    let path = { (name: String) in folder.url.appending(path: name).path }
    let result = try await CommandLineTool.run(
      "verify", path("x.cassette"), "--contract", path("o.contract"), in: folder)
    #expect(result.status == 2 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("launchtape: \(path("x.cassette")) is no cassette: "), "\(result.errors)")
  }

  @Test func `a recording that is not there is told as such`() async throws {
    let folder = try folder([:])
    let result = try await CommandLineTool.run(["verify", "nope.cassette"], at: folder.url.path, in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "launchtape: cannot read nope.cassette: No such file or directory\n")
  }

  @Test func `a file that is included by two spellings of its path joins once`() async throws {
    let folder = try folder(["x.cassette": "{\"cassette\":1,\"name\":\"x\"}\n{\"at\":9,\"closed\":true,\"events\":0}\n"]
    )
    _ = try folder.write("contract \"f\" version 1\nmark a\nno a\n", to: "ct/f.contract")
    _ = try folder.write(
      "contract \"main\" version 1\ninclude \"./f.contract\"\ninclude \"../ct/f.contract\"\n", to: "ct/main.contract")
    let result = try await CommandLineTool.run(
      ["verify", "../x.cassette", "--contract", "main.contract"], at: folder.path("ct"), in: folder)
    #expect(result.status == 0 && result.output.hasSuffix("\n1 rule: 1 holds\n"), "\(result)")
  }

  @Test func `the command that shows a failure again decides as this one did`() async throws {
    let folder = try folder([
      "o.contract": Self.contract, "a x.cassette": "{\"cassette\":1,\"name\":\"x\"}\n{\"at\":0,\"mark\":\"b\"}\n",
    ])
    let verified = try await CommandLineTool.run(
      ["verify", "a x.cassette", "--contract", "o.contract", "--no-idle"], at: folder.url.path, in: folder)
    #expect(
      verified.output.contains("rerun: launchtape verify 'a x.cassette' --contract o.contract --no-idle\n"),
      "\(verified)")
    let replayed = try await CommandLineTool.run(
      ["replay", "a x.cassette", "--strict", "--no-idle", "--contract", "o.contract", "--", "sh", "-c", Self.markB],
      at: folder.url.path, in: folder)
    #expect(
      replayed.output.contains(
        "rerun: launchtape replay 'a x.cassette' --strict --no-idle --contract o.contract -- sh "),
      "\(replayed)")
  }

  private static let markB = "curl -s -d '{\"mark\":\"b\"}' $LAUNCHTAPE_CONTROL/marks"

  @Test func `a report has the permissions of any new file, and keeps those of the one it replaces`() async throws {
    let folder = try folder(["o.contract": Self.contract])
    let result = try await Shell.run(
      """
      umask 027
      recording=\(CommandLineTool.packageFolder)/cassettes/first-launch.cassette
      $launchtape verify $recording --contract o.contract --output r.txt
      $launchtape convert $recording a.har
      $launchtape convert a.har b.cassette
      $launchtape redact b.cassette c.cassette
      chmod 604 c.cassette
      $launchtape redact b.cassette c.cassette --force
      stat -c '%n %a' r.txt a.har b.cassette c.cassette >&2
      """, in: folder)
    #expect(
      result.errors.hasSuffix("r.txt 640\na.har 640\nb.cassette 640\nc.cassette 604\n"), "\(result.errors)")
  }

  @Test func `strength names what no rule protects`() async throws {
    let folder = try folder([
      "o.contract": Self.contract,
      "x.cassette": "{\"cassette\":1,\"name\":\"x\"}\n{\"at\":0,\"mark\":\"a\"}\n{\"at\":1,\"mark\":\"b\"}\n"
        + "{\"at\":2,\"mark\":\"c\"}\n{\"at\":9,\"closed\":true,\"events\":3}\n",
    ])
    let path = { (name: String) in folder.url.appending(path: name).path }
    let result = try await CommandLineTool.run(
      ["verify", path("x.cassette"), "--contract", path("o.contract"), "--strength"], in: folder)
    #expect(result.status == 0)
    #expect(result.output.contains("strength of order on x: 3 of 11 mutants caught\n      3  [O1] b only after a\n"))
    #expect(result.output.contains("no rule protects c at 0.000 s"))
  }
}
