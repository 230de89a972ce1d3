import Foundation
import Testing

/// `launchtape lint` on property lists and logs.
@Suite struct LintFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lint(_ arguments: String...) async throws -> CommandLineTool.Result {
    try await CommandLineTool.run(["lint"] + arguments, at: folder.url.path, in: folder)
  }

  @Test func `the published file passes in both forms, with a note`() async throws {
    let (xml, binary) = ("Tests/Fixtures/plist/Info.plist", "Tests/Fixtures/plist/Info.binary.plist")
    let result = try await CommandLineTool.run("lint", xml, binary, in: folder)
    let note =
      "note: whether AttributionCopyEndpoint belongs at the top level or inside AdAttributionKit is unclear in the "
      + "sources; both are accepted [P9]"
    #expect(
      result.errors == """
        \(xml):14:2: \(note)
        \t<string>https://adjust-skadnetwork.com</string>
        \t^
        \(binary): AttributionCopyEndpoint: \(note)

        """)
    #expect(result.output.isEmpty)
    #expect(result.status == 0)
  }

  @Test func `mistakes are printed with their lines, whatever the file is called`() async throws {
    _ = try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <key>NSUserTrackingUsageDescription</key> <string>TODO</string>
        <key>OneSignal_in_app_message_hide_gray_overlay</key>
        <string>YES</string>
        <key>SKAdNetworkItems</key>
        <array>
          <dict><key>SKAdNetworkIdentifier</key><string>V9WTTPBFK9.skadnetwork</string></dict>
        </array>
      </dict>
      </plist>
      """, to: "Info.txt")
    let result = try await lint("Info.txt", "--fix")
    #expect(
      result.errors == """
        Info.txt:4:45: warning: NSUserTrackingUsageDescription looks like a placeholder ('TODO'); write what tracking is \
        for, as the user is shown it [P2]
          <key>NSUserTrackingUsageDescription</key> <string>TODO</string>
                                                    ^
        Info.txt:6:3: error: OneSignal_in_app_message_hide_gray_overlay is a string, which is not understood; write \
        <true/> or <false/> [P12]
          <string>YES</string>
          ^
        Info.txt:9:43: error: 'V9WTTPBFK9.skadnetwork' is compared exactly, and a network id is lower-case letters and \
        digits and '.skadnetwork'; write 'v9wttpbfk9.skadnetwork' [P4]
            <dict><key>SKAdNetworkIdentifier</key><string>V9WTTPBFK9.skadnetwork</string></dict>
                                                  ^

        """)
    #expect(result.output.isEmpty)
    #expect(result.status == 2)
  }

  @Test func `in a binary list the keys lead to a mistake`() async throws {
    let items = [["SKAdNetworkIdentifier": "a1"]]
    let list: [String: Any] = [
      "NSUserTrackingUsageDescription": "Lets us measure how our ads perform.", "SKAdNetworkItems": items,
    ]
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      .write(to: folder.url.appendingPathComponent("built"))
    let result = try await lint("built")
    #expect(
      result.errors == """
        built: SKAdNetworkItems.0.SKAdNetworkIdentifier: error: 'a1' is no network id: a network id is lower-case letters \
        and digits and '.skadnetwork'; did you mean 'a1.skadnetwork'? [P4]

        """)
    #expect(result.status == 2)
  }

  @Test func `doubts alone leave the exit code at 0`() async throws {
    _ = try folder.write(
      "<plist><dict><key>NSUserTrackingUsageDescription</key><string>Ads</string></dict></plist>", to: "Info.plist")
    let result = try await lint("Info.plist")
    #expect(result.errors.contains("warning: NSUserTrackingUsageDescription has 3 characters"))
    #expect(result.status == 0)
  }

  @Test func `what cannot be read says why, and the next file is checked all the same`() async throws {
    _ = try folder.write("<plist>\n<dict>\n\t<key>A</key>\n</dict></plist>", to: "cut.plist")
    _ = try folder.write("{\n  CFBundleName = x;\n}\n", to: "old")
    _ = try folder.write("", to: "Info.plist")
    _ = try folder.write("bplist00 and no more than this, which is too short", to: "short")
    let result = try await lint("cut.plist", "old", "Info.plist", "short", "missing.plist")
    #expect(
      result.errors == """
        cut.plist:3:2: error: the key 'A' has no value
        \t<key>A</key>
        \t^
        old: error: this is an old-style property list, which is not read; to convert it: plutil -convert xml1 FILE
        Info.plist: error: this is no property list: it begins with none of '<?xml', '<plist' and 'bplist00'
        short: error: byte 18: the trailer has sizes that no file has; is the file cut?
        launchtape: cannot read missing.plist: No such file or directory

        """)
    #expect(result.status == 2)
  }

  @Test func `a log is held to the vocabulary, its counts and its order`() async throws {
    _ = try folder.write(
      """
      [waitingTime] start counting
      [waitingTime] start onesignal initialization 0ms
      App[71:9] [waitingTime] onesignal initialization: 41 milliseconds
      other output
      [waitingTime] splash lanch 166ms
      [waitingTime] splash launch 166ms
      [waitingTime] start ATT 167ms
      [waitingTime] start ATT 120ms
      """, to: "console.txt")
    let result = try await lint("console.txt")
    #expect(
      result.errors == """
        console.txt:5:15: error: 'splash lanch' is no text of this log; did you mean 'splash launch'? [L2]
        [waitingTime] splash lanch 166ms
                      ^
        console.txt:8:15: warning: the time falls from 167 ms to 120 ms; the log reads the wall clock, was it set? [L7]
        [waitingTime] start ATT 120ms
                      ^
        console.txt:8:15: error: 'start ATT' is printed at most once a launch, and stands on line 7 [L4]
        [waitingTime] start ATT 120ms
                      ^
        console.txt:8:15: warning: the launch ends here without 'waiting for onesignal user id', 'one signal user id \
        fetched' or 'one signal user id timeout (empty)', 'ATT answered', 'start adjust initialization', 'adjust \
        initialization', 'waiting for idfa adid idfv campaign', 'idfa', 'idfv', 'adid' or 'adid (empty)', 'adjust tags \
        ready to sync', 'start IAM wait', 'IAM gate finished', 'navigated to home'; was it killed, or the log cut? [L8]
        [waitingTime] start ATT 120ms
                      ^

        """)
    #expect(result.output.isEmpty)
    #expect(result.status == 2)
  }

  @Test func `a complete log is passed over in silence, and a cut one is doubted`() async throws {
    let lines = [
      "start counting", "start onesignal initialization 0ms", "onesignal initialization: 41 milliseconds",
      "splash launch 166ms", "waiting for onesignal user id 167ms", "start ATT 167ms",
      "one signal user id fetched 912ms", "one signal user id fetched 930ms", "ATT answered 3480ms",
      "start adjust initialization 3480ms", "adjust initialization: 3502 milliseconds",
      "waiting for idfa adid idfv campaign", "idfv 3504ms", "idfa 3505ms", "adid 3893ms",
      "adjust tags ready to sync 3894ms", "start IAM wait 3894ms", "IAM gate finished 7936ms",
      "navigated to home 7938ms",
    ].map { "12:00:00 App[7] [waitingTime] \($0)\r\n" }
    _ = try folder.write(lines.joined(), to: "whole.txt")
    let whole = try await lint("whole.txt")
    #expect(whole.errors.isEmpty)
    #expect(whole.output.isEmpty)
    #expect(whole.status == 0)
    _ = try folder.write(lines.dropLast().joined(), to: "cut.txt")
    let cut = try await lint("cut.txt")
    #expect(
      cut.errors == """
        cut.txt:18:31: warning: the launch ends here without 'navigated to home'; was it killed, or the log cut? [L8]
        12:00:00 App[7] [waitingTime] IAM gate finished 7936ms
                                      ^

        """)
    #expect(cut.status == 0)
  }

  @Test func `a contract that quotes a log is a contract`() async throws {
    _ = try folder.write("# [waitingTime] x 3ms\ncontract \"x\" version 1\n\nmark a, b\nb only after a\n", to: "rules")
    let result = try await lint("rules")
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
  }

  @Test func `fifty findings are printed and the rest counted`() async throws {
    _ = try folder.write(
      "[waitingTime] start counting\n" + String(repeating: "[waitingTime] x\n", count: 80), to: "console.txt")
    let result = try await lint("console.txt")
    #expect(result.errors.hasSuffix("\n… and 31 more\n"))
    #expect(result.errors.split(separator: "\n").count == 151)
  }

  @Test func `the help names what can be checked`() async throws {
    let result = try await lint("--help")
    #expect(
      result.output.hasPrefix(
        """
        usage: launchtape lint FILE… [options]

        says what is wrong with contracts, Info.plist files and [waitingTime] logs, and lays contracts out

        """))
    #expect(result.output.contains("launchtape lint contracts/launch.contract App/Info.plist console.txt --fix"))
    #expect(result.status == 0)
  }
}
