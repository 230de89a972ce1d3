import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// A first launch on the virtual clock: vendors.md 3.2 and 3.4. Answers take 100 ms: the user exists at 200 ms.
@Suite struct OneSignalClientTests {
  private static let session = UserChanges(sessionCount: 1).json

  @Test func `parameters come before the user, and the list after ryw_delay with the token`() throws {
    let observed = try Script().oneSignal { client in
      client.initialize()
      #expect(client.onesignalID == nil)
      try await Task.sleep(for: .seconds(3))
      #expect(client.onesignalID == Script.userID)
    }
    #expect(observed.calls == [.parameters, .features, .createUser, .messages])
    #expect(observed.starts(.createUser) == [.milliseconds(100)])
    let list = try #require(observed.calls(.messages).first)
    #expect(list.at == .milliseconds(700))
    #expect(list.request.fields["OneSignal-RYW-Token"] == "ryw-1")
    #expect(list.request.fields["OneSignal-Session-Duration"] == "700")
    #expect(observed.times(of: "onesignal initialize") == [.zero])
  }

  @Test func `the features are asked for at once, and 480 s after each answer in the foreground`() throws {
    let observed = try Script().oneSignal { client in
      try await Task.sleep(for: .seconds(970))
      client.didEnterBackground()
      try await Task.sleep(for: .seconds(5))
      client.willEnterForeground()
      try await Task.sleep(for: .seconds(5))
    }
    #expect(observed.starts(.features) == [.zero, .milliseconds(480_100), .milliseconds(960_200), .seconds(975)])
  }

  @Test func `features that hang are given up after 10 s, and not tried again before their time`() throws {
    var script = Script()
    script[.features] = [Answer(parts: [.init(at: .zero, .fault(.hang))])]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(500)) }
    #expect(observed.starts(.features) == [.zero, .seconds(490)])
    #expect(observed.calls(.features).first?.end == .seconds(10))
  }

  @Test func `the user waits for the last attempt at the parameters`() throws {
    var script = Script()
    script[.parameters] = [.refusal(500), .refusal(404)]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(6)) }
    #expect(observed.starts(.parameters) == [.zero, .milliseconds(5100)])
    #expect(observed.starts(.createUser) == [.milliseconds(5200)])
  }

  @Test func `parameters that could not be had are asked for again in the next session`() throws {
    var script = Script()
    script[.parameters] = [.refusal(404), Answer(["fba": false])]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(6))
      for _ in 0..<2 {
        client.didEnterBackground()
        try await Task.sleep(for: .seconds(31))
        client.willEnterForeground()
        try await Task.sleep(for: .seconds(1))
      }
    }
    #expect(observed.starts(.parameters) == [.zero, .seconds(37)])
  }

  @Test func `the session is counted with the first flush after the cool-down`() throws {
    let observed = try Script().oneSignal { try await $0.settle() }
    let update = try #require(observed.calls(.updateUser).first)
    #expect(update.at == OneSignalClient.flushInterval)
    #expect(update.body == Self.session)
    #expect(update.request.location.path == "/apps/app-1/users/by/onesignal_id/\(Script.userID)")
    #expect(update.request.fields["OneSignal-Subscription-Id"] == Script.subscriptionID)
  }

  @Test func `tags of one flush window leave together, later values first in place`() throws {
    let observed = try Script().oneSignal { client in
      try await Task.sleep(for: .seconds(4))
      client.addTags(["a": "1", "b": "1"])
      try await Task.sleep(for: .milliseconds(900))
      client.addTags(["c": "1", "a": "2"])
      try await Task.sleep(for: .milliseconds(200))
      client.addTags(["d": "1"])
      try await client.settle()
    }
    let updates = observed.calls(.updateUser)
    #expect(updates.map(\.at) == [.seconds(5), .seconds(5), .seconds(10)])
    #expect(
      updates.map(\.body) == [
        Self.session, UserChanges(tags: ["a": "2", "b": "1", "c": "1"]).json, UserChanges(tags: ["d": "1"]).json,
      ])
    #expect(observed.times(of: "tags added").count == 3)
  }

  @Test func `tags from before the parameters are merged with the count of the session`() throws {
    let observed = try Script().oneSignal { client in
      client.addTags(["a": "1"])
      try await client.settle()
    }
    #expect(observed.calls(.updateUser).map(\.body) == [UserChanges(tags: ["a": "1"], sessionCount: 1).json])
  }

  @Test func `a flush inside the cool-down sends nothing`() throws {
    var script = Script()
    for (latency, flush) in [(1900, 5), (1901, 10)] {
      script[.createUser] = [
        Answer(
          ["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]]], after: .milliseconds(latency))
      ]
      let observed = try script.oneSignal { try await $0.settle() }
      #expect(observed.starts(.updateUser) == [.seconds(flush)])
    }
  }

  @Test func `going to the background sends at once, and nothing leaves there`() throws {
    let observed = try Script().oneSignal { client in
      try await Task.sleep(for: .seconds(6))
      client.addTags(["a": "1"])
      client.didEnterBackground()
      client.addTags(["b": "1"])
      try await Task.sleep(for: .seconds(10))
      client.willEnterForeground()
      try await client.settle()
    }
    #expect(observed.starts(.updateUser) == [.seconds(5), .seconds(6), .seconds(20)])
  }

  @Test func `observers hear of the user once, and are told nothing twice`() throws {
    let heard = Output()
    _ = try Script().oneSignal { client in
      client.addUserObserver { heard.append($0) }
      try await client.settle()
      client.addUserObserver { heard.append("late \($0)") }
    }
    #expect(heard.lines == [Script.userID])
  }

  @Test func `settling ends at the deadline, and without one when the last answer is there`() throws {
    for (deadline, end) in [(Duration.seconds(2), Duration.seconds(2)), (.seconds(60), .milliseconds(5100))] {
      let observed = try Script().run { recording in
        let client = try await OneSignalClient.started(over: recording)
        try await client.settle(until: .now + deadline)
        recording.mark("settled")
        client.stop()
        try await client.settle()
      }
      #expect(observed.times(of: "settled") == [end])
    }
  }

  @Test func `without a deadline a failure is final from then on`() throws {
    var script = Script()
    script[.updateUser] = [.refusal(429)]
    let observed = try script.run { recording in
      let client = try await OneSignalClient.started(over: recording)
      try await Task.sleep(for: .seconds(7))
      client.addTags(["a": "1"])
      try await client.settle()
      recording.mark("settled")
    }
    #expect(observed.starts(.updateUser) == [.seconds(5), .seconds(10), .seconds(10)])
    #expect(observed.times(of: "settled") == [.milliseconds(10_100)])
  }
}
