import LaunchCassette
import LaunchClients
import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// The shipped first launch, replayed to a user who answers the tracking prompt sooner or later than the recorded one did:
/// what OneSignal is told then leaves in other updates than the recorded three.
struct MergedLaunchTests {
  private static let cassette = Result { try Cassette(path: "cassettes/first-launch.cassette") }

  static let recorded = [["session_count"], ["mmp_id", "idfa", "idfv"], ["campaign"]]
  static let merged = [["session_count"], ["mmp_id", "idfa", "idfv", "campaign"]]

  /// - Parameter delay: From the prompt to its answer.
  private func replay(_ cassette: Cassette, answeredAfter delay: Duration) throws -> Replay {
    var scenario = LaunchScenario(events: try Self.cassette.get().events)
    scenario.tracking.after = delay
    return Deck(cassette).replay { [scenario] launch in
      try await AppLaunch(transport: launch.transport, scenario: scenario).run()
    }
  }

  /// The names of what each update changes.
  private func updates(_ trace: Trace) throws -> [[String]] {
    var updates: [[String]] = []
    for request in trace.exchanges.map(\.request) {
      guard request.method == "PATCH", request.location.host == "api.onesignal.com" else { continue }
      let body = try JSON(parsing: request.body.bytes)
      let changes = [body["deltas"]?.object, body["properties"]?["tags"]?.object].compactMap(\.self)
      updates.append(changes.flatMap { $0.members.map(\.key) })
    }
    return updates
  }

  static let delays: [(milliseconds: Int64, updates: [[String]])] = [
    (100, merged), (2000, recorded), (4600, merged), (7003, recorded), (9500, merged), (11_000, recorded),
  ]

  @Test(arguments: delays)
  func `updates that merge otherwise are answered`(milliseconds: Int64, expected: [[String]]) throws {
    let replay = try replay(Self.cassette.get(), answeredAfter: .milliseconds(milliseconds))
    try replay.check(isStrict: true)
    #expect(try updates(replay.trace) == expected)
  }

  @Test func `updates that split otherwise are answered`() throws {
    let merging = try replay(Self.cassette.get(), answeredAfter: .milliseconds(4600))
    let recording = Cassette(header: CassetteHeader(name: "merged"), events: merging.trace.events)
    let splitting = try replay(recording, answeredAfter: .milliseconds(7003))
    try splitting.check(isStrict: true)
    #expect(try updates(merging.trace) == Self.merged)
    #expect(try updates(splitting.trace) == Self.recorded)
  }
}
