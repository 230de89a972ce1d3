import Foundation
import LaunchClients
import TestSupport
import Testing

@Suite struct WaitingTimeCheckTests {
  /// The three transcripts of launch-flow.md section 9.
  static let transcripts = [
    """
    [waitingTime] start counting
    [waitingTime] start onesignal initialization 0ms
    [waitingTime] onesignal initialization: 41 milliseconds
    [waitingTime] splash launch 166ms
    [waitingTime] waiting for onesignal user id 167ms
    [waitingTime] start ATT 167ms
    [waitingTime] one signal user id fetched 912ms
    [waitingTime] ATT answered 3480ms
    [waitingTime] start adjust initialization 3480ms
    [waitingTime] adjust initialization: 3502 milliseconds
    [waitingTime] waiting for idfa adid idfv campaign
    [waitingTime] idfv 3504ms
    [waitingTime] idfa 3505ms
    [waitingTime] adid 3893ms
    [waitingTime] adjust tags ready to sync 3894ms
    [waitingTime] start IAM wait 3894ms
    [waitingTime] IAM did display 5120ms
    [waitingTime] campaign 6010ms
    [waitingTime] IAM gate finished 7936ms
    [waitingTime] navigated to home 7938ms
    """,
    """
    [waitingTime] start counting
    [waitingTime] start onesignal initialization 0ms
    [waitingTime] onesignal initialization: 28 milliseconds
    [waitingTime] splash launch 120ms
    [waitingTime] start ATT 120ms
    [waitingTime] waiting for onesignal user id 121ms
    [waitingTime] one signal user id fetched 121ms
    [waitingTime] ATT answered 233ms
    [waitingTime] start adjust initialization 233ms
    [waitingTime] adjust initialization: 244 milliseconds
    [waitingTime] waiting for idfa adid idfv campaign
    [waitingTime] campaign 247ms
    [waitingTime] idfa 247ms
    [waitingTime] idfv 247ms
    [waitingTime] adid 248ms
    [waitingTime] adjust tags ready to sync 249ms
    [waitingTime] start IAM wait 249ms
    [waitingTime] IAM gate finished 20251ms
    [waitingTime] navigated to home 20252ms
    """,
    """
    [waitingTime] start counting
    [waitingTime] start onesignal initialization 0ms
    [waitingTime] onesignal initialization: 33 milliseconds
    [waitingTime] splash launch 140ms
    [waitingTime] waiting for onesignal user id 141ms
    [waitingTime] start ATT 141ms
    [waitingTime] ATT answered 2310ms
    [waitingTime] start adjust initialization 2310ms
    [waitingTime] adjust initialization: 2329 milliseconds
    [waitingTime] waiting for idfa adid idfv campaign
    [waitingTime] idfa 2331ms
    [waitingTime] idfv 2331ms
    [waitingTime] adid 2770ms
    [waitingTime] one signal user id timeout (empty) 12143ms
    [waitingTime] adjust tags ready to sync 12144ms
    [waitingTime] start IAM wait 12144ms
    [waitingTime] IAM gate finished 32146ms
    [waitingTime] navigated to home 32148ms
    """,
  ]

  @Test(arguments: transcripts) func `the published transcripts are clean`(text: String) {
    #expect(WaitingTimeCheck(text).findings.isEmpty)
    #expect(WaitingTimeCheck(text).lineCount == text.split(separator: "\n").count)
    let console = text.split(separator: "\n").map { "2026-11-30 06:20:45.123 App[71:9] é \($0)\r\nCoreData: hello" }
    #expect(WaitingTimeCheck(console.joined(separator: "\n")).findings.isEmpty)
    #expect(WaitingTimeCheck("\(text)\n\(text)\n").findings.isEmpty)
  }

