import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Vendors.md 3.2 and 3.4 on the virtual clock. Answers take 100 ms: the user exists at 200 ms.
@Suite struct OneSignalClientTests {
  @MainActor
  private static func client(_ recording: Recording) -> OneSignalClient {
    let phone = Phone(marks: recording)
    return OneSignalClient(transport: recording, appID: "app-1", phone: phone, marks: recording)
  }

  @Test func `parameters come before the user, and the list after ryw_delay with the token`() throws {
    let observed = try Script().run { recording in
      let client = Self.client(recording)
      client.initialize()
      client.initialize()
      try await Task.sleep(for: .seconds(3))
      #expect(client.onesignalID == Script.userID)
    }
    #expect(observed.calls == [.parameters, .createUser, .messages])
    #expect(observed.calls(.createUser).map(\.at) == [.milliseconds(100)])
    let list = try #require(observed.calls(.messages).first)
    #expect(list.at == .milliseconds(700))
    #expect(list.request.fields["OneSignal-RYW-Token"] == "ryw-1")
    #expect(list.request.fields["OneSignal-Session-Duration"] == "700")
  }

  @Test func `without ryw_delay the list is asked for at once`() throws {
    var script = Script()
    script[.createUser] = [Answer(["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]]])]
    let observed = try script.run { recording in
      Self.client(recording).initialize()
      try await Task.sleep(for: .seconds(3))
    }
    #expect(observed.calls(.messages).map(\.at) == [.milliseconds(200)])
  }

  @Test func `the user is created even when the parameters cannot be had`() throws {
    var script = Script()
    script.cut(.parameters)
    let observed = try script.run { recording in
      Self.client(recording).initialize()
      try await Task.sleep(for: .seconds(1))
    }
    #expect(observed.calls(.createUser).map(\.at) == [.milliseconds(50)])
  }

  @Test func `the session counter leaves with the flush delay, after the cool-down`() throws {
    let observed = try Script().run { recording in
      let client = Self.client(recording)
      client.initialize()
      try await client.settle()
    }
    let update = try #require(observed.calls(.updateUser).first)
    #expect(update.at == .milliseconds(200) + OneSignalClient.flushDelay)
    #expect(update.body["deltas"] == ["session_count": 1])
    #expect(update.request.location.path == "/apps/app-1/users/by/onesignal_id/\(Script.userID)")
  }

  @Test func `tags of one flush window leave together, later values first in place`() throws {
    let observed = try Script().run { recording in
      let client = Self.client(recording)
      client.initialize()
      try await Task.sleep(for: .seconds(4))
      client.addTags(["a": "1", "b": "1"])
      try await Task.sleep(for: .milliseconds(900))
      client.addTags(["c": "1", "a": "2"])
      try await Task.sleep(for: .milliseconds(200))
      client.addTags(["d": "1"])
      try await client.settle()
    }
    let updates = observed.calls(.updateUser).dropFirst()
    #expect(updates.map(\.at) == [.seconds(5), .seconds(10)])
    #expect(
      updates.map(\.body) == [
        UserChanges(tags: ["a": "2", "b": "1", "c": "1"]).json, UserChanges(tags: ["d": "1"]).json,
      ])
    #expect(observed.times(of: "tags added").count == 3)
  }

  @Test func `a flush inside the cool-down sends nothing`() throws {
    var script = Script()
    script[.createUser] = [
      Answer(["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]]], after: .seconds(4))
    ]
    let observed = try script.run { recording in
      let client = Self.client(recording)
      client.initialize()
      client.addTags(["a": "1"])
      try await client.settle()
    }
    // The user is there at 4.1 s: the flush at 5 s finds it too new, and everything leaves together at 7.3 s.
    let updates = observed.calls(.updateUser)
    #expect(updates.map(\.at) == [.milliseconds(7300)])
    #expect(updates.map(\.body) == [UserChanges(tags: ["a": "1"], sessionCount: 1).json])
  }

  @Test func `without a user nothing is ever sent`() throws {
    var script = Script()
    script.cut(.createUser)
    let observed = try script.run { recording in
      let client = Self.client(recording)
      client.initialize()
      client.addTags(["a": "1"])
      try await client.settle()
      #expect(client.onesignalID == nil)
    }
    #expect(observed.calls == [.parameters, .createUser])
  }

  @Test(arguments: [JSON.null, [:], ["identity": [:]], ["identity": ["onesignal_id": "u"], "subscriptions": []]])
  func `an answer without ids makes no user`(answer: JSON) throws {
    var script = Script()
    script[.createUser] = [Answer(answer)]
    let observed = try script.run { recording in
      let client = Self.client(recording)
      client.initialize()
      try await client.settle()
    }
    #expect(observed.calls == [.parameters, .createUser])
  }

  /// A client with an active phone and a loaded list, paused.
  private func shown(
    _ script: Script = Script(), _ body: @escaping @MainActor (OneSignalClient) async throws -> Void
  ) throws -> Observed {
    try script.run { recording in
      var scenario = LaunchScenario.firstLaunch
      scenario.activeAfter = .zero
      let phone = Phone(scenario: scenario, marks: recording)
      try await phone.becomeActive()
      let client = OneSignalClient(transport: recording, appID: "app-1", phone: phone, marks: recording)
      client.addLifecycleListener(
        willDisplay: { recording.mark("will") }, didDisplay: { recording.mark("did") })
      client.initialize()
      client.isPaused = true
      try await Task.sleep(for: .seconds(1))
      try await body(client)
      try await client.settle()
    }
  }

  @Test func `triggers and pausing cause no request by themselves`() throws {
    let observed = try shown { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = true
    }
    #expect(observed.calls == [.parameters, .createUser, .messages, .updateUser])
    #expect(observed.times(of: "trigger set").count == 1)
    #expect(observed.times(of: "in-app paused").count == 2)
  }

  @Test func `unpausing shows the message that qualifies, once, with one impression`() throws {
    let observed = try shown { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = false
      client.isPaused = false
      try await Task.sleep(for: .seconds(2))
      client.addTrigger("app_ready", "true")
    }
    #expect(observed.calls(.content).map(\.at) == [.seconds(1)])
    #expect(observed.times(of: "will") == [.milliseconds(1100)])
    #expect(observed.times(of: "did") == [.milliseconds(2400)])
    let impressions = observed.calls(.impression)
    #expect(impressions.map(\.at) == [.milliseconds(2400)])
    #expect(impressions.first?.body["variant_id"] == "m1-variant")
    #expect(impressions.first?.body["player_id"] == .string(Script.subscriptionID))
  }

  @Test func `without its trigger a message stays`() throws {
    let observed = try shown { $0.isPaused = false }
    #expect(observed.calls(.content).isEmpty)
  }

  @Test func `a message whose content is gone is dropped for the next one`() throws {
    var script = Script()
    script[.messages] = [
      Answer([
        "in_app_messages": [
          Script.message("m1", trigger: "app_ready", "true"), Script.message("m2", trigger: "app_ready", "true"),
        ]
      ])
    ]
    script[.content] = [Answer(["error": "gone"], status: 410), Answer(["html": ""])]
    let observed = try shown(script) { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = false
    }
    #expect(observed.calls(.content).count == 2)
    #expect(observed.calls(.impression).map(\.request.location.path) == ["/in_app_messages/m2/impression"])
  }
}
