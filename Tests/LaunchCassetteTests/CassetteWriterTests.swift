import Foundation
import LaunchCassette
import LaunchFile
import LaunchTrace
import Testing

final class CassetteWriterTests {
  private let folder: String
  private var path: String { folder + "/sample.cassette" }
  private let header = CassetteHeader(
    name: "sample", recorded: "2026-11-30T06:20:45.123456Z", by: "launchtape 0.1.0")

  init() throws { folder = try createUniqueFolder(prefix: "launchtape-cassette-") }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `a recording takes its name when it is closed`() throws {
    let writer = try CassetteWriter(path: path, header: header)
    for (event, _) in eventLines { writer.append(event) }
    writer.commit()
    #expect(!fileExists(path))
    try writer.close()
    #expect(String(decoding: try readFile(path), as: UTF8.self) == sampleText)
    #expect(!fileExists(writer.partPath))
    #expect(try Cassette(path: path).events == eventLines.map(\.event))
  }

  @Test func `what was committed can be read while the recording goes on`() throws {
    let writer = try CassetteWriter(path: path, header: header)
    for (event, _) in eventLines.prefix(3) { writer.append(event) }
    writer.commit()
    writer.append(eventLines[3].event)
    let cassette = try Cassette(path: path)
    #expect(cassette.events == eventLines.prefix(3).map(\.event))
    #expect(
      cassette.warnings.map(\.message) == [
        "\(path) does not exist; this is what a recording into it left when it was cut off",
        "the recording was cut off: there is no closing line",
      ])
  }

  @Test func `an abandoned recording leaves the old cassette as it was`() throws {
    try writeFile(Array(sampleText.utf8), to: path)
    let writer = try CassetteWriter(path: path, header: header)
    writer.append(eventLines[0].event)
    writer.commit()
    writer.abandon()
    let old = try Cassette(path: path)
    #expect(old.events == eventLines.map(\.event))
    #expect(
      old.warnings.map(\.message) == [
        "a recording into it goes on or was cut off: \(writer.partPath) holds what there is of it"
      ])
    #expect(try Cassette(path: writer.partPath).events == [eventLines[0].event])
  }

  @Test func `a recording without a folder fails at once`() {
    #expect(throws: FileError.self) { try CassetteWriter(path: folder + "/missing/x.cassette", header: header) }
  }

  @Test func `a missing cassette, a folder and an unreadable path are one error each`() {
    let missing = "cannot read \(path): No such file or directory"
    #expect(throws: CassetteError.file(FileError(.read, path, code: 2))) { try Cassette(path: path) }
    #expect(CassetteError.file(FileError(.read, path, code: 2)).description == missing)
    #expect(throws: CassetteError.self) { try Cassette(path: folder) }
    #expect(throws: CassetteError.self) { try Cassette(path: "") }
  }
}
