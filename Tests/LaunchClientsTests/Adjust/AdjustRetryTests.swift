import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 1.1 and 1.5 on the virtual clock: who is asked again, where and when.
@Suite struct AdjustRetryTests {
  private func run(
    _ script: Script, horizon: Duration = .seconds(1000), tokenAfter: Duration? = nil, errors: [Int] = [],
    _ body: @escaping @MainActor (AdjustClient, Recording) async throws -> Void = { _, _ in }
  ) throws -> Observed {
    try script.run(horizon: horizon) { recording in
      let launches = AdjustLaunches(recording, tokenAfter: tokenAfter)
      launches.scenario.adServicesErrors = errors
      let client = launches.launch()
      try await body(client, recording)
      await client.settle()
    }
  }

  /// What chance makes of these waits, in this order.
  private func waits(_ wanted: [(Backoff, Int)]) -> [Duration] {
    var chance = Chance(seed: Device.sample.chanceSeed)
    return wanted.map { $0.wait(beforeRetry: $1, using: &chance) }
  }

  /// As a recording has it.
  private func recorded(_ time: Duration) -> Duration { .microseconds(time.wholeMicroseconds) }

  @Test func `no answer, no JSON and 429 go straight to the next host, and then comes a wait`() throws {
    var script = Script()
    script[.session] = [
      .refused, .page, Answer(["adid": "no"], status: 429), Answer(["adid": "a", "attribution": [:]]),
    ]
    let wait = try #require(waits([(AdjustQueue.quickBackoff, 1)]).first)
    #expect(wait >= .milliseconds(100) && wait <= .milliseconds(200))
    let calls = try run(script) { _, _ in try await sleep(.seconds(2)) }.calls(.session)
    let second = recorded(.milliseconds(150) + wait)
    #expect(calls.map(\.at) == [.zero, .milliseconds(50), second, second + .milliseconds(100)])
    #expect(
      calls.map(\.request.location.host) == [
        "consent.adjust.com", "consent.adjust.io", "consent.adjust.com", "consent.adjust.io",
      ])
    #expect(calls.map { $0.form["retry_count"] } == ["0", "0", "2", "2"])
    #expect(calls.map { $0.form["first_error"] } == [nil, nil, "-1004", "-1004"])
    #expect(calls.map { $0.form["last_error"] } == [nil, nil, nil, nil])
    let told = "0.\((wait / .milliseconds(1) + 5) / 10)".prefix(4)
    #expect(calls.map { $0.form["wait_time"] } == [nil, nil, String(told), String(told)])
    #expect(calls.map { $0.form["wait_total"] } == [nil, nil, String(told), String(told)])
    #expect(Set(calls.map { $0.form["created_at"] }).count == 1)
  }

  @Test func `the host that answered is the first for what follows, for its own kind of call`() throws {
    var script = Script()
    script[.session] = [.refused, Answer(["adid": "a", "ask_in": 0])]
    let observed = try run(script) { client, _ in
      try await sleep(.seconds(1))
      client.setPushToken("ab")
    }
    #expect(observed.calls(.session).map(\.request.location.host) == ["consent.adjust.com", "consent.adjust.io"])
    #expect(observed.calls(.info).map(\.request.location.host) == ["consent.adjust.io"])
    #expect(observed.calls(.attribution).map(\.request.location.host) == ["consent.adjust.com"])
  }

  @Test func `an install's session is tried again after 0_2 s, doubling`() throws {
    var script = Script()
    script[.session] = Array(repeating: .refused, count: 12) + script[.session]
    let observed = try run(script) { client, _ in try await sleep(.seconds(60)) }
    let calls = observed.calls(.session)
    var times: [Duration] = [.zero]
    for wait in waits((1...6).map { (AdjustQueue.quickBackoff, $0) }) {
      times.append((times.last ?? .zero) + .milliseconds(100) + wait)
    }
    #expect(calls.count == 13)
    for (number, time) in times.enumerated() { #expect(calls[2 * number].at == recorded(time)) }
    #expect(observed.calls(.attribution).count == 1)
  }

  @Test func `everything else is tried again after 120 s, doubling`() throws {
    var script = Script()
    script[.info] = Array(repeating: .page, count: 6) + script[.info]
    let observed = try run(script, horizon: .seconds(3000)) { client, _ in
      try await sleep(.seconds(10))
      client.setPushToken("ab")
      try await sleep(.seconds(2000))
    }
    let expected = waits((1...3).map { (AdjustQueue.backoff, $0) })
    var times: [Duration] = [.seconds(10)]
    for wait in expected { times.append((times.last ?? .zero) + .milliseconds(200) + wait) }
    let calls = observed.calls(.info)
    #expect(calls.count == 7)
    for (number, time) in times.enumerated() { #expect(calls[2 * number].at == recorded(time)) }
    #expect(calls.map { $0.form["retry_count"] } == ["0", "0", "2", "2", "4", "4", "6"])
  }

  @Test(arguments: [(200, AdjustQueue.backoff), (500, AdjustQueue.quickBackoff)])
  func `a later session waits like everything else, once one has been a success`(status: Int, backoff: Backoff) throws {
    var script = Script()
    script[.session] = [Answer(["adid": "a"], status: status), .page, .page, Answer(["adid": "a"])]
    let observed = try script.run(horizon: .seconds(4000)) { recording in
      let launches = AdjustLaunches(recording)
      await launches.launch().settle()
      try await sleep(.seconds(2000))
      let client = launches.launch()
      try await sleep(.seconds(300))
      await client.settle()
    }
    let calls = observed.calls(.session)
    #expect(calls.count == 4)
    let wait = try #require(waits([(backoff, 1)]).first)
    #expect(calls.map(\.at).last == calls[2].at + .milliseconds(100) + recorded(wait))
  }

  @Test func `each host is given a minute`() throws {
    var script = Script()
    script[.session] = [.silent, .silent] + script[.session]
    let calls = try run(script) { _, _ in try await sleep(.seconds(150)) }.calls(.session)
    let wait = try #require(waits([(AdjustQueue.quickBackoff, 1)]).first)
    #expect(calls.map(\.at) == [.zero, .seconds(60), .seconds(120) + recorded(wait)])
    #expect(calls.last?.form["first_error"] == "-1001")
    #expect(calls.last?.form["last_error"] == "-1001")
  }

  @Test(arguments: [200, 400, 404, 500]) func `any JSON ends a package`(status: Int) throws {
    var script = Script()
    script[.session] = [Answer(["attribution": [:]], status: status)]
    #expect(try run(script).calls(.session).count == 1)
  }

  @Test func `retry_in keeps the package for that long`() throws {
    var script = Script()
    script[.session] = [Answer(["retry_in": 1500]), Answer(["attribution": [:]])]
    let calls = try run(script) { _, _ in try await sleep(.seconds(5)) }.calls(.session)
    #expect(calls.map(\.at) == [.zero, .milliseconds(1600)])
    #expect(calls.map { $0.form["retry_count"] } == ["0", "0"])
    #expect(calls.map { $0.form["wait_time"] } == [nil, "1.50"])
  }

  @Test func `continue_in puts off the next package, whenever it comes`() throws {
    for delay in [Duration.zero, .seconds(2), .seconds(7)] {
      var script = Script()
      script[.session] = [Answer(["continue_in": 5000, "attribution": [:]])]
      let observed = try run(script) { client, _ in
        try await sleep(delay)
        client.setPushToken("ab")
      }
      #expect(observed.calls(.info).map(\.at) == [max(.milliseconds(5100), delay)])
    }
  }

  @Test func `packages leave one after the other, in the order in which they were made`() throws {
    let observed = try run(Script()) { client, _ in
      for token in ["a", "b", "c", "c"] { client.setPushToken(token) }
    }
    let calls = observed.calls(.session) + observed.calls(.info)
    #expect(calls.map(\.at) == [0, 100, 200, 300].map { .milliseconds($0) })
    #expect(calls.map { $0.form["push_token"] } == [nil, "a", "b", "c"])
    #expect(calls.map { $0.form["enqueue_size"] } == ["0", "1", "2", "3"])
    #expect(calls.map { $0.form["queue_size"] } == ["3", "2", "1", nil])
  }

  @Test func `a click that fails is tried again in its own queue, and holds nothing up`() throws {
    var script = Script()
    script[.click] = [.refused, .refused] + script[.click]
    let observed = try run(script, tokenAfter: .milliseconds(70)) { _, _ in try await sleep(.seconds(1)) }
    let wait = try #require(waits([(AdjustQueue.quickBackoff, 1)]).first)
    #expect(
      observed.calls(.click).map(\.at) == [.milliseconds(70), .milliseconds(120), .milliseconds(170) + recorded(wait)])
    #expect(observed.calls(.session).count == 1)
  }

  @Test func `a click obeys retry_in`() throws {
    var script = Script()
    script[.click] = [Answer(["retry_in": 2500])] + script[.click]
    let observed = try run(script, tokenAfter: .milliseconds(70)) { _, _ in try await sleep(.seconds(10)) }
    #expect(observed.calls(.click).map(\.at) == [.milliseconds(70), .milliseconds(2670)])
  }

  @Test func `a click that has failed before obeys it, too`() throws {
    var script = Script()
    script[.click] = [.refused, .refused, Answer(["retry_in": 2500]), .refused, .refused] + script[.click]
    let clicks = try run(script, tokenAfter: .milliseconds(70)) { _, _ in try await sleep(.seconds(10)) }.calls(.click)
    let expected = waits([(AdjustQueue.quickBackoff, 1), (AdjustQueue.quickBackoff, 1)])
    let obeyed = .milliseconds(170) + expected[0] + .milliseconds(2600)
    #expect(clicks.count == 6)
    #expect(clicks[3].at == recorded(obeyed))
    #expect(clicks[5].at == recorded(obeyed + .milliseconds(100) + expected[1]))
  }

  // vendors.md 1.3 C
  @Test(
    arguments: [
      ([1], 5140, nil), ([2, 2], 5140, "2"), ([1, 3], 5140, "3"), ([3], 70, "3"), ([3, 1], 70, "3"), ([], 70, nil),
    ] as [([Int], Int, String?)])
  func `Apple is asked once more after 5 s, unless there can be no token`(errors: [Int], at: Int, code: String?) throws
  {
    let clicks = try run(Script(), tokenAfter: .milliseconds(70), errors: errors).calls(.click)
    #expect(clicks.map(\.at) == [.milliseconds(at)])
    #expect(clicks.map { $0.form["error_code"] } == [code])
    #expect(clicks.map { $0.form["attribution_token"] } == [code == nil ? Device.sample.adServicesToken : nil])
  }

  @Test func `the token is that of the moment of sending`() throws {
    var script = Script()
    script[.click] = Array(repeating: .refused, count: 60)
    let clicks = try run(script, horizon: .seconds(200_000), tokenAfter: .milliseconds(70)) { _, _ in
      try await sleep(.seconds(100_000))
    }.calls(.click)
    let (early, late) = (clicks.filter { $0.at < .seconds(86_400) }, clicks.filter { $0.at >= .seconds(86_400) })
    #expect(Set(early.map { $0.form["attribution_token"] }) == [Device.sample.adServicesToken])
    #expect(Set(late.map { $0.form["attribution_token"] }) == [Device.sample.adServicesToken + ".1"])
    #expect(Set(early.map { $0.form["created_at"] }).count == 1)
    #expect(Set(late.map { $0.form["created_at"] }).count == 1)
    #expect(!early.isEmpty && !late.isEmpty)
    let gaps = zip(clicks.dropFirst(), clicks).map { $0.at - $1.at }
    #expect((gaps.max() ?? .zero) <= .seconds(3601))
  }

  @Test func `a question for the attribution is not tried again, only at another host`() throws {
    var script = Script()
    script[.session] = [Answer(["ask_in": 0])]
    script[.attribution] = [.refused]
    let observed = try run(script) { _, _ in try await sleep(.seconds(500)) }
    #expect(
      observed.calls(.attribution).map(\.request.location.host) == ["consent.adjust.com", "consent.adjust.io"])
  }

  @Test func `settling without a deadline ends the tries, with one it leaves them`() throws {
    var script = Script()
    script.cut(.session)
    let ended = try run(script)
    #expect(ended.calls(.session).map(\.at) == [.zero, .milliseconds(50)])
    let observed = try run(script) { client, recording in
      await client.settle(until: .now + .seconds(3))
      recording.mark("settled")
      try await sleep(.seconds(4))
    }
    #expect(observed.times(of: "settled") == [.seconds(3)])
    #expect(observed.calls(.session).contains { $0.at > .seconds(3) })
  }

  @Test func `a stopped client sends nothing more`() throws {
    var script = Script()
    script.cut(.session, .click)
    let observed = try script.run { recording in
      let client = AdjustLaunches(recording, tokenAfter: .milliseconds(70)).launch()
      try await sleep(.seconds(5))
      client.stop()
      recording.mark("stopped")
      try await sleep(.seconds(500))
    }
    #expect(observed.events.last.map { $0.at - .zero } == .seconds(5))
  }
}
