import LaunchPlist
import Testing

@Suite struct InfoPlistCheckTests {
  /// What is added to a sound list, what is found, and what the first finding says among other things.
  struct Row: CustomTestStringConvertible {
    var body: String
    var findings: [String]
    var says: String

    init(_ body: String, _ findings: [String], says: String = "") {
      (self.body, self.findings, self.says) = (body, findings, says)
    }

    var testDescription: String { String(body.prefix(100).map { $0.isNewline ? " " : $0 }) }
  }

  private static let text =
    "<key>NSUserTrackingUsageDescription</key><string>Lets us measure how our ads perform.</string>"

  private static func list(_ body: String) -> [UInt8] { Array("<plist>\n<dict>\n\(body)</dict>\n</plist>\n".utf8) }

  private static func tracking(_ value: String) -> String { "<key>NSUserTrackingUsageDescription</key>\(value)" }

  private static let trackingRows: [Row] = [
    Row("", ["P1 error "], says: "is missing; without it the tracking prompt cannot be shown: add a sentence"),
    Row(tracking("<string/>"), ["P1 error NSUserTrackingUsageDescription"], says: "is blank; write a sentence"),
    Row(tracking("<string> \n\t</string>"), ["P1 error NSUserTrackingUsageDescription"], says: "is blank"),
    Row(tracking("<true/>"), ["P1 error NSUserTrackingUsageDescription"], says: "is a boolean; make it a string"),
    Row(tracking("<array/>"), ["P1 error NSUserTrackingUsageDescription"], says: "is an array"),
    Row(
      tracking("<string>$(TEXT)</string>"), ["P1 note NSUserTrackingUsageDescription"], says: "filled in by the build"),
    Row(tracking("<string>Ads</string>"), ["P2 warning NSUserTrackingUsageDescription"], says: "has 3 characters"),
    Row(
      tracking("<string>Lorem ipsum dolor sit amet.</string>"), ["P2 warning NSUserTrackingUsageDescription"],
      says: "looks like a placeholder ('lorem ipsum')"),
    Row(
      tracking("<string>TODO: ask the lawyers</string>"), ["P2 warning NSUserTrackingUsageDescription"], says: "'TODO'"),
    Row(
      tracking("<string>Your description goes here</string>"), ["P2 warning NSUserTrackingUsageDescription"],
      says: "'your description'"),
    Row(tracking("<string>Para todo: anuncios que te interesan.</string>"), []),
    Row(tracking("<string>Мы покажем вам подходящую рекламу.</string>"), []),
  ]

  private static func items(_ body: String) -> String { "<key>SKAdNetworkItems</key>\(body)" }

  private static func network(_ id: String) -> String {
    "<dict><key>SKAdNetworkIdentifier</key><string>\(id)</string></dict>"
  }

  private static let item = "SKAdNetworkItems.0"
  private static let id = "SKAdNetworkItems.0.SKAdNetworkIdentifier"

