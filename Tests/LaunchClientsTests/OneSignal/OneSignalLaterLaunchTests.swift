import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Launches and sessions after the first: vendors.md 3.3.
@Suite struct OneSignalLaterLaunchTests {
  @Test func `the user comes from disk, is fetched, counted and given a new list`() throws {
    let heard = Output()
    let observed = try Script().oneSignal(store: Script.settledStore()) { client in
      #expect(client.onesignalID == Script.userID)
      client.addUserObserver { heard.append($0) }
      try await client.settle()
    }
    #expect(observed.calls == [.parameters, .fetchUser, .updateUser, .features, .messages])
    #expect(observed.starts(.fetchUser) == [.zero])
    #expect(observed.starts(.updateUser) == [.zero])
    #expect(observed.calls(.updateUser).map(\.body) == [UserChanges(sessionCount: 1).json])
    #expect(observed.starts(.messages) == [.milliseconds(100)])
    #expect(observed.calls(.messages).first?.request.fields["OneSignal-RYW-Token"] == "ryw-2")
    #expect(heard.lines == [])
  }

  @Test func `more than 30 s away is a new session, 30 s are not`() throws {
    for (gap, sessions) in [(Duration.seconds(30), 1), (.milliseconds(30_001), 2)] {
      let observed = try Script().oneSignal { client in
        try await Task.sleep(for: .seconds(6))
        client.didEnterBackground()
        client.didEnterBackground()
        try await Task.sleep(for: gap)
        client.willEnterForeground()
        client.willEnterForeground()
        try await client.settle()
      }
      #expect(observed.calls(.updateUser).count == sessions)
      #expect(observed.calls(.fetchUser).count == sessions - 1)
      #expect(observed.calls(.messages).count == sessions)
      let duration = observed.calls(.messages).last?.request.fields["OneSignal-Session-Duration"]
      #expect(duration == (sessions == 1 ? "700" : "100"))
    }
  }

  @Test func `an unchanged device says nothing about its subscription, a changed one says it once`() throws {
    let store = try Script.settledStore()
    var device = Device.sample
    #expect(try Script().oneSignal(store: store) { try await $0.settle() }.calls(.updateSubscription).isEmpty)
    device.appVersion = "1.1"
    for count in [1, 0] {
      let observed = try Script().oneSignal(store: store, device: device) { try await $0.settle() }
      #expect(observed.calls(.updateSubscription).count == count)
      #expect(observed.calls(.updateSubscription).allSatisfy { $0.body["subscription"]?["app_version"] == "1.1" })
    }
  }

  @Test func `a user that is lost while the device changes is told of the change once`() throws {
    var device = Device.sample
    device.osVersion = "18.2"
    var script = Script()
    script[.fetchUser] = [.refusal(404)]
    script[.updateSubscription] = [.refusal(404)]
    script[.updateUser] = [.refusal(404), Answer(["properties": [:]])]
    let observed = try script.oneSignal(store: Script.settledStore(), device: device) { try await $0.settle() }
    #expect(observed.calls(.createUser).map { $0.body["subscriptions"]?[0]?["device_os"] } == ["18.2"])
    #expect(observed.calls(.updateSubscription).count == 1)
  }

  static let subscriptionUpdates: [(status: Int, count: Int)] = [
    (202, 1), (400, 1), (403, 1), (404, 1), (409, 1), (429, 3),
  ]

  @Test(arguments: subscriptionUpdates)
  func `an update of the subscription is dropped when it is refused, and kept when it comes too often`(
    status: Int, count: Int
  ) throws {
    var device = Device.sample
    device.osVersion = "18.2"
    var script = Script()
    script[.updateSubscription] = [.refusal(status)]
    let observed = try script.oneSignal(store: Script.settledStore(), device: device) { _ in
      try await Task.sleep(for: .seconds(11))
    }
    #expect(observed.calls(.updateSubscription).count == count)
    #expect(observed.calls(.createUser).isEmpty)
  }

