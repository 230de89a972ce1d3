import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// When the list of in-app messages is asked for, and as of which write: vendors.md 3.4.
@Suite struct InAppListTests {
  /// The tries of a list: when, with which token, and which count.
  private struct Try: Hashable {
    var at: Duration
    var token: String?
    var count: String?
  }

  private func tries(_ observed: Observed) -> [Try] {
    observed.calls(.messages).map {
      Try(
        at: $0.at, token: $0.request.fields["OneSignal-RYW-Token"], count: $0.request.fields["OneSignal-Retry-Count"])
    }
  }

  @Test func `without ryw_delay and token the list is asked for at once`() throws {
    var script = Script()
    script[.createUser] = [Answer(["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]]])]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(3)) }
    #expect(tries(observed) == [Try(at: .milliseconds(200))])
  }

  static let delays: [(JSON, Duration)] = [
    (0, .zero), (-500, .zero), (250, .milliseconds(250)), ("500", .zero), (.null, .zero), (.number("1e400"), .zero),
    (.integer(.max), .seconds(3600)), (.integer(.min), .zero),
  ]

  @Test(arguments: delays) func `ryw_delay is obeyed, within reason`(delay: JSON, wait: Duration) throws {
    var script = Script()
    script[.createUser] = [
      Answer(["identity": ["onesignal_id": "u"], "subscriptions": [["id": "s"]], "ryw_token": "t", "ryw_delay": delay])
    ]
    let observed = try script.oneSignal(horizon: .seconds(5000)) { try await $0.settle() }
    #expect(tries(observed) == [Try(at: .milliseconds(200) + wait, token: "t")])
  }

  @Test(arguments: [425, 429])
  func `the server decides how often and how late to ask again; the last request names no write`(status: Int) throws {
    var script = Script()
    script[.messages] = [.refusal(status, fields: ["Retry-After": "2", "OneSignal-Retry-Limit": "2"])]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(
      tries(observed) == [
        Try(at: .milliseconds(700), token: "ryw-1"), Try(at: .milliseconds(2800), token: "ryw-1", count: "1"),
        Try(at: .milliseconds(4900), token: "ryw-1", count: "2"), Try(at: .seconds(5)),
      ])
  }

  @Test func `the limit of the first refusal holds`() throws {
    var script = Script()
    script[.messages] = [
      .refusal(425, fields: ["OneSignal-Retry-Limit": "1"]), .refusal(429, fields: ["OneSignal-Retry-Limit": "9"]),
      Answer(["in_app_messages": []]),
    ]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(tries(observed).map(\.at) == [.milliseconds(700), .milliseconds(1800), .milliseconds(1900)])
    #expect(tries(observed).map(\.token) == ["ryw-1", "ryw-1", nil])
  }

  static let waits: [(Fields, Duration)] = [
    ([:], .seconds(1)), (["Retry-After": "0"], .seconds(1)), (["Retry-After": "-3"], .seconds(1)),
    (["Retry-After": "soon"], .seconds(1)), (["Retry-After": " 3 "], .seconds(3)),
    (["Retry-After": "1.5"], .seconds(1)),
    (["Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"], .seconds(1)),
    (["Retry-After": "9223372036854775807"], .seconds(3600)),
    (["Retry-After": "99999999999999999999999"], .seconds(1)),
  ]

  @Test(arguments: waits) func `Retry-After is whole seconds`(fields: Fields, wait: Duration) throws {
    var refused = fields
    refused["OneSignal-Retry-Limit"] = "1"
    var script = Script()
    script[.messages] = [.refusal(425, fields: refused), Answer(["in_app_messages": []])]
    let observed = try script.oneSignal(horizon: .seconds(5000)) { _ in try await Task.sleep(for: .seconds(4000)) }
    #expect(tries(observed).map(\.at) == [.milliseconds(700), .milliseconds(800) + wait])
  }

  @Test(arguments: ["0", "-1", "many", ""])
  func `without a limit the next request is the last`(limit: String) throws {
    var script = Script()
    script[.messages] = [.refusal(429, fields: ["Retry-After": "5", "OneSignal-Retry-Limit": limit])]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(tries(observed) == [Try(at: .milliseconds(700), token: "ryw-1"), Try(at: .milliseconds(800))])
  }

  @Test func `a server that is never ready is left alone by who settles`() throws {
    var script = Script()
    script[.messages] = [.refusal(425, fields: ["OneSignal-Retry-Limit": "9223372036854775807"])]
    let observed = try script.oneSignal { client in
      try await Task.sleep(for: .seconds(30))
      try await client.settle()
    }
    #expect(tries(observed).last?.at ?? .zero < .seconds(32))
    #expect(tries(observed).last?.token == nil)
  }

  @Test(arguments: [400, 404]) func `another refusal is final`(status: Int) throws {
    var script = Script()
    script[.messages] = [.refusal(status)]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(tries(observed).count == 1)
  }

  @Test func `a server's fault is the transport's to heal`() throws {
    var script = Script()
    script[.messages] = [.refusal(500), Answer(["in_app_messages": []])]
    let observed = try script.oneSignal { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(tries(observed).map(\.at) == [.milliseconds(700), .milliseconds(5800)])
  }

  @Test func `a later launch waits for the count of the session`() throws {
    var script = Script()
    script[.updateUser] = [Answer(["ryw_token": "ryw-7", "ryw_delay": 300], after: .seconds(2))]
    let observed = try script.oneSignal(store: Script.settledStore()) { _ in try await Task.sleep(for: .seconds(20)) }
    #expect(tries(observed) == [Try(at: .milliseconds(2300), token: "ryw-7")])
  }

  @Test func `it waits 30 s at most`() throws {
    var script = Script()
    script[.updateUser] = [Answer(parts: [.init(at: .zero, .fault(.hang))])]
    let observed = try script.oneSignal(store: Script.settledStore()) { _ in try await Task.sleep(for: .seconds(60)) }
    #expect(tries(observed) == [Try(at: .seconds(30))])
  }

  @Test func `a changed subscription is waited for as well, and the newest token counts`() throws {
    var device = Device.sample
    device.osVersion = "18.2"
    for (user, subscription, token) in [(1, 3, "ryw-4"), (3, 1, "ryw-2")] {
      var script = Script()
      script[.updateUser] = [Answer(["ryw_token": "ryw-2"], after: .seconds(user))]
      script[.updateSubscription] = [Answer(["ryw_token": "ryw-4"], after: .seconds(subscription))]
      let observed = try script.oneSignal(store: Script.settledStore(), device: device) { _ in
        try await Task.sleep(for: .seconds(20))
      }
      #expect(observed.starts(.updateSubscription) == [.zero])
      #expect(observed.calls(.updateSubscription).first?.body["subscription"]?["device_os"] == "18.2")
      #expect(tries(observed) == [Try(at: .seconds(3), token: token)])
    }
  }
}
