import LaunchClients
import LaunchHTTP
import LaunchSandbox
import LaunchSimulation
import Synchronization
import Testing

/// The three transcripts of launch-flow.md section 9, each made by a launch in a world of its own.
///
/// Compared are all lines, in order: the words, the format and the number. A number may be 50 ms off, since a simulated
/// device takes no time to compute, and 41 ms of the samples are nothing else. Neighbours from branches that run side by side
/// may stand in either order when the sample has them within 5 ms (section 1; R08, R15).
@Suite struct TranscriptTests {
  /// What one launch meets.
  struct World {
    var scenario: LaunchScenario
    var sandbox: VendorSandbox
    var isLater = false

    /// - Parameters:
    ///   - splash: From the start, in milliseconds, as all of these.
    ///   - answered: From asking for the permission to track to the answer.
    ///   - timings: Of calls; all others take 40 ms.
    init(
      splash: Int, _ tracking: LaunchScenario.Tracking, _ timings: [VendorCall: Int] = [:], displayAfter: Int = 0
    ) {
      scenario = .firstLaunch
      scenario.splashAfter = .milliseconds(splash)
      scenario.activeAfter = .milliseconds(splash - 20)
      scenario.tracking = tracking
      scenario.displayAfter = .milliseconds(displayAfter)
      let latency = LatencyProfile(
        name: "scripted", timings: timings.mapValues { LatencyProfile.Timing(head: .milliseconds($0)) },
        other: LatencyProfile.Timing(head: .milliseconds(40)))
      sandbox = VendorSandbox(latency: latency)
      sandbox.adjust.askIn = [.seconds(2)]
    }
  }

  /// Tracking is allowed after 3.3 s, the message appears 1.2 s after the gate opens, the attribution 2 s after the install.
  static let messageShown = World(
    splash: 166, .prompt(.authorized, after: .milliseconds(3314)),
    [.oneSignalCreateUser: 872, .adjustSession: 413, .adjustClick: 600, .adjustAttribution: 117], displayAfter: 1187)

  /// The day after; nobody has written a message.
  static let noMessage = {
    var world = World(splash: 120, .decided(.authorized, after: .milliseconds(113)))
    world.sandbox.oneSignal.messages = []
    world.isLater = true
    return world
  }()

  /// OneSignal drops every connection, the user refuses, and no campaign explains the install.
  static let unreachable = {
    var world = World(
      splash: 140, .prompt(.denied, after: .milliseconds(2170)), [.adjustSession: 460, .adjustClick: 600])
    world.sandbox.adjust.attribution = nil
    world.sandbox.faults = FaultScript([.init([.vendor("onesignal")], .drop)])
    return world
  }()

  private func log(_ world: World) throws -> [String] {
    let output = Output()
    try Simulation.run(horizon: .seconds(1000)) {
      let sandbox = Mutex(world.sandbox)
      let transport = AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } }
      let store = LaunchStore()
      if world.isLater { try await AppLaunch(transport: transport, store: store).run() }
      try await AppLaunch(transport: transport, scenario: world.scenario, store: store) { output.append($0) }.run()
    }
    return output.lines
  }

  static let worlds = [("message shown", messageShown), ("no message", noMessage), ("unreachable", unreachable)]

  @Test(arguments: zip(worlds, WaitingTimeCheckTests.transcripts))
  func `a scripted launch logs the transcript`(named: (name: String, world: World), transcript: String) throws {
    let made = try log(named.world).compactMap { WaitingTimeLine(parsing: $0) }
    let sample = transcript.split(separator: "\n").compactMap { WaitingTimeLine(parsing: String($0)) }
    #expect(made.settled.map(\.words) == sample.settled.map(\.words))
    for (made, sample) in zip(made.settled, sample.settled) {
      guard let number = sample.milliseconds else { continue }
      #expect(abs((made.milliseconds ?? .max) - number) <= 50, "\(made), not \(sample)")
    }
  }

  @Test func `only what runs side by side may change places`() {
    func words(_ lines: String...) -> [String] {
      lines.compactMap { WaitingTimeLine(parsing: "[waitingTime] \($0)") }.settled.map(\.words)
    }
    #expect(words("idfv 3504ms", "idfa 3505ms") == words("idfa 2331ms", "idfv 2331ms"))
    #expect(words("idfv 10ms", "idfa 16ms") != words("idfa 10ms", "idfv 16ms"))
    #expect(words("ATT answered 10ms", "start ATT 10ms") != words("start ATT 10ms", "ATT answered 10ms"))
    #expect(words("idfa 1ms", "campaign 1ms") != words("campaign 1ms", "idfa 1ms"))
    #expect(words("idfa: 1 milliseconds") != words("idfa 1ms"))
  }
}

extension WaitingTimeLine {
  /// The line with another number.
  fileprivate var words: String {
    switch self {
    case .start: "start"
    case .mark(let name, _): "mark \(name)"
    case .ready(let name, _): "ready \(name)"
    case .note(let name): "note \(name)"
    }
  }

  fileprivate var milliseconds: Int? {
    switch self {
    case .mark(_, let number), .ready(_, let number): number
    case .start, .note: nil
    }
  }

  /// Which of the branches that run side by side the line comes from (launch-flow.md section 3); nil for any other.
  fileprivate var branch: Int? {
    switch self {
    case .mark("waiting for onesignal user id", _), .mark("one signal user id fetched", _): 1
    case .mark("start ATT", _): 2
    case .mark("idfa", _): 3
    case .mark("idfv", _): 4
    case .mark("adid", _): 5
    default: nil
    }
  }
}

extension [WaitingTimeLine] {
  /// With neighbours of different branches, printed within 5 ms, in one order.
  fileprivate var settled: [WaitingTimeLine] {
    var lines = self
    for end in lines.indices.reversed() {
      for index in lines.indices.prefix(end) {
        guard
          let (first, second) = lines[index].branch.flatMap({ first in lines[index + 1].branch.map { (first, $0) } }),
          let start = lines[index].milliseconds, let next = lines[index + 1].milliseconds
        else { continue }
        if first > second, abs(next - start) <= 5 { lines.swapAt(index, index + 1) }
      }
    }
    return lines
  }
}