  private static let networkRows: [Row] = [
    Row(items("<array/>"), []),
    Row(items("<array>\(network("a1.skadnetwork"))\(network("b2.skadnetwork"))</array>"), []),
    Row(items("<dict/>"), ["P3 error SKAdNetworkItems"], says: "is a dictionary; make it an array of dictionaries"),
    Row(items("<string>a1.skadnetwork</string>"), ["P3 error SKAdNetworkItems"], says: "is a string"),
    Row(
      items("<array><string>a1.skadnetwork</string></array>"), ["P3 error \(item)"], says: "is a string; make it a dict"
    ),
    Row(items("<array><dict/></array>"), ["P3 error \(item)"], says: "is empty; give it SKAdNetworkIdentifier"),
    Row(
      items("<array><dict><key>SKAdNetworkIdentifier</key><integer>1</integer></dict></array>"), ["P3 error \(id)"],
      says: "is an integer; make it a string"),
    Row(
      items("<array><dict><key>SKAdnetworkIdentifier</key><string>a1.skadnetwork</string></dict></array>"),
      ["P3 error \(item).SKAdnetworkIdentifier"], says: "remove or rename 'SKAdnetworkIdentifier'"),
    Row(
      items(
        "<array><dict><key>SKAdNetworkIdentifier</key><string>a1.skadnetwork</string><key>Name</key><string/></dict></array>"
      ),
      ["P3 error \(item).Name"], says: "remove or rename 'Name'"),
    Row(items("<array>\(network("A1.skadnetwork"))</array>"), ["P4 error \(id)"], says: "write 'a1.skadnetwork'"),
    Row(items("<array>\(network(" a1.skadnetwork"))</array>"), ["P4 error \(id)"], says: "write 'a1.skadnetwork'"),
    Row(items("<array>\(network("\"a1.skadnetwork\""))</array>"), ["P4 error \(id)"], says: "write 'a1.skadnetwork'"),
    Row(items("<array>\(network("a1"))</array>"), ["P4 error \(id)"], says: "did you mean 'a1.skadnetwork'?"),
    Row(
      items("<array>\(network("a1.skadnetworks"))</array>"), ["P4 error \(id)"], says: "did you mean 'a1.skadnetwork'?"),
    Row(items("<array>\(network(".skadnetwork"))</array>"), ["P4 error \(id)"], says: "is no network id"),
    Row(items("<array>\(network("a-1.skadnetwork"))</array>"), ["P4 error \(id)"], says: "is no network id"),
    Row(items("<array>\(network(""))</array>"), ["P4 error \(id)"], says: "'' is no network id"),
    Row(items("<array>\(network("$(ID).skadnetwork"))</array>"), ["P4 note \(id)"], says: "filled in by the build"),
    Row(
      items("<array>\(network("a1.skadnetwork"))\(network("a1.skadnetwork"))</array>"),
      ["P5 warning SKAdNetworkItems.1.SKAdNetworkIdentifier"], says: "the network 'a1.skadnetwork' stands at "),
    Row(
      items("<array>\(network("a1.skadnetwork"))\n\(network("A1.skadnetwork"))</array>"),
      [
        "P4 error SKAdNetworkItems.1.SKAdNetworkIdentifier", "P5 warning SKAdNetworkItems.1.SKAdNetworkIdentifier",
      ]),
    Row(
      items("<array>\(String(repeating: network("a1.skadnetwork"), count: 3))</array>"),
      [
        "P5 warning SKAdNetworkItems.1.SKAdNetworkIdentifier", "P5 warning SKAdNetworkItems.2.SKAdNetworkIdentifier",
      ]),
    Row(items("<array>\((0..<100).map { network("n\($0).skadnetwork") }.joined())</array>"), []),
    Row(
      items("<array>\((0..<101).map { network("n\($0).skadnetwork") }.joined())</array>"),
      ["P14 note SKAdNetworkItems"],
      says: "names 101 networks"),
    Row(
      items("<array>\((0..<250).map { network("n\($0).skadnetwork") }.joined())</array>"),
      ["P14 note SKAdNetworkItems"],
      says: "names 250 networks"),
    Row(
      items("<array>\((0..<101).map { network("n\($0).skadnetwork") }.joined(separator: "\n"))</array>"),
      ["P14 note SKAdNetworkItems"]),
  ]

  private static let reportKey = "NSAdvertisingAttributionReportEndpoint"
  private static let copyKey = "AttributionCopyEndpoint"

  private static func report(_ value: String) -> String { "<key>\(reportKey)</key><string>\(value)</string>" }
  private static func copy(_ value: String) -> String { "<key>\(copyKey)</key><string>\(value)</string>" }
  private static func grouped(_ body: String) -> String { "<key>AdAttributionKit</key><dict>\(body)</dict>" }

