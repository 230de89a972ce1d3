import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// When a message is shown: vendors.md 3.2, call 5, and 3.4.
@Suite struct InAppMessagesTests {
  /// A client with a loaded list, paused.
  private func shown(
    _ script: Script = Script(), store: LaunchStore = LaunchStore(),
    _ body: @escaping @MainActor (OneSignalClient) async throws -> Void
  ) throws -> Observed {
    try script.run { recording in
      let client = try await OneSignalClient.started(over: recording, store: store)
      client.addLifecycleListener(
        willDisplay: { recording.mark("will") }, didDisplay: { recording.mark("did") })
      client.isPaused = true
      try await Task.sleep(for: .seconds(1))
      try await body(client)
      try await client.settle()
    }
  }

  private static func list(_ ids: String...) -> Answer {
    Answer(["in_app_messages": .array(ids.map { Script.message($0, trigger: "app_ready", "true") })])
  }

  @Test func `triggers and pausing cause no request by themselves`() throws {
    let observed = try shown { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = true
    }
    #expect(observed.calls == [.parameters, .features, .createUser, .messages, .updateUser])
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
    #expect(observed.starts(.content) == [.seconds(1)])
    #expect(observed.times(of: "will") == [.milliseconds(1100)])
    #expect(observed.times(of: "did") == [.milliseconds(2400)])
    let impressions = observed.calls(.impression)
    #expect(impressions.map(\.at) == [.milliseconds(2400)])
    #expect(impressions.first?.body["variant_id"] == "m1-variant")
    #expect(impressions.first?.body["player_id"] == .string(Script.subscriptionID))
  }

  @Test func `a message that was displayed is not shown in a later launch, one that was not is`() throws {
    for (milliseconds, times) in [(2150, 2), (2250, 1)] {
      let store = LaunchStore()
      let observed = try Script().run { recording in
        for _ in 0..<2 {
          let client = try await OneSignalClient.started(over: recording, store: store)
          client.addTrigger("app_ready", "true")
          try await Task.sleep(for: .milliseconds(milliseconds))
          client.stop()
        }
      }
      #expect(observed.calls(.content).count == times)
      #expect(observed.calls(.impression).count == 1)
    }
  }

  @Test func `a message waits until the app is active`() throws {
    let observed = try Script().run { recording in
      var scenario = LaunchScenario.firstLaunch
      scenario.activeAfter = .seconds(4)
      let phone = Phone(scenario: scenario, marks: recording)
      let client = OneSignalClient(transport: recording, appID: "app-1", phone: phone, marks: recording)
      client.initialize()
      client.addTrigger("app_ready", "true")
      try await phone.becomeActive()
      try await client.settle()
    }
    #expect(observed.starts(.content) == [.seconds(4)])
  }

  @Test func `without its trigger a message stays`() throws {
    let observed = try shown { $0.isPaused = false }
    #expect(observed.calls(.content).isEmpty)
  }

  @Test(arguments: [400, 404, 410, 429]) func `a message without content is dropped for the next one`(
    status: Int
  ) throws {
    var script = Script()
    script[.messages] = [Self.list("m1", "m2")]
    script[.content] = [.refusal(status), Answer(["html": ""])]
    let observed = try shown(script) { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = false
    }
    #expect(observed.starts(.content) == [.seconds(1), .milliseconds(1100)])
    #expect(observed.calls(.impression).map(\.request.location.path) == ["/in_app_messages/m2/impression"])
  }

  @Test func `a server's fault is tried again, the message not shown twice`() throws {
    var script = Script()
    script[.content] = [.refusal(502), Answer(["html": ""])]
    script[.impression] = [.refusal(502), Answer(["success": true])]
    let observed = try shown(script) { client in
      client.addTrigger("app_ready", "true")
      client.isPaused = false
      try await Task.sleep(for: .seconds(30))
    }
    #expect(observed.starts(.content) == [.seconds(1), .milliseconds(6100)])
    #expect(observed.times(of: "did") == [.milliseconds(7500)])
    #expect(observed.starts(.impression) == [.milliseconds(7500), .milliseconds(12_600)])
  }
}
