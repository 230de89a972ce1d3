import LaunchTrace
import Testing

@testable import LaunchClients

/// Launch-flow.md section 2, A1 to A4: the wait alone, with an id that nobody announces. It begins at zero.
@Suite struct UserWaitTests {
  /// Waits for an id that is there from `presence` on, in milliseconds; nil for never. Each look at it is a mark.
  private func run(
    idAfter presence: Int?, _ meanwhile: @escaping @MainActor (UserWait) async throws -> Void = { _ in }
  ) throws -> Observed {
    try Script().run { recording in
      let start = ContinuousClock.now
      let id: @MainActor () -> String? = {
        recording.mark("look")
        guard let presence, ContinuousClock.now - start >= .milliseconds(presence) else { return nil }
        return Script.userID
      }
      let tasks = TaskBag()
      let wait = UserWait(edition: .published, id: id, log: WaitingTimeLog(marks: recording), tasks: tasks)
      tasks.start { try await meanwhile(wait) }
      try await wait.wait()
      recording.mark("released")
      await tasks.drain()
      recording.mark("idle")
    }
  }

  static let ids: [(presence: Int, found: Int)] = [
    (1, 250), (250, 250), (251, 500), (6010, 6250), (11_740, 11_750),
  ]

  @Test(arguments: ids) func `the poll finds an id at the next quarter of a second`(presence: Int, found: Int) throws {
    let observed = try run(idAfter: presence)
    #expect(observed.times(of: "released") == [.milliseconds(found)])
    #expect(observed.times(of: .userFetched) == [.milliseconds(found)])
    #expect(observed.times(of: "look") == stride(from: 0, through: found, by: 250).map { .milliseconds($0) })
    #expect(observed.times(of: "idle") == observed.times(of: "released"))
  }

  @Test func `without an id the wait ends after 12 s, and 48 polls at most`() throws {
    let observed = try run(idAfter: nil)
    #expect(observed.times(of: "released") == [.seconds(12)])
    #expect(observed.times(of: .userTimeout) == [.seconds(12)])
    #expect(observed.times(of: .userFetched).isEmpty)
    let looks = observed.times(of: "look")
    #expect(looks.filter { $0 < .seconds(12) } == stride(from: 0, to: 12_000, by: 250).map { .milliseconds($0) })
    // The first look is the wait's own; at 12 s the last poll and the timer may both look.
    #expect(looks.count <= 1 + 48 + 1)
    #expect(observed.times(of: "idle") == [.seconds(12)])
  }

  @Test func `an id that came after the last poll is fetched, not timed out`() throws {
    let observed = try run(idAfter: 11_990)
    #expect(observed.times(of: .userFetched) == [.seconds(12)])
    #expect(observed.times(of: .userTimeout).isEmpty)
  }

  @Test func `an id that is there already is waited for no time, and looked at once`() throws {
    let observed = try run(idAfter: 0)
    #expect(observed.times(of: "look") == [.zero])
    #expect(observed.logged == [.waitingForUser, .userFetched])
    #expect(observed.times(of: "released") == [.zero])
  }

  @Test func `the observer wins over the poll, and stops it and the timer`() throws {
    let observed = try run(idAfter: 600) { wait in
      try await Task.sleep(for: .milliseconds(600))
      wait.userChanged()
    }
    #expect(observed.times(of: .userFetched) == [.milliseconds(600)])
    #expect(observed.times(of: "look") == [.zero, .milliseconds(250), .milliseconds(500)])
    #expect(observed.times(of: "idle") == [.milliseconds(600)])
  }
}
