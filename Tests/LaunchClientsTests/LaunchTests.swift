import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

/// Whole launches over scripted vendors; launch-flow.md sections 2, 4 and 7.
@Suite struct LaunchTests {
  private func launch(
    _ script: Script = Script(), _ change: (inout LaunchScenario) -> Void = { _ in }
  ) throws -> (observed: Observed, lines: [String]) {
    var scenario = LaunchScenario.firstLaunch
    change(&scenario)
    let output = Output()
    let observed = try script.run { [scenario] recording in
      try await AppLaunch(transport: recording, scenario: scenario) { output.append($0) }.run()
    }
    return (observed, output.lines)
  }

  @Test func `tracking allowed, message shown`() throws {
    let (observed, lines) = try launch()
    #expect(
      lines == [
        "[waitingTime] start counting",
        "[waitingTime] start onesignal initialization 0ms",
        "[waitingTime] onesignal initialization: 0 milliseconds",
        "[waitingTime] one signal user id fetched 200ms",
        "[waitingTime] splash launch 300ms",
        "[waitingTime] waiting for onesignal user id 300ms",
        "[waitingTime] one signal user id fetched 300ms",
        "[waitingTime] start ATT 300ms",
        "[waitingTime] ATT answered 7500ms",
        "[waitingTime] start adjust initialization 7500ms",
        "[waitingTime] adjust initialization: 7500 milliseconds",
        "[waitingTime] waiting for idfa adid idfv campaign",
        "[waitingTime] idfa 7500ms",
        "[waitingTime] idfv 7500ms",
        "[waitingTime] adid 7600ms",
        "[waitingTime] adjust tags ready to sync 7600ms",
        "[waitingTime] start IAM wait 7600ms",
        "[waitingTime] IAM did display 9000ms",
        "[waitingTime] campaign 10700ms",
        "[waitingTime] IAM gate finished 11800ms",
        "[waitingTime] navigated to home 11800ms",
      ])
    #expect(observed.marks.filter { $0.mark.name == "paywall shown" }.map(\.mark.fields) == [["source": "segmented"]])
    // The tags leave with the flush at 10 s, the campaign with the next one.
    let tags = observed.calls(.updateUser).dropFirst().map(\.body)
    #expect(
      tags == [
        UserChanges(tags: [
          "mmp_id": .string(Script.adid), "idfa": .string(Device.sample.idfa), "idfv": .string(Device.sample.idfv),
        ]).json,
        UserChanges(tags: ["campaign": "Autumn"]).json,
      ])
    #expect(observed.calls(.impression).count == 1)
  }

  @Test func `an app that is never active is a launch that ends`() throws {
    let (observed, _) = try launch { $0.activeAfter = .seconds(7200) }
    #expect(try #require(observed.time(of: .navigatedToHome)) < .seconds(60))
    #expect(observed.times(of: "app active").isEmpty)
  }

  @Test func `no message: the gate takes its 20 s, and 15 late attempts follow home`() throws {
    var script = Script()
    script[.messages] = [Answer(["in_app_messages": []])]
    let (observed, _) = try launch(script)
    let wait = try #require(observed.time(of: .startInAppWait))
    let home = try #require(observed.time(of: .navigatedToHome))
    #expect(observed.times(of: .gateFinished) == [wait + .seconds(20)])
    #expect(home == wait + .seconds(20))
    let unpaused = observed.times(of: "in-app unpaused")
    #expect(unpaused.filter { $0 > wait && $0 < home } == (1..<20).map { wait + .seconds($0) })
    #expect(unpaused.filter { $0 > home } == (1..<15).map { home + .seconds($0) })
    #expect(unpaused.filter { $0 == home }.count == 2)
    #expect(observed.times(of: .didDisplay).isEmpty)
  }

  @Test func `a message after home is displayed and ends the attempts`() throws {
    let (observed, _) = try launch { $0.displayAfter = .milliseconds(24_400) }
    let home = try #require(observed.time(of: .navigatedToHome))
    #expect(observed.times(of: .didDisplay) == [home + .milliseconds(4500)])
    #expect(observed.times(of: "in-app unpaused").filter { $0 > home }.count == 4)
    #expect(observed.logged.last == .didDisplay)
  }

  @Test func `a late message is cut by the gate's timer`() throws {
    let (observed, _) = try launch { $0.displayAfter = .milliseconds(18_000) }
    let wait = try #require(observed.time(of: .startInAppWait))
    #expect(observed.time(of: .didDisplay) == wait + .milliseconds(18_100))
    #expect(observed.times(of: .gateFinished) == [wait + .seconds(20)])
  }

  @Test func `OneSignal unreachable: the wait ends after 12 s and the launch goes on`() throws {
    var script = Script()
    script.cut(.parameters, .createUser)
    let (observed, _) = try launch(script) { $0.tracking = .prompt(.denied, after: .seconds(2)) }
    let wait = try #require(observed.time(of: .waitingForUser))
    #expect(observed.times(of: .userTimeout) == [wait + .seconds(12)])
    #expect(observed.times(of: .userFetched).isEmpty)
    #expect(observed.time(of: .tagsReady) == wait + .seconds(12))
    #expect(observed.time(of: .navigatedToHome) == wait + .seconds(32))
    #expect(observed.calls(.updateUser).isEmpty)
    #expect(observed.calls(.session).map { $0.form["att_status"] } == ["2"])
  }

  @Test func `the poll finds nothing that the observer has not printed`() throws {
    var script = Script()
    script[.createUser] = [
      Answer(["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]]], after: .seconds(2))
    ]
    let (observed, _) = try launch(script)
    #expect(observed.times(of: .userFetched) == [.milliseconds(2100)])
  }

  @Test func `Adjust unreachable: ten tries in 1.8 s, and tags without mmp_id`() throws {
    var script = Script()
    script.cut(.session, .click)
    let (observed, _) = try launch(script) { $0.adjust.getter = .immediate }
    let asked = try #require(observed.time(of: .waitingForIdentifiers))
    #expect(observed.times(of: .adidEmpty) == [asked + .milliseconds(1800)])
    #expect(observed.times(of: .adid).isEmpty)
    let tags = try #require(observed.marks.first { $0.mark.name == "tags added" })
    #expect(tags.mark.fields.members.map(\.key) == ["idfa", "idfv"])
    #expect(observed.times(of: .campaign).isEmpty)
  }

  @Test func `Adjust unreachable, and a getter that holds: the splash never ends (Q4)`() {
    var script = Script()
    script.cut(.session, .click)
    #expect(throws: SimulationError.self) { try launch(script) }
  }

  @Test func `tracking denied: the zero idfa becomes a tag, as published`() throws {
    let (observed, _) = try launch { $0.tracking = .prompt(.denied, after: .seconds(2)) }
    let tags = try #require(observed.marks.first { $0.mark.name == "tags added" })
    #expect(tags.mark.fields["idfa"] == .string(Device.zeroIDFA))
    #expect(observed.calls(.session).map(\.request.location.host) == ["analytics.adjust.com"])
  }

  @Test func `a blank campaign is none`() throws {
    var script = Script()
    script[.attribution] = [Answer(["attribution": ["campaign": " \n"]])]
    let (observed, _) = try launch(script)
    #expect(observed.times(of: .campaign).isEmpty)
    #expect(observed.times(of: "tags added").count == 1)
  }

  @Test func `a second attribution is tagged, not logged`() throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a", "attribution": ["campaign": "one"]])]
    script[.click] = [Answer(["attribution": ["campaign": "two"]])]
    let (observed, _) = try launch(script)
    #expect(observed.times(of: .campaign).count == 1)
    #expect(
      observed.marks.filter { $0.mark.fields["campaign"] != nil }.map { $0.mark.fields["campaign"] } == ["one", "two"])
  }

  @Test func `an app that does not become active asks after 5 s`() throws {
    let (observed, _) = try launch { $0.activeAfter = .seconds(60) }
    let start = try #require(observed.time(of: .startATT))
    #expect(observed.time(of: .attAnswered) == start + .seconds(5))
    // Nothing is shown before the app is active.
    #expect(observed.starts(.content) == [.seconds(60)])
  }

  @Test func `nobody answers: the launch still reaches home`() throws {
    let (observed, _) = try launch(Script(refusing: true)) { $0.adjust.getter = .immediate }
    #expect(observed.logged.contains(.navigatedToHome))
    #expect(observed.times(of: "paywall failed").count == 1)
    #expect(
      Set(observed.calls) == [
        .parameters, .features, .netConfig, .ipLookup, .createProfile, .products, .defaultPaywall,
        .session,
        .click, .motiSigUser, .fallbackPaywall,
      ])
  }

  @Test func `vendors that hang hold up no screen, and no settling for more than a minute`() throws {
    var script = Script()
    for kind in script.answers.keys { script[kind] = [Answer(parts: [.init(at: .zero, .fault(.hang))])] }
    let (observed, _) = try launch(script) { $0.adjust.getter = .immediate }
    let wait = try #require(observed.time(of: .waitingForUser))
    #expect(observed.time(of: .userTimeout) == wait + .seconds(12))
    #expect(observed.time(of: .navigatedToHome) == wait + .seconds(32))
    // The late in-app attempts end 15 s after home.
    #expect(
      observed.events.last?.at == Instant.zero + .milliseconds(300) + .seconds(32 + 15) + LaunchNumbers.settleLimit)
  }

  @Test func `everybody answers nonsense: the launch still reaches home`() throws {
    var script = Script()
    for kind in script.answers.keys { script[kind] = [Answer("nonsense")] }
    #expect(try launch(script) { $0.adjust.getter = .immediate }.observed.logged.contains(.navigatedToHome))
  }

  @Test func `call order holds: R04, R06, R10, R13, R17, R25, R33, R38`() throws {
    let names = try launch().observed.marks.map(\.mark.name)
    func first(_ name: String) -> Int { names.firstIndex(of: name) ?? -1 }
    #expect(first("in-app paused") == first("onesignal initialize") + 1)
    let order = [
      "did finish launching begin", "onesignal initialize", "in-app paused", "lifecycle listener added",
      "did finish launching end", "splash launch", "ATT requested", "ATT answered", "start adjust initialization",
      "adjust init", "adjust tags ready to sync", "tags added", "start IAM wait", "trigger set", "in-app unpaused",
      "IAM gate finished", "navigated to home", "home shown",
    ]
    #expect(order.map(first) == order.map(first).sorted())
    #expect(!order.map(first).contains(-1))
    for name in ["onesignal initialize", "adjust init", "adapty activate", "home shown", "splash launch"] {
      #expect(names.count { $0 == name } == 1, "\(name)")
    }
  }

  @Test func `the campaign delays nothing`() throws {
    var late = Script()
    late[.session] = [Answer(["adid": .string(Script.adid), "ask_in": 60_000])]
    let entries: [WaitingTimeEntry] = [.tagsReady, .startInAppWait, .gateFinished, .navigatedToHome]
    let (usual, delayed) = (try launch().observed, try launch(late).observed)
    #expect(entries.map(usual.time) == entries.map(delayed.time))
    #expect(delayed.time(of: .campaign) == .milliseconds(67_700))
  }

  @Test func `two runs are equal`() throws { #expect(try launch().observed == launch().observed) }

  @Test func `a cancelled launch stops at once and throws`() throws {
    for milliseconds in stride(from: 0, through: 12_000, by: 250) {
      let observed = try Script().run { recording in
        let launch = Task { try await AppLaunch(transport: recording).run() }
        try await Task.sleep(for: .milliseconds(milliseconds))
        launch.cancel()
        await #expect(throws: CancellationError.self) { try await launch.value }
        recording.mark("stopped")
        try await Task.sleep(for: .seconds(60))
      }
      #expect(observed.times(of: "stopped") == [.milliseconds(milliseconds)])
      #expect(observed.events.last?.at == .zero + .milliseconds(milliseconds))
    }
  }

  @Test func `a settled launch leaves nothing behind`() throws {
    final class Weak: Sendable {
      let recording = Mutex<WeakRecording>(WeakRecording())
    }
    struct WeakRecording { weak var value: Recording? }
    let weak = Weak()
    let observed = try Script().run { recording in
      weak.recording.withLock { $0.value = recording }
      try await AppLaunch(transport: recording).run()
    }
    #expect(observed.logged.contains(.navigatedToHome))
    #expect(weak.recording.withLock { $0.value } == nil)
  }
}
