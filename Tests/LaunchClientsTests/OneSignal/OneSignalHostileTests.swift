import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

/// Answers that no server should give, and disks that no launch has written: nothing traps, nothing hangs.
@Suite struct OneSignalHostileTests {
  private static let kinds: [VendorCallKind] = [
    .parameters, .features, .createUser, .fetchUser, .messages, .updateUser, .content, .impression, .identify,
    .createSubscription, .updateSubscription,
  ]

  private static let texts = [
    "", " ", "{", "[]", "null", "7", "\"x\"", "{\"identity\":null}", "<html>", "\u{0}", "{\"identity\":[[[[1]]]]}",
    #"{"identity":{"onesignal_id":7},"subscriptions":{"0":1},"ryw_token":[],"ryw_delay":-1}"#,
    #"{"identity":{"onesignal_id":"u"},"subscriptions":[null,7,{"id":9}],"ryw_delay":9223372036854775807}"#,
    #"{"identity":{"onesignal_id":"../..?#"},"subscriptions":[{"id":"a/b\u0000"}],"ryw_delay":1e999}"#,
    #"{"features":[1,null,{}],"in_app_messages":[null,[],{"id":"m","variants":7,"triggers":[[7],null]}]}"#,
    #"{"in_app_messages":{"id":1},"subscription":"s","requires_user_privacy_consent":"yes"}"#,
  ]

  /// A session in which everything is used.
  private func exercise(_ script: Script, store: LaunchStore = LaunchStore()) throws -> Observed {
    var device = Device.sample
    device.osVersion = "17.0"
    return try script.oneSignal(store: store, device: device, horizon: .seconds(20_000)) { client in
      client.addTrigger("app_ready", "true")
      client.addTags(["a": "1"])
      try await Task.sleep(for: .seconds(6))
      client.login("ann")
      client.didEnterBackground()
      try await Task.sleep(for: .seconds(31))
      client.willEnterForeground()
      try await client.settle()
    }
  }

  @Test(arguments: kinds) func `nonsense in each answer`(kind: VendorCallKind) throws {
    for text in Self.texts {
      for status in [200, 429] {
        var script = Script()
        script[kind] = [
          Answer(
            head: ResponseHead(status: status, fields: ["Retry-After": text, "OneSignal-Retry-Limit": text]),
            body: Array(text.utf8), after: .milliseconds(100))
        ]
        #expect(try exercise(script, store: Script.settledStore()).calls.contains(.parameters))
      }
    }
  }

  @Test func `answers with a byte changed`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<80 {
      var script = Script()
      for kind in Self.kinds {
        script[kind] = script[kind].map { answer in
          var body = answer.content
          guard !body.isEmpty, Bool.random(using: &generator) else { return answer }
          body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 32...126, using: &generator)
          return Answer(head: ResponseHead(status: 200), body: body, after: .milliseconds(100))
        }
      }
      #expect(try exercise(script).calls.contains(.parameters))
    }
  }

  @Test func `whatever was cut from the disk, a launch goes on`() throws {
    let store = LaunchStore()
    var script = Script()
    script[.updateUser] = [.refusal(429)]
    _ = try exercise(script, store: store)
    let state = try #require(store["onesignal.state"])
    let members = try #require(state.object?.members)
    for member in members {
      for value in [JSON.null, 7, "x", [], [:], [7], [[:]], ["x": 7]] {
        let damaged = LaunchStore()
        var object = state.object ?? [:]
        object[member.key] = value
        damaged.set("onesignal.state", .object(object))
        damaged.set("onesignal.seen", value)
        damaged.set("onesignal.parameters", value)
        #expect(try exercise(Script(), store: damaged).calls.contains(.parameters))
      }
    }
  }

  @Test func `two runs are equal`() throws { #expect(try exercise(Script()) == exercise(Script())) }
}

extension Answer {
  fileprivate var content: [UInt8] {
    parts.flatMap { part -> ArraySlice<UInt8> in if case .chunk(let chunk) = part.part { chunk.content } else { [] } }
  }
}
