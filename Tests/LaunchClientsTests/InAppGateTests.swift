import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// When home opens: launch-flow.md section 2, steps 15 to 21, quirks Q6 and Q7, and what the strict edition does instead.
@Suite struct InAppGateTests {
  private func launch(
    _ edition: LaunchEdition, _ script: Script = Script(), displayAfter: Duration = .milliseconds(1300)
  ) throws -> Observed {
    var scenario = edition == .strict ? LaunchScenario.strictFirstLaunch : .firstLaunch
    scenario.displayAfter = displayAfter
    return try script.run { [scenario] recording in
      try await AppLaunch(transport: recording, edition: edition, scenario: scenario).run()
    }
  }

  /// Tags are ready at 7.6 s and leave with the flush at 10 s.
  private static func script(updatesAnsweredAfter delay: Duration) -> Script {
    var script = Script()
    script[.updateUser] = [Answer(["properties": [:], "ryw_token": "ryw-2"], after: delay)]
    return script
  }

  @Test(arguments: [100, 700, 4000, 7599])
  func `strict: the gate opens when the tags are acknowledged`(milliseconds: Int) throws {
    let observed = try launch(.strict, Self.script(updatesAnsweredAfter: .milliseconds(milliseconds)))
    let acknowledged = Duration.milliseconds(10_000 + milliseconds)
    #expect(observed.time(of: .tagsReady) == .milliseconds(7600))
    #expect(observed.times(of: .startInAppWait) == [acknowledged])
    #expect(observed.times(of: "in-app unpaused").first == acknowledged)
    #expect(observed.calls(.content).allSatisfy { $0.at >= acknowledged })
    #expect(observed.times(of: .didDisplay) == [acknowledged + .milliseconds(1400)])
    #expect(observed.times(of: .navigatedToHome) == [acknowledged + .milliseconds(4200)])
  }

  @Test func `as published it opens before they have left (Q6)`() throws {
    let observed = try launch(.published, Self.script(updatesAnsweredAfter: .seconds(4)))
    #expect(observed.times(of: .startInAppWait) == [.milliseconds(7600)])
    #expect(observed.times(of: "in-app unpaused").first == .milliseconds(7600))
  }

  /// - Parameter updates: What becomes of the tags.
  private func closesAt(_ moment: Duration, _ updates: Answer) throws {
    var script = Script()
    script[.updateUser] = [updates]
    let observed = try launch(.strict, script)
    for entry in [WaitingTimeEntry.startInAppWait, .gateFinished, .navigatedToHome] {
      #expect(observed.times(of: entry) == [moment], "\(entry)")
    }
    #expect(observed.times(of: "home shown") == [moment])
    for name in ["in-app unpaused", "trigger set", WaitingTimeEntry.didDisplay.rawValue] {
      #expect(observed.times(of: name).isEmpty, "\(name)")
    }
    #expect(observed.calls(.content).isEmpty && observed.calls(.impression).isEmpty)
  }

  @Test(arguments: [
    Answer(["properties": [:]], after: .milliseconds(7601)), Answer(parts: [.init(at: .zero, .fault(.hang))]),
    Answer([:], status: 500), Answer([:], status: 429),
  ])
  func `strict: after 10 s without an acknowledgement messages stay paused, and home opens`(updates: Answer) throws {
    try closesAt(.milliseconds(7600) + LaunchNumbers.tagsLimit, updates)
  }

  @Test(arguments: [400, 403, 409])
  func `strict: so it is as soon as the tags are refused`(status: Int) throws {
    try closesAt(.milliseconds(10_100), Answer([:], status: status))
  }

  /// From the gate's opening to the display and to home, in milliseconds; the content takes 100.
  static let looks: [(edition: LaunchEdition, display: Int, home: Int)] = [
    (.published, 100, 2900), (.published, 17_199, 19_999), (.published, 17_201, 20_000), (.published, 19_999, 20_000),
    (.strict, 100, 2900), (.strict, 17_199, 19_999),
  ]

  @Test(arguments: looks)
  func `a message is looked at for 2.8 s, as published for less at the gate's end (Q7)`(
    edition: LaunchEdition, display: Int, home: Int
  ) throws {
    let observed = try launch(edition, displayAfter: .milliseconds(display - 100))
    let wait = try #require(observed.time(of: .startInAppWait))
    #expect(observed.times(of: .didDisplay) == [wait + .milliseconds(display)])
    #expect(observed.times(of: .gateFinished) == [wait + .milliseconds(home)])
    #expect(observed.times(of: .navigatedToHome) == [wait + .milliseconds(home)])
  }

  @Test func `strict: a message that could not be looked at within 20 s does not hold up home`() throws {
    let observed = try launch(.strict, displayAfter: .milliseconds(17_101))
    let wait = try #require(observed.time(of: .startInAppWait))
    #expect(observed.times(of: .navigatedToHome) == [wait + .milliseconds(17_200)])
    #expect(observed.times(of: .didDisplay) == [wait + .milliseconds(17_201)])
  }
}