  /// The faults of addresses have a table of their own.
  private static let endpointRows: [Row] = [
    Row(report("https://example.com"), []),
    Row(report("http://example.com"), ["P6 error \(reportKey)"], says: "write https://example.com"),
    Row(report(""), ["P6 error \(reportKey)"], says: "is blank; write https://example.com"),
    Row("<key>\(reportKey)</key><array/>", ["P6 error \(reportKey)"], says: "is an array; make it a string"),
    Row(report("$(ENDPOINT)"), ["P6 note \(reportKey)"], says: "filled in by the build"),
    Row(report("https://example.com/report"), ["P7 error \(reportKey)"], says: "has the path '/report'"),
    Row(report("https://example.com:443"), ["P7 error \(reportKey)"], says: "has a port"),
    Row(report("https://www.example.com"), ["P7 warning \(reportKey)"], says: "of which only 'example.com' is used"),
    Row(report("https://example.com/"), ["P7 warning \(reportKey)"], says: "ends with '/', which is ignored"),
    Row(copy("https://example.com"), ["P9 note \(copyKey)"], says: "is unclear in the sources; both are accepted"),
    Row(grouped(copy("https://example.com")), ["P9 note AdAttributionKit.\(copyKey)"], says: "is unclear"),
    Row(copy("http://example.com"), ["P8 error \(copyKey)", "P9 note \(copyKey)"], says: "has the scheme 'http'"),
    Row(copy("https://example.com/x"), ["P8 error \(copyKey)", "P9 note \(copyKey)"], says: "has the path '/x'"),
    Row(copy("https://a.example.com"), ["P8 warning \(copyKey)", "P9 note \(copyKey)"], says: "only 'example.com'"),
    Row("<key>\(copyKey)</key><true/>", ["P8 error \(copyKey)", "P9 note \(copyKey)"], says: "is a boolean"),
    Row(
      grouped(copy("example.com")),
      ["P8 error AdAttributionKit.\(copyKey)", "P9 note AdAttributionKit.\(copyKey)"], says: "write https://example.com"
    ),
    Row(copy("https://example.com") + grouped(copy("https://example.com")), ["P9 note \(copyKey)"]),
    Row(
      copy("https://example.com") + "\n" + grouped(copy("https://example.org")),
      ["P9 note \(copyKey)", "P9 warning AdAttributionKit.\(copyKey)"]),
    Row(
      copy("https://example.com") + "\n" + grouped(copy("https://www.example.com")),
      [
        "P9 note \(copyKey)", "P8 warning AdAttributionKit.\(copyKey)", "P9 warning AdAttributionKit.\(copyKey)",
      ]),
    Row(
      grouped(copy("https://example.org")) + "\n" + copy("https://example.com"),
      ["P9 warning AdAttributionKit.\(copyKey)", "P9 note \(copyKey)"], says: "differs from the one at the top level"),
    Row(report("https://example.com") + copy("https://example.com"), ["P9 note \(copyKey)"]),
    Row(
      report("https://example.com") + "\n" + copy("https://www.example.com"),
      ["P8 warning \(copyKey)", "P9 note \(copyKey)"]),
    Row(
      report("https://example.com") + copy("https://example.org"), ["P9 note \(copyKey)", "P10 note \(copyKey)"]),
    Row(
      report("https://a.co.uk") + copy("https://b.co.uk"), ["P9 note \(copyKey)", "P10 note \(copyKey)"]),
    Row(
      report("https://example.com") + grouped(copy("https://example.net")),
      ["P9 note AdAttributionKit.\(copyKey)", "P10 note AdAttributionKit.\(copyKey)"]),
  ]

  private static func identifiers(_ body: String) -> String { "<key>AdNetworkIdentifiers</key>\(body)" }

  private static let gray = "OneSignal_in_app_message_hide_gray_overlay"
  private static let shadow = "OneSignal_in_app_message_hide_drop_shadow"

  private static let otherRows: [Row] = [
    Row(
      identifiers("<array><string>a1.adattributionkit</string><string>b2.skadnetwork</string></array>"), []),
    Row(
      identifiers("<string>a1.skadnetwork</string>"), ["P11 warning AdNetworkIdentifiers"], says: "is a string; make it"
    ),
    Row(identifiers("<array><dict/></array>"), ["P11 warning AdNetworkIdentifiers.0"], says: "is a dictionary"),
    Row(
      identifiers("<array><string>A1.adattributionkit</string></array>"), ["P11 warning AdNetworkIdentifiers.0"],
      says: "write 'a1.adattributionkit'"),
    Row(
      identifiers("<array><string>a1.example</string></array>"), ["P11 warning AdNetworkIdentifiers.0"], says: "is not"),
    Row(
      grouped(identifiers("<array><true/></array>")), ["P11 warning AdAttributionKit.AdNetworkIdentifiers.0"],
      says: "is a boolean"),
    Row("<key>\(gray)</key><true/><key>\(shadow)</key><false/>", []),
    Row("<key>\(gray)</key><string>YES</string>", ["P12 error \(gray)"], says: "is a string, which is not understood"),
    Row("<key>\(shadow)</key><integer>1</integer>", ["P12 error \(shadow)"], says: "write <true/> or <false/>"),
    Row(
      "<key>\(gray)</key><string>true</string>\n<key>\(shadow)</key><real>1</real>",
      ["P12 error \(gray)", "P12 error \(shadow)"]),
    Row("<key>A</key><true/><key>A</key><true/>", ["P13 error A"], says: "and only one of the two counts"),
    Row("<key>D</key><dict><key>A</key><true/><key>A</key><false/></dict>", ["P13 error D.A"]),
    Row(
      "<key>L</key><array><dict><key>B</key><true/>\n<key>B</key><true/>\n<key>B</key><true/></dict></array>",
      ["P13 error L.0.B", "P13 error L.0.B"]),
    Row(
      "<key>\(gray)</key><true/>\n<key>\(gray)</key><string>NO</string>",
      ["P13 error \(gray)", "P12 error \(gray)"]),
  ]

