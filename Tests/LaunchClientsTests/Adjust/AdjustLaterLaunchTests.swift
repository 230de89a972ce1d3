import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Testing

/// Vendors.md 1.4 on the virtual clock: what a later launch finds, and what a killed process leaves.
@Suite struct AdjustLaterLaunchTests {
  private func run(
    _ script: Script = Script(), _ body: @escaping @MainActor (AdjustLaunches) async throws -> Void
  ) throws -> Observed {
    try script.run(horizon: .seconds(20_000)) { recording in
      try await body(AdjustLaunches(recording, tokenAfter: .milliseconds(70)))
    }
  }

  @Test func `within half an hour nothing is sent, and the getters answer at once`() throws {
    let observed = try run { launches in
      await launches.launch().settle()
      launches.recording.mark("killed")
      try await sleep(.seconds(1700))
      let client = launches.launch { $0.getter = .holding }
      #expect(client.knownAdid == Script.adid)
      #expect(try await client.adid() == Script.adid)
      #expect(try await client.attribution()?.campaign == " Autumn ")
      await client.settle()
    }
    let killed = try #require(observed.times(of: "killed").first)
    #expect(observed.calls == [.session, .click, .attribution])
    #expect(
      observed.events.allSatisfy {
        $0.at - .zero <= killed || $0.kind == .mark(Mark("adjust init", ["environment": "sandbox", "install": false]))
      })
  }

  @Test func `after half an hour comes a session with the counters of the last one`() throws {
    let observed = try run { launches in
      let first = launches.launch()
      try await sleep(.seconds(125))
      first.stop()
      try await sleep(.seconds(75))
      let again = launches.launch()  // 80 s after the timer last looked: a sub-session
      await again.settle()
      try await sleep(.seconds(1800))
      await launches.launch().settle()
      try await sleep(.seconds(1801))
      await launches.launch().settle()
    }
    let sessions = observed.calls(.session)
    #expect(sessions.map { $0.form["session_count"] } == ["1", "2"])
    #expect(sessions.map { $0.form["subsession_count"] } == [nil, "3"])
    #expect(sessions.map { $0.form["session_length"] } == [nil, "2000"])
    #expect(sessions.map { $0.form["time_spent"] } == [nil, "120"])
    #expect(sessions.last.map { $0.at > .seconds(3800) } == true)
  }

  @Test func `the attribution is asked for as long as none is known`() throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a"])]
    script[.click] = [Answer(["adid": "a"])]
    script[.attribution] = [Answer(["message": "none"]), .refused, .refused] + script[.attribution]
    let observed = try run(script) { launches in
      for _ in 0..<4 {
        await launches.launch().settle()
        try await sleep(.seconds(60))
      }
    }
    #expect(observed.calls(.session).count == 1)
    #expect(observed.calls(.attribution).map { $0.form["initiated_by"] } == ["sdk", "sdk", "sdk", "sdk"])
    #expect(observed.times(of: "attributed  Autumn ").count == 1)
  }

  @Test func `a question left unanswered is asked by the next launch, known attribution or not`() throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a", "attribution": ["campaign": "c"]])]
    script[.click] = [Answer(["ask_in": 5000])]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(3))
      client.stop()
      await launches.launch().settle()
      await launches.launch().settle()
    }
    #expect(observed.calls(.attribution).map(\.at) == [.seconds(3)])
    #expect(observed.calls(.attribution).map { $0.form["initiated_by"] } == ["sdk"])
  }

  @Test func `what is left in the queue is sent first, in order, and remembers its errors`() throws {
    var script = Script()
    script[.session] = [.refused, .refused, .refused, .refused] + script[.session]
    let observed = try run(script) { launches in
      let client = launches.launch()
      client.setPushToken("a")
      client.setPushToken("b")
      try await sleep(.milliseconds(150))
      client.stop()
      let calls = launches.store["adjust.packages"]?.array?.count
      #expect(calls == 3)
      try await sleep(.seconds(3000))
      let later = launches.launch()
      try await sleep(.seconds(10))
      await later.settle()
    }
    let sessions = observed.calls(.session)
    #expect(sessions.map { $0.form["session_count"] } == ["1", "1", "1", "1", "1", "2"])
    #expect(sessions.map { $0.form["retry_count"] } == ["0", "0", "2", "2", "4", "0"])
    #expect(sessions.map { $0.form["enqueue_size"] } == ["0", "0", "0", "0", "0", "3"])
    #expect(observed.calls(.info).map { $0.form["push_token"] } == ["a", "b"])
    let answered = (observed.calls(.session).suffix(2) + observed.calls(.info)).map(\.at).sorted()
    #expect(zip(answered.dropFirst(), answered).allSatisfy { $0 - $1 == .milliseconds(100) })
  }

  @Test func `a wait that is over counts, whatever becomes of the process`() throws {
    var script = Script()
    script[.session] = [Answer(["retry_in": 1500]), .silent] + script[.session]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(2))
      let left = launches.store.copy
      client.stop()
      launches.store = left
      await launches.launch().settle()
    }
    #expect(observed.calls(.session).map { $0.form["wait_time"] } == [nil, "1.50", "1.50"])
  }

  @Test func `an install is not asked about before its session is answered, in later launches either`() throws {
    var script = Script()
    script[.session] = [.silent, .page, .page] + script[.session]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(2))
      client.stop()
      let later = launches.launch()
      try await sleep(.seconds(10))
      await later.settle()
    }
    let answered = try #require(observed.calls(.session).last?.end)
    #expect(observed.calls(.attribution).allSatisfy { $0.at >= answered })
    #expect(!observed.calls(.attribution).isEmpty)
  }

  @Test func `a click that was not answered is made again with the next session`() throws {
    var script = Script()
    script[.click] = [.silent] + script[.click]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(20))
      client.stop()
      await launches.launch().settle()
      try await sleep(.seconds(1900))
      await launches.launch().settle()
      try await sleep(.seconds(1900))
      await launches.launch().settle()
    }
    #expect(observed.calls(.click).count == 2)
    #expect(observed.calls(.session).count == 3)
  }

  @Test func `who has opted out is left alone for good`() throws {
    var script = Script()
    script[.session] = [Answer(["tracking_state": "opted_out", "adid": "no"])]
    let observed = try run(script) { launches in
      let client = launches.launch()
      client.setPushToken("a")
      try await sleep(.seconds(100))
      client.setPushToken("b")
      client.applicationWillResignActive()
      client.applicationDidBecomeActive()
      await client.settle()
      #expect(launches.store["adjust.packages"] == [])
      #expect(client.knownAdid == nil)
      try await sleep(.seconds(4000))
      let later = launches.launch()
      later.setPushToken("c")
      later.applicationDidBecomeActive()
      await later.settle()
    }
    #expect(observed.calls == [.session, .click])
  }

  @Test func `a click's answer opts out as well, and the package under way is the last`() throws {
    var script = Script()
    script[.session] = [.page]
    script[.click] = [Answer(["tracking_state": "opted_out"], after: .milliseconds(10))]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(100))
      await client.settle()
    }
    #expect(observed.calls == [.session, .click])
  }

  @Test func `coming back to the foreground may begin a session, and asks for the attribution`() throws {
    var script = Script()
    script[.attribution] = [.refused, .refused] + script[.attribution]
    let observed = try run(script) { launches in
      let client = launches.launch()
      try await sleep(.seconds(10))
      client.applicationWillResignActive()
      client.setPushToken("a")
      try await sleep(.seconds(100))
      launches.recording.mark("back")
      client.applicationDidBecomeActive()
      client.applicationDidBecomeActive()
      try await sleep(.seconds(10))
      client.applicationWillResignActive()
      try await sleep(.seconds(1801))
      client.applicationDidBecomeActive()
      await client.settle()
    }
    #expect(observed.calls(.info).map(\.at) == observed.times(of: "back"))
    #expect(observed.calls(.attribution).dropLast().map(\.at).last == observed.times(of: "back").first)
    let last = observed.calls(.session).last
    #expect(last?.at == .seconds(1921))
    #expect(last?.form["session_count"] == "2")
    #expect(last?.form["subsession_count"] == "2")
    #expect(last?.form["session_length"] == "120")
    #expect(last?.form["time_spent"] == "20")
  }

  @Test func `a question that falls due in the background is asked on the way back`() throws {
    let observed = try run { launches in
      let client = launches.launch()
      try await sleep(.seconds(1))
      client.applicationWillResignActive()
      try await sleep(.seconds(9))
      client.applicationDidBecomeActive()
      await client.settle()
    }
    #expect(observed.calls(.attribution).map(\.at) == [.seconds(10)])
    #expect(observed.calls(.attribution).map { $0.form["initiated_by"] } == ["sdk"])
  }

  /// A process may be killed at any moment: the next one finds the store as it was then.
  @Test func `a process killed at any moment loses no session, and leaves no other behind`() throws {
    for milliseconds in stride(from: 0, through: 3400, by: 10) {
      let observed = try run { launches in
        let client = launches.launch()
        client.setPushToken("ab")
        try await sleep(.milliseconds(milliseconds))
        let left = launches.store.copy
        client.stop()
        launches.store = left
        await launches.launch().settle()
      }
      let answered = observed.calls(.session).filter { $0.end != nil && $0.error == nil }
      #expect(Set(observed.calls(.session).map { $0.form["created_at"] }).count == 1, "\(milliseconds)")
      #expect(answered.count == 1, "\(milliseconds)")
      let told = observed.calls(.info).filter { $0.end != nil && $0.error == nil }
      #expect(told.count == 1, "\(milliseconds)")
      #expect(observed.times(of: "attributed  Autumn ").count == 1, "\(milliseconds)")
    }
  }
}