  @Test func `a subscription that the server has lost is made anew, with its own list`() throws {
    let store = try Script.settledStore()
    var script = Script()
    script[.fetchUser] = [Answer(["identity": [:], "subscriptions": [["id": "another"]]])]
    let observed = try script.oneSignal(store: store) { try await $0.settle() }
    #expect(observed.starts(.createSubscription) == [.seconds(5)])
    #expect(observed.calls(.createSubscription).first?.body["subscription"]?["id"] == nil)
    let lists = observed.calls(.messages)
    #expect(lists.map(\.at) == [.milliseconds(100), .milliseconds(5100)])
    #expect(
      lists.last?.request.location.path == "/apps/app-1/subscriptions/\(Script.newSubscriptionID)/iams")
    #expect(lists.last?.request.fields["OneSignal-RYW-Token"] == "ryw-3")
    let next = try Script().oneSignal(store: store) { try await $0.settle() }
    #expect(next.calls(.updateUser).first?.request.fields["OneSignal-Subscription-Id"] == Script.newSubscriptionID)
  }

  static let creations: [(status: Int, tries: [Duration], users: Int)] = [
    (201, [.seconds(5)], 0), (400, [.seconds(5)], 0), (401, [.seconds(5)], 0), (404, [.seconds(5)], 1),
    (429, [.seconds(5), .seconds(10)], 0),
  ]

  @Test(arguments: creations)
  func `making a subscription anew`(status: Int, tries: [Duration], users: Int) throws {
    var script = Script()
    script[.fetchUser] = [Answer(["subscriptions": []])]
    script[.createSubscription] = [.refusal(status)]
    let observed = try script.oneSignal(store: Script.settledStore()) { _ in try await Task.sleep(for: .seconds(11)) }
    #expect(observed.starts(.createSubscription) == tries)
    #expect(observed.calls(.createUser).count == users)
  }

  static let fetches: [(status: Int, tries: [Duration], users: [Duration])] = [
    (200, [.zero], []), (400, [.zero], []), (401, [.zero], []), (404, [.zero], [.milliseconds(100)]),
    (410, [.zero], [.milliseconds(100)]), (429, [.zero, .seconds(5)], []),
    (503, [.zero, .milliseconds(5100)], []),
  ]

  @Test(arguments: fetches) func `fetching the user`(status: Int, tries: [Duration], users: [Duration]) throws {
    var script = Script()
    script[.fetchUser] = [.refusal(status)]
    let observed = try script.oneSignal(store: Script.settledStore()) { _ in try await Task.sleep(for: .seconds(9)) }
    #expect(observed.starts(.fetchUser) == tries)
    #expect(observed.starts(.createUser) == users)
  }

  @Test func `what a killed launch had not sent is sent by the next one`() throws {
    for milliseconds in stride(from: 0, through: 12_000, by: 350) {
      let store = LaunchStore()
      let observed = try Script().run { recording in
        let first = try await OneSignalClient.started(over: recording, store: store)
        first.addTags(["early": "1"])
        let adding = Task {
          try await Task.sleep(for: .seconds(6))
          first.addTags(["late": "1"])
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        adding.cancel()
        first.stop()
        recording.mark("killed")
        let second = try await OneSignalClient.started(over: recording, store: store)
        try await second.settle()
      }
      let sent = observed.calls(.updateUser).map(\.body)
      #expect(sent.contains { $0["properties"]?["tags"]?["early"] == "1" }, "\(milliseconds)")
      #expect(
        sent.contains { $0["properties"]?["tags"]?["late"] == "1" } == (milliseconds > 6000), "\(milliseconds)")
      // One user, unless the answer that named it never arrived.
      #expect(observed.calls(.createUser).count == (100..<200 ~= milliseconds ? 2 : 1), "\(milliseconds)")
      let settled = try Script().oneSignal(store: store) { try await $0.settle() }
      #expect(settled.calls(.updateUser).map(\.body) == [UserChanges(sessionCount: 1).json], "\(milliseconds)")
    }
  }
}