  @Test(arguments: trackingRows) func `the tracking text is checked`(row: Row) throws { try check(row, in: row.body) }

  @Test(arguments: networkRows) func `the networks are checked`(row: Row) throws {
    try check(row, in: Self.text + row.body)
  }

  @Test(arguments: endpointRows) func `the endpoints are checked`(row: Row) throws {
    try check(row, in: Self.text + row.body)
  }

  @Test(arguments: otherRows) func `identifiers, switches and keys are checked`(row: Row) throws {
    try check(row, in: Self.text + row.body)
  }

  /// In both forms: the binary one has no places, and so the order of the checks.
  private func check(_ row: Row, in body: String) throws {
    let bytes = Self.list(body)
    let findings = InfoPlistCheck(bytes).findings
    #expect(findings.map(\.summary) == row.findings)
    if let first = findings.first { #expect(first.message.contains(row.says)) }
    #expect(findings.allSatisfy { $0.place != nil && !$0.sourceLine.isEmpty })
    let binary = InfoPlistCheck(BinaryWriter.bytes(try PropertyList(parsing: bytes).root)).findings
    #expect(binary.map(\.summary).sorted() == row.findings.sorted())
    #expect(binary.allSatisfy { $0.place == nil && $0.sourceLine.isEmpty })
  }

  @Test func `each check has three bad inputs at least`() {
    let rows = Self.trackingRows + Self.networkRows + Self.endpointRows + Self.otherRows
    for check in InfoPlistCheck.Check.allCases {
      let count = rows.count { $0.findings.contains { $0.hasPrefix("\(check.rawValue) ") } }
      #expect(count >= 3, "\(check)")
    }
  }

  @Test(arguments: ["Info.plist", "Info.binary.plist"]) func `the published file passes`(name: String) throws {
    #expect(InfoPlistCheck(try Fixture.bytes(name)).findings.map(\.summary) == ["P9 note AttributionCopyEndpoint"])
  }

  @Test func `a finding has the place, the line and a message with what to do`() {
    let findings = InfoPlistCheck(Self.list("\(Self.text)\n\t<key>\(Self.gray)</key>\r\n\t<string>YES</string>\n"))
      .findings
    #expect(findings.map(\.summary) == ["P12 error \(Self.gray)"])
    #expect(findings.map(\.place) == [TextPlace(line: 5, column: 2)])
    #expect(findings.map(\.sourceLine) == ["\t<string>YES</string>"])
    #expect(
      findings.map(\.message) == ["\(Self.gray) is a string, which is not understood; write <true/> or <false/>"])
  }

  @Test func `a repeated key names the line of the first one`() {
    let findings = InfoPlistCheck(Self.list("\(Self.text)\n<key>A</key><true/>\n<key>A</key><true/>")).findings
    #expect(
      findings.map(\.message) == [
        "the key 'A' stands on line 4 already, and only one of the two counts; remove the other"
      ])
    #expect(findings.first?.place == TextPlace(line: 5, column: 1))
  }

  @Test func `what is no dictionary, and what is no list, gives one error`() {
    let array = InfoPlistCheck(Array("<plist><array/></plist>".utf8)).findings
    #expect(array.map(\.message) == ["an Info.plist is a dictionary, and this is an array"])
    let cut = InfoPlistCheck(Array("<plist>\n<dict>".utf8)).findings
    #expect(cut.map(\.check) == [nil])
    #expect(cut.first?.place == TextPlace(line: 2, column: 7))
    #expect(cut.first?.sourceLine == "<dict>")
    #expect(InfoPlistCheck([]).findings.map(\.severity) == [.error])
  }
}

extension InfoPlistCheck.Finding {
  /// `P4 error SKAdNetworkItems.0.SKAdNetworkIdentifier`
  fileprivate var summary: String {
    "\(check?.rawValue ?? "-") \(severity.rawValue) \(path.joined(separator: "."))"
  }
}
