import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Without the user's consent only GET requests go out: vendors.md 3.1.
@Suite struct OneSignalConsentTests {
  private func launch(
    _ script: Script = Script(), store: LaunchStore = LaunchStore(), isRequired: Bool,
    _ body: @escaping @MainActor (OneSignalClient) async throws -> Void
  ) throws -> Observed {
    try script.run { recording in
      let phone = Phone(marks: recording)
      let client = OneSignalClient(
        transport: recording, appID: "app-1", phone: phone, store: store, marks: recording)
      client.isConsentRequired = isRequired
      client.initialize()
      try await body(client)
      client.stop()
    }
  }

  @Test func `where the app demands consent the user begins with it, and what was said before is lost`() throws {
    let observed = try launch(isRequired: true) { client in
      client.addTags(["early": "1"])
      client.login("ann")
      try await Task.sleep(for: .seconds(10))
      #expect(client.onesignalID == nil)
      client.isConsentGiven = true
      client.addTags(["late": "1"])
      try await client.settle()
      #expect(client.onesignalID == Script.userID)
    }
    #expect(observed.calls.prefix(3) == [.parameters, .features, .createUser])
    #expect(observed.starts(.createUser) == [.seconds(10)])
    #expect(observed.calls(.identify).isEmpty)
    #expect(
      observed.calls(.updateUser).map { $0.body["properties"]?["tags"] } == [nil, ["late": "1"]])
  }

  @Test func `the server's parameters can demand it`() throws {
    var script = Script()
    script[.parameters] = [Answer(["requires_user_privacy_consent": true])]
    let store = LaunchStore()
    for _ in 0..<2 {
      let observed = try launch(script, store: store, isRequired: false) { try await $0.settle() }
      #expect(Set(observed.calls) == [.parameters, .features])
    }
    let observed = try launch(script, store: store, isRequired: false) { client in
      client.isConsentGiven = true
      try await client.settle()
    }
    #expect(observed.calls(.createUser).count == 1)
    let later = try launch(script, store: store, isRequired: false) { try await $0.settle() }
    #expect(later.calls(.fetchUser).count == 1)
  }

  @Test func `without it a later launch knows nobody`() throws {
    let observed = try launch(store: Script.settledStore(), isRequired: true) { client in
      #expect(client.onesignalID == nil)
      try await client.settle()
    }
    #expect(Set(observed.calls) == [.parameters, .features])
  }

  @Test func `taken back, it stops what has not been sent, tries under way included`() throws {
    var script = Script()
    script[.updateUser] = [.refusal(500)]
    let observed = try launch(script, isRequired: true) { client in
      client.isConsentGiven = true
      try await Task.sleep(for: .seconds(6))
      client.isConsentGiven = false
      try await Task.sleep(for: .seconds(60))
      client.isConsentGiven = true
      try await Task.sleep(for: .seconds(9))
    }
    #expect(observed.starts(.updateUser) == [.seconds(5), .seconds(70)])
  }
}
