import Foundation
import LaunchJSON
import Testing

/// The checked-in cassettes against the checked-in contracts, as the table in their folder says.
@Suite struct ShippedCassetteTests {
  private static let folder = URL(fileURLWithPath: CommandLineTool.packageFolder).appendingPathComponent("cassettes")

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var findings: [String]
    var testDescription: String { name }
  }

  private static let rows: [Row] = {
    let text = (try? String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(
        name: cells[0].trimmingCharacters(in: ["`"]),
        findings: cells[2] == "none" ? [] : cells[2].split(separator: " ").map(String.init))
    }
  }()

  @Test func `every cassette has its row`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".cassette") }.map { String($0.dropLast(".cassette".count)) }
    #expect(files.sorted() == Self.rows.map(\.name).sorted())
    #expect(files.count > 15)
  }

  @Test(arguments: rows) func `the findings are those of the table`(row: Row) async throws {
    let folder = try TemporaryFolder()
    let path = Self.folder.appendingPathComponent("\(row.name).cassette").path
    let result = try await CommandLineTool.run("verify", path, "--format", "json", in: folder)
    let json = try JSON(parsing: Array(result.output.utf8))
    var broken: Set<String> = []
    for rule in Self.rules(in: json) where rule["verdict"]?.string == "BROKEN" {
      broken.insert(rule["name"]?.string ?? rule["sentence"]?.string ?? "")
    }
    #expect(broken.sorted() == row.findings)
  }

  @Test(arguments: [
    ("first-launch", "first-launch"), ("first-launch-strict", "first-launch-strict"), ("later-launch", "later-launch"),
    ("message-at-18s", "first-launch"), ("denied", "first-launch"), ("attribution-late", "first-launch"),
    ("onesignal-unreachable", "first-launch"), ("tags-500-then-200", "first-launch"),
  ])
  func `a replay asks for what was recorded, and for nothing else`(name: String, flow: String) async throws {
    let folder = try TemporaryFolder()
    let path = Self.folder.appendingPathComponent("\(name).cassette").path
    let result = try await CommandLineTool.run(
      "replay", path, "--flow", flow, "--speed", "immediate", "--strict", in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Every rule's report, wherever it stands.
  private static func rules(in json: JSON) -> [JSON] {
    if let array = json.array { return array.flatMap(rules) }
    guard let object = json.object else { return [] }
    return (object["sentence"] != nil ? [json] : []) + object.members.flatMap { rules(in: $0.value) }
  }
}
