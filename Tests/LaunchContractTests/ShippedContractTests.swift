import Foundation
import LaunchContract
import LaunchDiagnostics
import LaunchTrace
import Testing

/// The contracts of this repository: every rule on one launch that keeps it and one that breaks it.
struct ShippedContractTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  static let names = ["adjust", "launch", "motisig", "onesignal", "paywall", "retries"]

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
  }

  private static func contract(_ name: String) throws -> Contract {
    let path = "contracts/\(name).contract"
    return try Contract(parsing: try bytes(path), file: path) { try bytes($0) }
  }

  @Test func `these are all there are`() throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/contracts")
    #expect(found.filter { $0.hasSuffix(".contract") }.sorted() == Self.names.map { "\($0).contract" })
  }

  @Test(arguments: names + ["names/launch-log"])
  func `each is laid out in the canonical way, and nothing in it is doubtful`(name: String) throws {
    let path = "contracts/\(name).contract"
    let lint = ContractLint(try Self.bytes(path), file: path) { try Self.bytes($0) }
    #expect(lint.diagnostics.isEmpty && lint.isCanonical, "\(DiagnosticsError(lint.diagnostics))")
  }

  @Test(arguments: names)
  func `every rule has a name and a reason, and a launch that keeps and one that breaks it`(name: String) throws {
    let contract = try Self.contract(name)
    for rule in contract.rules { #expect(rule.name != nil && rule.reason != nil, "\(rule.sentence)") }
    let rows = ShippedRule.all[name] ?? []
    #expect(contract.rules.map(\.sentence) == rows.map(\.sentence))
    for (index, row) in rows.enumerated() {
      for (line, verdict) in [(row.kept, Verdict.holds), (row.broken, .broken)] {
        let report = contract.reports(on: ShippedLaunch.trace(line))[index]
        #expect(report.verdict == verdict, "\(row.sentence) on \(line): \(report)")
      }
    }
  }

  @Test func `every rule of the launch flow is in a contract, or no trace can decide it`() throws {
    let shipped = try Self.names.flatMap { try Self.contract($0).rules.compactMap(\.name) }
    let all = (1...66).map { $0 < 10 ? "R0\($0)" : "R\($0)" }
    #expect(Set(shipped) == Set(all).subtracting(Self.undecidable.keys))
  }

  /// What one trace does not tell.
  private static let undecidable = [
    "R27": "compares two launches, one with the campaign and one without",
    "R34": "is about causes: a request that follows a trigger may have another one",
    "R42": "is about the Info.plist",
    "R51": "allows something, so nothing breaks it",
    "R58": "needs the user at the moment a mutation is queued, and the queue leaves no mark",
    "R59": "needs to know what is queued at the logout, and the queue leaves no mark",
    "R60": "needs to know which clicks are ready, and their queue leaves no mark",
    "R64": "needs to know that a tap started the app, and nothing marks it",
  ]
}
