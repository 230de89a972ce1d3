import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import TestSupport
import Testing

/// The client against servers that keep what they are told: what arrives, not only what leaves.
@Suite struct OneSignalSandboxLaunchTests {
  private static let app = "https://api.onesignal.com/apps/app-1"

  /// Servers that can be looked into, behind a recording.
  private final class Servers: Sendable {
    let sandbox: Mutex<OneSignalSandbox>

    init(_ sandbox: OneSignalSandbox) { self.sandbox = Mutex(sandbox) }

    /// - Parameter path: What becomes of an answer on its way.
    func recording(
      _ path: @escaping @Sendable (Request, () -> Answer) -> Answer
    ) -> Recording {
      Recording(
        AnswerTransport { request in path(request) { self.sandbox.withLock { $0.respond(to: request) } } })
    }

    /// The user as the server has it, without leaving a trace.
    func user(_ id: String) throws -> JSON? {
      let request = Request(
        method: "GET",
        location: try Location(parsing: "\(OneSignalSandboxLaunchTests.app)/users/by/onesignal_id/\(id)"),
        fields: [:], body: [])
      let answer = sandbox.withLock { sandbox in
        var copy = sandbox
        copy.limits = nil
        return copy.respond(to: request)
      }
      let body = answer.parts.flatMap { part -> ArraySlice<UInt8> in
        if case .chunk(let chunk) = part.part { chunk.content } else { [] }
      }
      return try? JSON(parsing: body)
    }
  }

  private func run(
    _ sandbox: OneSignalSandbox = OneSignalSandbox(),
    path: @escaping @Sendable (Request, () -> Answer) -> Answer = { _, answer in answer() },
    _ body: @escaping @MainActor (Servers, Recording) async throws -> Void
  ) throws -> Observed {
    try Simulation.run(horizon: .seconds(3000)) {
      let servers = Servers(sandbox)
      let recording = servers.recording(path)
      try await body(servers, recording)
      return Observed(recording)
    }
  }

  private func refusals(_ observed: Observed) -> [Int] {
    observed.events.compactMap { event in
      if case .call(_, .response(let head)) = event.kind, !(200...299).contains(head.status) {
        head.status
      } else {
        nil
      }
    }
  }

  @Test func `three launches and a login are accepted without a complaint`() throws {
    let observed = try run { servers, recording in
      let store = LaunchStore()
      for launch in 1...3 {
        var device = Device.sample
        device.appVersion = "1.\(launch)"
        let client = try await OneSignalClient.started(over: recording, store: store, device: device)
        client.addTrigger("app_ready", "true")
        client.addTags(["launch": .string("\(launch)")])
        if launch == 2 { client.login("ann") }
        try await client.settle()
        let user = try servers.user(client.onesignalID ?? "")
        #expect(user?["properties"]?["session_count"] == .integer(Int64(launch)))
        #expect(user?["properties"]?["tags"] == ["launch": .string("\(launch)")])
        #expect(user?["identity"]?["external_id"]?.string == (launch > 1 ? "ann" : nil))
        #expect(user?["subscriptions"]?.array?.count == 1)
      }
    }
    #expect(refusals(observed) == [])
    #expect(observed.calls(.createUser).count == 1)
    #expect(observed.calls(.updateSubscription).count == 2)
    #expect(observed.calls(.impression).count == 1)
  }

  @Test func `somebody else's id leads to somebody else, with the subscription`() throws {
    let observed = try run { servers, recording in
      let first = try await OneSignalClient.started(over: recording)
      first.login("ann")
      try await first.settle()
      let second = try await OneSignalClient.started(over: recording)
      second.login("ann")
      try await second.settle()
      #expect(second.onesignalID == first.onesignalID)
      #expect(try servers.user(second.onesignalID ?? "")?["subscriptions"]?.array?.count == 2)
    }
    #expect(refusals(observed) == [409])
  }

