import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// What each class of answer does: vendors.md 3.4.
@Suite struct OneSignalRetryTests {
  private static let waits: [Duration] = [
    .seconds(5), .milliseconds(10_100), .milliseconds(25_200), .milliseconds(70_300), .milliseconds(205_400),
  ]

  @Test(arguments: [500, 503, 599])
  func `a server's fault is tried five times, 5, 15, 45 and 135 s apart, and again with the next flush`(
    status: Int
  ) throws {
    var script = Script()
    script[.updateUser] = [.refusal(status)]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(211)) }
    #expect(observed.starts(.updateUser) == Self.waits + [.seconds(210)])
    #expect(Set(observed.calls(.updateUser).map(\.body)).count == 1)
  }

  @Test func `so is no answer at all`() throws {
    var script = Script()
    script.cut(.createUser, after: .milliseconds(100))
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(208)) }
    let starts = [Duration.zero] + Self.waits.dropFirst().map { $0 - .seconds(5) }
    #expect(observed.starts(.createUser) == starts.map { $0 + .milliseconds(100) } + [.seconds(205)])
  }

  @Test func `an answer in between ends the tries`() throws {
    var script = Script()
    script[.updateUser] = [.refusal(500), Answer(["properties": [:]], status: 202)]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(100)) }
    #expect(observed.starts(.updateUser) == Array(Self.waits.prefix(2)))
  }

  static let updates: [(status: Int, updates: [Duration], users: [Duration])] = [
    (200, [.seconds(5)], [.milliseconds(100)]),
    (204, [.seconds(5)], [.milliseconds(100)]),
    (400, [.seconds(5)], [.milliseconds(100)]),
    (402, [.seconds(5)], [.milliseconds(100)]),
    (401, [.seconds(5)], [.milliseconds(100)]),
    (403, [.seconds(5)], [.milliseconds(100)]),
    (409, [.seconds(5)], [.milliseconds(100)]),
    (404, [.seconds(5)], [.milliseconds(100), .milliseconds(5100)]),
    (410, [.seconds(5)], [.milliseconds(100), .milliseconds(5100)]),
    (429, [.seconds(5), .seconds(10), .seconds(15)], [.milliseconds(100)]),
    (408, [.seconds(5), .seconds(10), .seconds(15)], [.milliseconds(100)]),
    (302, [.seconds(5), .seconds(10), .seconds(15)], [.milliseconds(100)]),
  ]

  @Test(arguments: updates)
  func `an update`(status: Int, updates: [Duration], users: [Duration]) throws {
    var script = Script()
    script[.updateUser] = [.refusal(status)]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(16)) }
    #expect(observed.starts(.updateUser) == updates)
    #expect(observed.starts(.createUser) == users)
  }

  @Test func `after a failure one update is tried with each flush, until the server takes it`() throws {
    var script = Script()
    script[.updateUser] = [.refusal(429), .refusal(429), .refusal(429), Answer(["properties": [:]])]
    let observed = try script.oneSignal { client in
      for number in 1...3 {
        try await Task.sleep(for: .seconds(4))
        client.addTags(["n": .string("\(number)")])
      }
      try await client.settle(until: .now + .seconds(60))
    }
    // Two fail at 5 s; one of the three that are left by then is tried at 10 and at 15 s, and the others follow it.
    let updates = observed.calls(.updateUser)
    #expect(
      updates.map(\.at) == [
        .seconds(5), .seconds(5), .seconds(10), .seconds(15), .milliseconds(15_100), .milliseconds(15_100),
        .milliseconds(15_100),
      ])
    #expect(updates.suffix(4).map { $0.body["properties"]?["tags"]?["n"] } == [nil, "1", "2", "3"])
  }

  static let acknowledgements: [(statuses: [Int], isAccepted: Bool, at: Duration)] = [
    ([200], true, .milliseconds(5100)), ([200, 400], false, .milliseconds(5100)),
    ([404], false, .milliseconds(5100)), ([429, 429, 200], true, .milliseconds(10_200)),
    ([200, 500, 200], true, .milliseconds(10_200)),
  ]

  @Test(arguments: acknowledgements)
  func `who asks hears when all changes are accepted, or one is not`(
    statuses: [Int], isAccepted: Bool, at: Duration
  ) throws {
    var script = Script()
    script[.updateUser] = statuses.map { .refusal($0) }
    _ = try script.oneSignal { client in
      let start = ContinuousClock.now
      try await Task.sleep(for: .seconds(1))
      client.addTags(["a": "1"])
      let answer = try await client.changesAcknowledged()
      #expect(answer == isAccepted)
      #expect(.now - start == at)
    }
  }

  @Test func `who asks may give up`() throws {
    var script = Script()
    script.cut(.createUser)
    _ = try script.oneSignal { client in
      client.addTags(["a": "1"])
      let asking = Task { try await client.changesAcknowledged() }
      try await Task.sleep(for: .seconds(20))
      asking.cancel()
      await #expect(throws: CancellationError.self) { try await asking.value }
    }
  }

  @Test func `an update that is tried again may overwrite a younger one, as in the SDK`() throws {
    var script = Script()
    let accepted = Answer(["properties": [:]])
    script[.updateUser] = [accepted, .refusal(500), accepted]
    let observed = try script.oneSignal { client in
      for number in 1...2 {
        try await Task.sleep(for: .seconds(4))
        client.addTags(["n": .string("\(number)")])
      }
      try await client.settle(until: .now + .seconds(60))
    }
    let updates = observed.calls(.updateUser).dropFirst()
    #expect(updates.map(\.at) == [.seconds(5), .seconds(10), .milliseconds(10_100)])
    #expect(updates.map { $0.body["properties"]?["tags"]?["n"] } == ["1", "2", "1"])
  }

  @Test func `a user that is gone is made anew, without the subscription that went with it`() throws {
    var script = Script()
    script[.createUser] += [
      Answer(["identity": ["onesignal_id": "u2"], "subscriptions": [["id": "s2"]], "ryw_token": "ryw-9"])
    ]
    script[.updateUser] = [.refusal(404), Answer(["properties": [:]])]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(6))
      #expect(client.onesignalID == "u2")
      client.addTags(["a": "1"])
      try await client.settle()
    }
    let users = observed.calls(.createUser)
    #expect(users.map(\.body).map { $0["subscriptions"]?[0]?["id"] } == [nil, nil])
    let last = try #require(observed.calls(.updateUser).last)
    #expect(last.request.location.path.hasSuffix("/u2"))
    #expect(last.request.fields["OneSignal-Subscription-Id"] == "s2")
    #expect(observed.calls(.messages).map { $0.request.fields["OneSignal-RYW-Token"] } == ["ryw-1", "ryw-9"])
    #expect(observed.calls(.messages).last?.request.location.path == "/apps/app-1/subscriptions/s2/iams")
  }

  @Test(arguments: [400, 401, 402, 403, 404, 409, 410])
  func `a refused user pauses everything until the next session`(status: Int) throws {
    var script = Script()
    script[.createUser].insert(.refusal(status), at: 0)
    let observed = try script.oneSignal { client in
      client.addTags(["a": "1"])
      try await Task.sleep(for: .seconds(60))
      #expect(client.onesignalID == nil)
      client.didEnterBackground()
      try await Task.sleep(for: .seconds(31))
      client.willEnterForeground()
      try await client.settle()
    }
    #expect(observed.starts(.createUser) == [.milliseconds(100), .seconds(91)])
    // Made at 91.1 s, cool at 94.1 s; the flush at 95 s sends what both sessions have to say.
    #expect(observed.starts(.updateUser) == [.seconds(95), .seconds(95)])
  }

  @Test func `a refused user is asked for again in the next launch`() throws {
    let store = LaunchStore()
    var script = Script()
    script[.createUser].insert(.refusal(400), at: 0)
    let observed = try script.run { recording in
      let first = try await OneSignalClient.started(over: recording, store: store)
      first.addTags(["a": "1"])
      try await first.settle()
      let second = try await OneSignalClient.started(over: recording, store: store)
      try await second.settle()
    }
    #expect(observed.calls(.createUser).count == 2)
    #expect(observed.calls(.updateUser).map { $0.body["properties"]?["tags"] } == [["a": "1"], nil])
  }

  @Test func `a user that is asked for too often is asked for again with the next flush`() throws {
    var script = Script()
    script[.createUser].insert(.refusal(429), at: 0)
    let observed = try script.oneSignal { try await $0.settle(until: .now + .seconds(30)) }
    #expect(observed.starts(.createUser) == [.milliseconds(100), .seconds(5)])
  }

  @Test(arguments: [JSON.null, [:], ["identity": [:]], ["identity": ["onesignal_id": ""]], "nonsense"])
  func `an answer without an id makes no user`(answer: JSON) throws {
    var script = Script()
    script[.createUser] = [Answer(answer)]
    let observed = try script.oneSignal { try await $0.settle() }
    #expect(observed.calls == [.parameters, .features, .createUser])
  }
}
