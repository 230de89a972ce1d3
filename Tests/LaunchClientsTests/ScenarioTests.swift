import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Reading the outside world back from what a launch left in its trace.
@Suite struct ScenarioTests {
  private func observed(_ scenario: LaunchScenario) throws -> Observed {
    try Script().run { recording in try await AppLaunch(transport: recording, scenario: scenario).run() }
  }

  static let scenarios: [LaunchScenario] = {
    var denied = LaunchScenario.firstLaunch
    denied.tracking = .prompt(.denied, after: .microseconds(1_234_567))
    denied.activeAfter = .milliseconds(777)
    denied.splashAfter = .milliseconds(111)
    denied.adaptyAfter = .milliseconds(13)
    denied.adjust.environment = .sandbox
    denied.paywall = .simple("settings", timeout: .milliseconds(4321))
    denied.displayAfter = .milliseconds(321)
    var managed = LaunchScenario.firstLaunch
    managed.tracking = .decided(.restricted)
    managed.adServicesAfter = nil
    managed.paywall = .race("onboarding", timeout: .seconds(2))
    var unlucky = LaunchScenario.firstLaunch
    unlucky.adServicesErrors = [2, 2]
    var simulator = LaunchScenario.firstLaunch
    simulator.adServicesErrors = [3]
    var elsewhere = LaunchScenario.firstLaunch
    elsewhere.adjust.sendsServerSession = true
    elsewhere.motiSig?.baseURL = Location(scheme: "https", host: "push.example.org", port: 8443, path: "/v2/client")
    return [.firstLaunch, denied, managed, unlucky, simulator, elsewhere]
  }()

  @Test(arguments: scenarios) func `a recorded launch tells its scenario`(scenario: LaunchScenario) throws {
    var read = LaunchScenario(events: try observed(scenario).events)
    // Nobody asks for the permission to push, so nothing tells what would have become of it.
    read.push = scenario.push
    #expect(read == scenario)
  }

  @Test(arguments: scenarios) func `a launch in the recorded world is the same launch`(scenario: LaunchScenario) throws
  {
    let first = try observed(scenario)
    #expect(try observed(LaunchScenario(events: first.events)) == first)
  }

  @Test func `an empty trace is the first launch`() {
    #expect(LaunchScenario(events: []) == .firstLaunch)
  }

  @Test func `a trace cut anywhere still makes a scenario`() throws {
    let events = try observed(.firstLaunch).events
    for count in events.indices { _ = LaunchScenario(events: Array(events[..<count])) }
  }

  @Test func `odd fields are ignored`() {
    let marks = [
      Mark("did finish launching end"), Mark("ATT requested"), Mark("ATT answered", ["status": .integer(.max)]),
      Mark("adjust init", ["environment": "moon"]),
      Mark("paywall requested", ["mode": "guess", "placement": 3, "timeout": "soon"]),
    ]
    var expected = LaunchScenario.firstLaunch
    expected.adServicesAfter = nil
    expected.motiSig = nil
    #expect(LaunchScenario(events: marks.map { Event(at: .zero, .mark($0)) }) == expected)
  }

  @Test func `only the first launch counts`() throws {
    let first = try observed(.firstLaunch).events
    let second = try observed(Self.scenarios[1]).events
    let events = [Event(at: .zero, .launch(1))] + first + [Event(at: .zero, .launch(2))] + second
    var read = LaunchScenario(events: events)
    read.push = LaunchScenario.firstLaunch.push
    #expect(read == .firstLaunch)
  }
}