  @Test func `deleted users and subscriptions come back with the next launch`() throws {
    let observed = try run { servers, recording in
      let store = LaunchStore()
      var id: String?
      for launch in 1...3 {
        if launch == 2 { servers.sandbox.withLock { $0.deleteSubscriptions() } }
        if launch == 3 { servers.sandbox.withLock { $0.deleteUsers() } }
        let client = try await OneSignalClient.started(over: recording, store: store)
        client.addTags(["launch": .string("\(launch)")])
        try await client.settle()
        let user = try servers.user(client.onesignalID ?? "")
        #expect(user?["subscriptions"]?.array?.count == 1, "\(launch)")
        #expect((client.onesignalID == id) == (launch == 2))
        id = client.onesignalID
      }
    }
    // The list of the second launch is asked for before the loss is known; the third finds neither user nor list.
    #expect(observed.calls(.createSubscription).count == 1)
    #expect(observed.calls(.createUser).count == 2)
  }

  @Test func `within the documented limits everything arrives all the same`() throws {
    var sandbox = OneSignalSandbox()
    sandbox.limits = OneSignalLimits(now: { .now })
    let observed = try run(sandbox) { servers, recording in
      let store = LaunchStore()
      for launch in 1...3 {
        let client = try await OneSignalClient.started(over: recording, store: store)
        try await Task.sleep(for: .seconds(2))
        client.addTags([.init(stringLiteral: "launch-\(launch)"): "1"])
        try await client.settle(until: .now + .seconds(60))
        client.stop()
        let user = try servers.user(client.onesignalID ?? "")
        #expect(user?["properties"]?["session_count"] == .integer(Int64(launch)))
        #expect(user?["properties"]?["tags"]?.object?.members.count == launch)
      }
    }
    #expect(Set(refusals(observed)) == [429])
  }

  @Test func `a server that has not caught up is waited for`() throws {
    let observed = try run(OneSignalSandbox(lateReads: 2)) { _, recording in
      let client = try await OneSignalClient.started(over: recording)
      client.addTrigger("app_ready", "true")
      try await client.settle(until: .now + .seconds(30))
      client.stop()
    }
    #expect(refusals(observed) == [425, 425])
    #expect(observed.calls(.messages).map { $0.request.fields["OneSignal-Retry-Count"] } == [nil, "1", "2"])
    #expect(observed.calls(.impression).count == 1)
  }

  /// Requests get lost, answers get lost, and servers are busy.
  @Test(arguments: 1...30)
  func `whatever time may heal, every tag and every session arrives`(seed: UInt64) throws {
    let chance = Mutex(SeededGenerator(seed: seed))
    let lost = Answer(parts: [.init(at: .milliseconds(300), .fault(.error(TransportError(.reset, during: .response))))])
    let path: @Sendable (Request, () -> Answer) -> Answer = { _, answer in
      switch chance.withLock({ Int.random(in: 0..<10, using: &$0) }) {
      case 0: return lost
      case 1:
        _ = answer()
        return lost
      case 2: return .refusal(429)
      case 3: return .refusal(503)
      default: return answer()
      }
    }
    _ = try run(path: path) { servers, recording in
      let store = LaunchStore()
      for launch in 1...2 {
        let client = try await OneSignalClient.started(over: recording, store: store)
        for number in 1...4 {
          client.addTags([.init(stringLiteral: "\(launch).\(number)"): "1"])
          try await Task.sleep(for: .seconds(3))
        }
        try await client.settle(until: .now + .seconds(1200))
        client.stop()
        let user = try servers.user(client.onesignalID ?? "")
        #expect(user?["properties"]?["tags"]?.object?.members.count == 4 * launch)
        #expect(user?["properties"]?["session_count"]?.integer ?? 0 >= launch)
      }
      #expect(store["onesignal.state"]?["updates"] == [])
      #expect(store["onesignal.state"]?["requests"] == [])
    }
  }

  @Test func `killed at any moment, a launch loses no tag and no session`() throws {
    for milliseconds in stride(from: 10, through: 12_000, by: 230) {
      _ = try run { servers, recording in
        let store = LaunchStore()
        let first = try await OneSignalClient.started(over: recording, store: store)
        first.addTags(["early": "1"])
        try await Task.sleep(for: .milliseconds(milliseconds))
        first.addTags(["last": "1"])
        first.stop()
        let second = try await OneSignalClient.started(over: recording, store: store)
        try await second.settle()
        let user = try servers.user(second.onesignalID ?? "")
        #expect(user?["properties"]?["tags"] == ["early": "1", "last": "1"], "\(milliseconds)")
        #expect(user?["properties"]?["session_count"]?.integer ?? 0 >= 1, "\(milliseconds)")
      }
    }
  }
}
