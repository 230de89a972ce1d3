import LaunchClients
import LaunchJSON
import LaunchTrace
import Testing

/// Reading back from a trace what an app, its user and the system did with MotiSig.
@Suite struct MotiSigScenarioTests {
  static let scenarios: [(LaunchScenario.MotiSig, LaunchScenario.Push)] = [
    (.init(), .decided(.granted, tokenAfter: .milliseconds(300))),
    (
      .init(userID: "a@b.c", userAfter: .zero, tappedMessageID: "m1"), .decided(.declined, tokenAfter: .milliseconds(1))
    ),
    (.init(asksForPush: true), .prompt(.declined, after: .milliseconds(2345), tokenAfter: .milliseconds(700))),
    (.init(asksForPush: true), .prompt(.granted, after: .seconds(86_400), tokenAfter: nil)),
    (.init(userAfter: nil), .decided(.granted, tokenAfter: nil)),
  ]

  private func events(_ motiSig: LaunchScenario.MotiSig, _ push: LaunchScenario.Push) throws -> [Event] {
    var scenario = LaunchScenario.firstLaunch
    scenario.motiSig = motiSig
    scenario.push = push
    return try MotiSigVendor().run(scenario: scenario) { app in
      app.marks.mark("did finish launching begin")
      app.client.initialize(
        launchPayload: motiSig.tappedMessageID.map { ["messageId": .string($0)] },
        skipPermissionRequest: !motiSig.asksForPush)
      app.marks.mark("did finish launching end")
      if let delay = motiSig.userAfter {
        try await Task.sleep(for: delay)
        try app.client.setUser(motiSig.userID)
        app.tap("m2")
      }
      await app.client.settle(until: .now + .seconds(20))
    }.events
  }

  @Test(arguments: scenarios) func `a recorded launch tells its scenario`(
    motiSig: LaunchScenario.MotiSig, push: LaunchScenario.Push
  ) throws {
    let read = LaunchScenario(events: try events(motiSig, push))
    #expect(read.motiSig == motiSig)
    #expect(read.push == push)
  }

  @Test(arguments: scenarios) func `a launch cut anywhere still makes a scenario`(
    motiSig: LaunchScenario.MotiSig, push: LaunchScenario.Push
  ) throws {
    let events = try events(motiSig, push)
    for count in events.indices { _ = LaunchScenario(events: Array(events[..<count])) }
  }

  @Test func `a launch without MotiSig has none`() {
    let read = LaunchScenario(events: [Event(at: .zero, .mark(Mark("did finish launching end")))])
    #expect(read.motiSig == nil)
  }
}