  /// What the built-in launch logs, message or not, OneSignal and Adjust reachable or not.
  @Test(
    arguments: [
      [], [.parameters, .createUser], [.session, .click], [.parameters, .createUser, .session, .click],
    ] as [[VendorCallKind]], [1_400, 18_000, 24_400, 90_000])
  func `the logs of the built-in launch are clean`(cut: [VendorCallKind], displayMilliseconds: Int) throws {
    var script = Script()
    for kind in cut { script.cut(kind) }
    var scenario = LaunchScenario.firstLaunch
    // The published getter holds the splash for ever without Adjust (Q4).
    scenario.adjust.getter = .immediate
    scenario.displayAfter = .milliseconds(displayMilliseconds)
    let output = Output()
    _ = try script.run { [scenario] recording in
      try await AppLaunch(transport: recording, scenario: scenario) { output.append($0) }.run()
    }
    let check = WaitingTimeCheck(output.lines.joined(separator: "\n"))
    #expect(check.findings.isEmpty)
    #expect(check.lineCount >= 18)
  }

  /// A change of the first transcript, and what is found then.
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var edits: [Edit]
    /// `L4 error 8: …`, as far as it matters.
    var findings: [String]

    init(_ description: String, _ edits: [Edit], _ findings: [String]) {
      (testDescription, self.edits, self.findings) = (description, edits, findings)
    }
  }

  /// Lines are counted from 1 and found by how they begin behind the prefix.
  enum Edit {
    case remove(String)
    case add(String, after: String)
    case replace(String, with: String)
    /// The rest is cut off.
    case endAfter(String)
  }

  private static let quirks: [Row] = [
    Row("the user id twice", [.add("one signal user id fetched 950ms", after: "one signal user id")], []),
    Row("the user id before its wait", [.add("one signal user id fetched 160ms", after: "onesignal init")], []),
    Row(
      "the user id before its wait, which then runs out",
      [
        .add("one signal user id fetched 160ms", after: "onesignal init"),
        .replace("one signal user id fetched 912ms", with: "one signal user id timeout (empty) 12100ms"),
        .replace("ATT answered", with: "ATT answered 12100ms"),
        .replace("start adjust", with: "start adjust initialization 12100ms"),
        .replace("adjust init", with: "adjust initialization: 12100 milliseconds"),
        .endAfter("waiting for idfa"),
      ],
      [
        "L8 warning 12: the launch ends here without 'idfa', 'idfv', 'adid' or 'adid (empty)', 'adjust tags ready to "
          + "sync', 'start IAM wait', 'IAM gate finished', 'navigated to home'; was it killed, or the log cut?"
      ]),
    Row("a message after home", [.remove("IAM did"), .add("IAM did display 9000ms", after: "navigated")], []),
    Row("a campaign after home", [.remove("campaign"), .add("campaign 9000ms", after: "navigated")], []),
    Row("no campaign and no message", [.remove("campaign"), .remove("IAM did")], []),
    Row(
      "an empty adid", [.replace("adid", with: "adid (empty) 5300ms"), .endAfter("adid (empty)")],
      [
        "L8 warning 14: the launch ends here without 'adjust tags ready to sync'"
      ]),
    Row("branches that print 5 ms late", [.replace("idfa", with: "idfa 3499ms")], []),
  ]

  private static let beginnings: [Row] = [
    Row("no start", [.remove("start counting")], ["L1 error 1: the log of a launch begins with '[waitingTime] start"]),
    Row(
      "a line before the start",
      [.add("start counting", after: "start counting"), .replace("start counting", with: "idfa 3ms")],
      [
        "L1 error 1: the log of a launch begins", "L6 error 1: 'idfa' needs 'start onesignal initialization', ",
        "L8 warning 1: the launch ends here without ",
      ]),
    Row(
      "a start with a time", [.replace("start counting", with: "start counting 0ms")],
      [
        "L1 error 1: the log of a launch begins",
        "L3 error 1: 'start counting' is written '[waitingTime] start counting'",
      ]),
    Row(
      "the beginning cut off",
      [.remove("start counting"), .remove("start onesignal"), .remove("onesignal init"), .remove("splash")],
      [
        "L1 error 1: the log of a launch begins",
        "L6 error 1: 'waiting for onesignal user id' needs 'start onesignal initialization', 'onesignal initialization', "
          + "'splash launch' before it, and they stand nowhere in this launch",
      ]),
  ]

  private static let texts: [Row] = [
    Row(
      "a misspelt text", [.replace("splash launch", with: "splash lanch 166ms")],
      [
        "L2 error 4: 'splash lanch' is no text of this log; did you mean 'splash launch'?",
        "L6 error 5: 'waiting for onesignal user id' needs 'splash launch' before it, and that stands nowhere",
      ]),
    Row(
      "another text", [.add("hello world 170ms", after: "splash")],
      ["L2 error 5: 'hello world' is no text of this log; nothing else may carry the prefix"]),
    Row("a note of the app's own", [.add("cold", after: "splash")], ["L2 error 5: 'cold' is no text of this log"]),
    Row(
      "nothing behind the prefix", [.add("", after: "splash")], ["L2 error 5: nothing stands behind '[waitingTime]'"]),
    Row(
      "a mark without a time", [.replace("splash launch", with: "splash launch")],
      ["L3 error 4: 'splash launch' is written '[waitingTime] splash launch 120ms'"]),
    Row(
      "a mark written as a step", [.replace("splash launch", with: "splash launch: 166 milliseconds")],
      ["L3 error 4: 'splash launch' is written '[waitingTime] splash launch 120ms'"]),
    Row(
      "a step written as a mark", [.replace("onesignal init", with: "onesignal initialization 41ms")],
      ["L3 error 3: 'onesignal initialization' is written '[waitingTime] onesignal initialization: 120 milliseconds'"]),
    Row(
      "a note with a time", [.replace("waiting for idfa", with: "waiting for idfa adid idfv campaign 3503ms")],
      [
        "L3 error 11: 'waiting for idfa adid idfv campaign' is written '[waitingTime] waiting for idfa adid idfv campaign'"
      ]),
    Row(
      "a blank in front of the unit", [.replace("splash launch", with: "splash launch 166 ms")],
      ["L3 error 4: 'splash launch' is written"]),
    Row(
      "a time that is no whole number", [.replace("splash launch", with: "splash launch 166.2ms")],
      ["L3 error 4: 'splash launch' is written"]),
    Row(
      "a time that no clock shows", [.replace("splash launch", with: "splash launch 99999999999999999999ms")],
      ["L3 error 4: 'splash launch' is written"]),
  ]

  private static let counts: [Row] = [
    Row(
      "a splash again", [.add("splash launch 900ms", after: "start ATT")],
      ["L4 error 7: 'splash launch' is printed at most once a launch, and stands on line 4"]),
    Row(
      "three user ids",
      [
        .add("one signal user id fetched 950ms", after: "one signal user id"),
        .add("one signal user id fetched 960ms", after: "one signal user id fetched 950"),
      ], ["L4 error 9: 'one signal user id fetched' is printed at most 2 times a launch, and stands on line 7"]),
    Row(
      "home twice more",
      [
        .add("navigated to home 7940ms", after: "navigated"),
        .add("navigated to home 7941ms", after: "navigated to home 7940"),
      ],
      [
        "L4 error 21: 'navigated to home' is printed at most once a launch, and stands on line 20",
        "L4 error 22: 'navigated to home' is printed at most once a launch, and stands on line 20",
      ]),
    Row(
      "two campaigns", [.add("campaign 7000ms", after: "campaign")], ["L4 error 19: 'campaign' is printed at most once"]
    ),
    Row(
      "two messages", [.add("IAM did display 5130ms", after: "IAM did")], ["L4 error 18: 'IAM did display' is printed"]),
    Row(
      "an adid and none", [.add("adid (empty) 3893ms", after: "adid")],
      ["L5 error 15: 'adid (empty)' and 'adid' (line 14) exclude each other"]),
    Row(
      "no adid and then one", [.add("adid (empty) 3893ms", after: "idfa")],
      ["L5 error 15: 'adid' and 'adid (empty)' (line 14) exclude each other"]),
    Row(
      "a user id and a time-out",
      [.add("one signal user id timeout (empty) 3893ms", after: "adid")],
      ["L5 error 15: 'one signal user id timeout (empty)' and 'one signal user id fetched' (line 7) exclude each other"]
    ),
    Row(
      "a time-out and a user id",
      [.add("one signal user id timeout (empty) 900ms", after: "start ATT")],
      ["L5 error 8: 'one signal user id fetched' and 'one signal user id timeout (empty)' (line 7) exclude each other"]),
  ]

  private static let orders: [Row] = [
    Row(
      "Adjust before the answer", [.remove("ATT answered"), .add("ATT answered 3501ms", after: "start adjust")],
      ["L6 error 8: 'start adjust initialization' stands before 'ATT answered' (line 9), and can only come after"]),
    Row(
      "tags before an identifier", [.remove("idfa"), .add("idfa 3894ms", after: "adjust tags")],
      ["L6 error 14: 'adjust tags ready to sync' stands before 'idfa' (line 15), and can only come after"]),
    Row(
      "the splash first", [.remove("splash"), .add("splash launch 0ms", after: "start counting")],
      ["L6 error 2: 'splash launch' stands before 'onesignal initialization' (line 4), and can only come after"]),
    Row(
      "a campaign before Adjust", [.remove("campaign"), .add("campaign 200ms", after: "start ATT")],
      ["L6 error 7: 'campaign' stands before 'start adjust initialization' (line 10)"]),
    Row(
      "home before the gate's end", [.remove("IAM gate"), .add("IAM gate finished 7938ms", after: "navigated")],
      ["L6 error 19: 'navigated to home' stands before 'IAM gate finished' (line 20)"]),
    Row(
      "no ATT answer", [.remove("ATT answered")],
      ["L6 error 8: 'start adjust initialization' needs 'ATT answered' before it, and that stands nowhere"]),
    Row(
      "no adid and no user id", [.remove("adid"), .remove("one signal user")],
      [
        "L6 error 13: 'adjust tags ready to sync' needs 'one signal user id fetched' or 'one signal user id timeout "
          + "(empty)', 'adid' or 'adid (empty)' before it, and they stand nowhere"
      ]),
  ]

  private static let times: [Row] = [
    Row(
      "within a branch", [.replace("start adjust", with: "start adjust initialization 3479ms")],
      ["L7 warning 9: the time falls from 3480 ms to 3479 ms; the log reads the wall clock, was it set?"]),
    Row(
      "between branches by more than 5 ms", [.replace("idfa", with: "idfa 3498ms")], ["L7 warning 13: the time falls"]),
    Row(
      "at the end", [.replace("navigated", with: "navigated to home 1ms")],
      ["L7 warning 20: the time falls from 7936 ms to 1 ms"]),
  ]

  private static let cuts: [Row] = [
    Row(
      "before home", [.endAfter("IAM gate")],
      ["L8 warning 19: the launch ends here without 'navigated to home'; was it killed, or the log cut?"]),
    Row(
      "in the prompt", [.endAfter("one signal user")],
      ["L8 warning 7: the launch ends here without 'ATT answered', 'start adjust initialization', "]),
    Row(
      "after the start", [.endAfter("start counting")], ["L8 warning 1: the launch ends here without 'start onesignal"]),
  ]

  @Test(arguments: quirks + beginnings + texts + counts + orders + times + cuts)
  func `a changed log gives these findings`(row: Row) {
    let lines = row.edits.reduce(into: Self.transcripts[0].split(separator: "\n").map(String.init)) {
      $1.apply(to: &$0)
    }
    let found = WaitingTimeCheck(lines.joined(separator: "\n")).findings
    let texts = found.map { "\($0.check.rawValue) \($0.severity.rawValue) \($0.line): \($0.message)" }
    #expect(texts.count == row.findings.count, "\(texts)")
    for (text, expected) in zip(texts, row.findings) { #expect(text.hasPrefix(expected)) }
    for finding in found { #expect(finding.sourceLine == lines[finding.line - 1]) }
  }

  @Test func `each check has three bad logs at least`() {
    let rows = Self.quirks + Self.beginnings + Self.texts + Self.counts + Self.orders + Self.times + Self.cuts
    for check in WaitingTimeCheck.Check.allCases {
      let count = rows.count { $0.findings.contains { $0.hasPrefix("\(check.rawValue) ") } }
      #expect(count >= 3, "\(check)")
    }
  }

  @Test func `each example of the page on lint breaks its check`() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/LaunchPlist/LaunchPlist.docc/Lint.md")
    let page = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    for check in WaitingTimeCheck.Check.allCases {
      let section = try #require(page.split(separator: "\n**\(check.rawValue)** ").dropFirst().first, "\(check)")
      let block = try #require(section.split(separator: "```log\n").dropFirst().first)
      let log = try #require(block.split(separator: "```").first)
      #expect(WaitingTimeCheck(String(log)).findings.contains { $0.check == check }, "\(check)")
    }
  }

  @Test func `each launch of a log is held to the counts, and a killed one is doubted`() {
    let killed = Self.transcripts[1].split(separator: "\n").prefix(8).joined(separator: "\n")
    let text = "\(Self.transcripts[0])\n\(killed)\nother\n\(Self.transcripts[2])\n[waitingTime] idfa 40000ms\n"
    let findings = WaitingTimeCheck(text).findings
    #expect(findings.map(\.line) == [28, 48])
    #expect(findings.map(\.check) == [.completeness, .count])
    #expect(findings.map(\.severity) == [.warning, .error])
    #expect(findings.last?.message.contains("stands on line 40") == true)
  }

  @Test func `a finding points behind the console's prefix, in characters`() {
    let line = "é 12:00 [waitingTime] hello 3ms"
    let finding = WaitingTimeCheck("[waitingTime] start counting\r\n\(line)\r\n").findings.first {
      $0.check == .vocabulary
    }
    #expect(finding?.line == 2)
    #expect(finding?.column == 23)
    #expect(finding?.sourceLine == line)
    let bare = WaitingTimeCheck("[waitingTime]hello").findings.first { $0.check == .vocabulary }
    #expect(bare?.column == 14)
  }

  @Test func `a log cut at any byte is read, and its end is doubted at most`() {
    for text in Self.transcripts {
      let bytes = Array(text.utf8)
      let ends = bytes.indices.filter { bytes[$0] == 0x0A }
      for end in ends {
        let findings = WaitingTimeCheck(String(decoding: bytes[..<end], as: UTF8.self)).findings
        #expect(findings.allSatisfy { $0.severity == .warning && $0.check == .completeness })
        #expect(findings.count <= 1)
      }
      for cut in bytes.indices { _ = WaitingTimeCheck(String(decoding: bytes[..<cut], as: UTF8.self)) }
    }
  }

  @Test(arguments: [1, 2, 3]) func `a mutated log is read without harm`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let lines = Self.transcripts.flatMap { $0.split(separator: "\n") }.map(String.init)
    let spice = Array("[] :0129ms\r\n\u{0}é".unicodeScalars)
    for _ in 0..<500 {
      var mutated = (0..<25).compactMap { _ in lines.randomElement(using: &generator) }
      for _ in 0..<3 {
        let index = mutated.indices.randomElement(using: &generator) ?? 0
        var scalars = Array(mutated[index].unicodeScalars)
        scalars.insert(
          spice.randomElement(using: &generator) ?? " ", at: Int.random(in: 0...scalars.count, using: &generator))
        mutated[index] = String(String.UnicodeScalarView(scalars))
      }
      let text = mutated.joined(separator: "\n")
      let count = text.utf8.count { $0 == 0x0A } + 1
      for finding in WaitingTimeCheck(text).findings { #expect((1...count).contains(finding.line)) }
    }
  }
}

extension WaitingTimeCheckTests.Edit {
  fileprivate func apply(to lines: inout [String]) {
    func index(_ start: String) -> Int {
      guard let index = lines.firstIndex(where: { $0.hasPrefix("[waitingTime] \(start)") }) else {
        preconditionFailure("no line begins with \(start)")
      }
      return index
    }
    switch self {
    case .remove(let start): lines.remove(at: index(start))
    case .add(let text, let start): lines.insert("[waitingTime] \(text)", at: index(start) + 1)
    case .replace(let start, let text): lines[index(start)] = "[waitingTime] \(text)"
    case .endAfter(let start): lines.removeSubrange((index(start) + 1)...)
    }
  }
}
