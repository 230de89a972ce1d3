import Foundation
import Testing

/// Recordings of other tools: read by every verb, and merged.
@Suite struct ImportTests {
  private let folder: TemporaryFolder
  private static let recording = CommandLineTool.packageFolder + "/cassettes/first-launch.cassette"

  init() throws { folder = try TemporaryFolder() }

  @Test func `a console log is a recording of marks`() async throws {
    let log = try folder.write(
      "launchd: hello\n[waitingTime] start counting\n[waitingTime] ATT answered 3480ms\n", to: "console.txt")
    let shown = try await CommandLineTool.run("show", log, "--width", "60", in: folder)
    #expect(shown.status == 0)
    #expect(shown.output.hasPrefix("console: 0 calls, 2 marks, 3.480 s, cut\n"))
    let converted = try await CommandLineTool.run("convert", log, folder.path("log.cassette"), in: folder)
    #expect(converted.status == 0)
    #expect(
      try folder.text("log.cassette") == """
        {"cassette":1,"name":"console","order":"time","resolution":5000,"branches":[["waiting for onesignal user id",\
        "one signal user id fetched","one signal user id timeout (empty)"],["start ATT","ATT answered",\
        "start adjust initialization","adjust initialization","waiting for idfa adid idfv campaign","idfa","idfv","adid",\
        "adid (empty)"],["campaign"]]}
        {"at":0,"launch":1}
        {"at":0,"mark":"start counting"}
        {"at":3480000,"mark":"ATT answered"}

        """)
  }

  @Test func `a log's marks are merged into a cassette by time, and known ones are left out`() async throws {
    let log = try folder.write(
      "[waitingTime] start counting\n[waitingTime] splash launch 1ms\n[waitingTime] my own mark 2500ms\n",
      to: "console.txt")
    let result = try await CommandLineTool.run(
      "convert", Self.recording, folder.path("merged.cassette"), "--log", log, in: folder)
    #expect(result.status == 0)
    #expect(
      result.errors == """
        \(log): the mark "start counting" is in first-launch already and was left out
        \(log): the mark "splash launch" is in first-launch already and was left out

        """)
    let lines = try folder.text("merged.cassette").split(separator: "\n")
    #expect(lines[0].hasSuffix(#""order":"time","resolution":5000}"#))
    #expect(lines.count { $0.hasSuffix(#""mark":"my own mark"}"#) } == 1)
    let shown = try await CommandLineTool.run("show", folder.path("merged.cassette"), in: folder)
    #expect(shown.errors.isEmpty)
  }

  @Test func `a log can begin at a given time, and one without lines is an error`() async throws {
    let log = try folder.write("[waitingTime] start counting\n", to: "a.txt")
    let base = try folder.write("[waitingTime] my own mark 2ms\n", to: "b.txt")
    let result = try await CommandLineTool.run(
      "convert", base, folder.path("c.cassette"), "--log", log, "--log-start", "1.5", in: folder)
    #expect(result.status == 0)
    #expect(try folder.text("c.cassette").contains(#"{"at":1500000,"mark":"start counting"}"#))
    let empty = try folder.write("nothing here\n", to: "empty.txt")
    let failed = try await CommandLineTool.run(
      "convert", base, folder.path("d.cassette"), "--log", empty, in: folder)
    #expect(failed.status == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.cassette")))
  }

  @Test func `a VCR file is a cassette`() async throws {
    let vcr = try folder.write(
      #"{"interactions":[{"request":{"method":"GET","uri":"http://a.test/"},"response":{"status":{"code":200},"body":"hi"}}]}"#,
      to: "old.json")
    let result = try await CommandLineTool.run("convert", vcr, folder.path("old.cassette"), in: folder)
    #expect(result.status == 0)
    #expect(result.output == "\(folder.path("old.cassette")): old: 1 calls, 0 marks, 0.000 s, closed\n")
  }
}
