import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Logging in: vendors.md 3.2, call 6, and 3.4.
@Suite struct OneSignalIdentityTests {
  private static let other: JSON = [
    "identity": ["onesignal_id": "u2", "external_id": "ann"],
    "subscriptions": [["id": .string(Script.subscriptionID)]], "ryw_token": "ryw-8", "ryw_delay": 200,
  ]

  @Test func `an anonymous user gets the id, and is fetched once the server may show it`() throws {
    let heard = Output()
    let observed = try Script().oneSignal { client in
      try await Task.sleep(for: .seconds(4))
      client.addUserObserver { heard.append($0) }
      client.addTags(["before": "1"])
      client.login("ann")
      #expect(client.onesignalID == nil)
      client.addTags(["after": "1"])
      try await client.settle()
      #expect(client.onesignalID == Script.userID)
      client.login("ann")
      client.login("")
    }
    #expect(observed.starts(.identify) == [.seconds(4)])
    // Known at 4.1 s, cool at 7.1 s, looked at after the executor's 3.2 s.
    #expect(observed.starts(.fetchUser) == [.milliseconds(7300)])
    #expect(observed.calls(.createUser).count == 1)
    #expect(heard.lines == [Script.userID])
    #expect(observed.calls(.messages).count == 1)
    // Both users are the same at the server, and new again at 4.1 s: everything leaves together at 10 s, in order.
    let updates = observed.calls(.updateUser)
    #expect(updates.map(\.at) == [.seconds(10), .seconds(10), .seconds(10)])
    #expect(updates.map { $0.body["properties"]?["tags"]?["before"] } == [nil, "1", nil])
    #expect(updates.map { $0.body["properties"]?["tags"]?["after"] } == [nil, nil, "1"])
  }

  @Test func `a login during the launch waits for the user and the cool-down`() throws {
    let observed = try Script().oneSignal { client in
      client.login("ann")
      try await Task.sleep(for: .seconds(4))
    }
    #expect(observed.calls(.createUser).map { $0.body["identity"] } == [[:]])
    #expect(observed.starts(.identify) == [.milliseconds(3400)])
  }

  @Test func `409 leads to the user who has the id`() throws {
    var script = Script()
    script[.identify] = [.refusal(409)]
    script[.createUser] += [Answer(Self.other)]
    let heard = Output()
    let store = LaunchStore()
    let observed = try script.oneSignal(store: store) { client in
      try await Task.sleep(for: .seconds(6))
      client.addUserObserver { heard.append($0) }
      client.login("ann")
      client.addTags(["after": "1"])
      try await client.settle()
      #expect(client.onesignalID == "u2")
    }
    let creation = try #require(observed.calls(.createUser).last)
    #expect(creation.at == .milliseconds(6100))
    #expect(creation.body["identity"] == ["external_id": "ann"])
    #expect(creation.body["subscriptions"]?[0]?["id"] == .string(Script.subscriptionID))
    #expect(creation.request.fields["OneSignal-Subscription-Id"] == Script.subscriptionID)
    #expect(heard.lines == ["u2"])
    #expect(observed.calls(.fetchUser).map(\.request.location.path) == ["/apps/app-1/users/by/onesignal_id/u2"])
    #expect(observed.starts(.fetchUser) == [.milliseconds(9400)])
    #expect(observed.calls(.messages).last?.at == .milliseconds(6400))
    #expect(observed.calls(.messages).last?.request.fields["OneSignal-RYW-Token"] == "ryw-8")
    let tags = try #require(observed.calls(.updateUser).last)
    #expect(tags.request.location.path.hasSuffix("/u2"))
    let later = try Script().oneSignal(store: store) { #expect($0.onesignalID == "u2") }
    #expect(later.calls(.createUser).isEmpty)
  }

  static let refusals: [(status: Int, tries: [Duration], users: Int)] = [
    (400, [.seconds(4)], 1), (403, [.seconds(4)], 1), (404, [.seconds(4)], 2), (410, [.seconds(4)], 2),
    (429, [.seconds(4), .seconds(5)], 1), (500, [.seconds(4), .milliseconds(9100)], 1),
  ]

  @Test(arguments: refusals)
  func `another refusal is final, less a gone user and what time may heal`(
    status: Int, tries: [Duration], users: Int
  ) throws {
    var script = Script()
    script[.identify] = [.refusal(status)]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(4))
      client.login("ann")
      try await Task.sleep(for: .milliseconds(5900))
    }
    #expect(observed.starts(.identify) == tries)
    #expect(observed.calls(.createUser).count == users)
  }

  @Test func `a user with a name gives way to another with its own`() throws {
    var script = Script()
    script[.createUser] += [Answer(Self.other)]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(4))
      client.login("ann")
      try await Task.sleep(for: .seconds(6))
      client.login("bob")
      try await client.settle()
    }
    #expect(observed.calls(.identify).count == 1)
    #expect(observed.calls(.createUser).map { $0.body["identity"] } == [[:], ["external_id": "bob"]])
  }

  @Test func `a user who was left behind gets an id for its changes, and nothing of the device's`() throws {
    var script = Script()
    script[.identify] = [.refusal(409)]
    script[.createUser] += [
      Answer(["identity": ["onesignal_id": "u3", "external_id": "bob"]]), Answer(Self.other),
    ]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(6))
      client.login("ann")
      client.addTags(["for": "ann"])
      client.login("bob")
      client.addTags(["for": "bob"])
      try await client.settle()
      #expect(client.onesignalID == "u3")
    }
    let creations = observed.calls(.createUser).dropFirst()
    #expect(creations.map { $0.body["identity"]?["external_id"] } == ["bob", "ann"])
    #expect(creations.map { $0.body["subscriptions"] != nil } == [true, false])
    #expect(creations.last?.request.fields["OneSignal-Subscription-Id"] == nil)
    let updates = observed.calls(.updateUser).suffix(2)
    #expect(updates.map { $0.body["properties"]?["tags"]?["for"] } == ["ann", "bob"])
    #expect(updates.map { $0.request.location.path.suffix(3) } == ["/u2", "/u3"])
    #expect(observed.calls(.fetchUser).map { $0.request.location.path.suffix(3) } == ["/u3"])
  }

  @Test func `a login survives the death of the process`() throws {
    for milliseconds in stride(from: 3950, through: 4250, by: 100) {
      let store = LaunchStore()
      let observed = try Script().run { recording in
        let first = try await OneSignalClient.started(over: recording, store: store)
        try await Task.sleep(for: .seconds(3.9))
        first.login("ann")
        try await Task.sleep(for: .milliseconds(milliseconds - 3900))
        first.stop()
        let second = try await OneSignalClient.started(over: recording, store: store)
        try await second.settle()
        #expect(second.onesignalID == Script.userID)
        second.login("ann")
        try await second.settle()
      }
      #expect(observed.calls(.identify).count == (milliseconds < 4000 ? 2 : 1), "\(milliseconds)")
      #expect(observed.calls(.createUser).count == 1, "\(milliseconds)")
    }
  }
}
