import Foundation
import LaunchPlist
import Testing

/// The page that lists the checks: each example is found by the check it stands under.
@Suite struct LintPageTests {
  @Test func `each example of the page breaks its check`() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/LaunchPlist/LaunchPlist.docc/Lint.md")
    let page = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    for check in InfoPlistCheck.Check.allCases {
      let section = try #require(page.split(separator: "\n**\(check.rawValue)** ").dropFirst().first, "\(check)")
      guard check != .networkCount else { continue }
      let block = try #require(section.split(separator: "```xml\n").dropFirst().first)
      var body = String(try #require(block.split(separator: "```").first))
      if !body.contains("NSUserTrackingUsageDescription") {
        body += "<key>NSUserTrackingUsageDescription</key><string>Lets us measure how our ads perform.</string>"
      }
      let findings = InfoPlistCheck(Array("<plist><dict>\(body)</dict></plist>".utf8)).findings
      #expect(findings.contains { $0.check == check }, "\(check)")
      #expect(findings.allSatisfy { $0.check == check || $0.check == .copyEndpointPlace }, "\(check)")
    }
  }
}
