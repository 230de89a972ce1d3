import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

/// Whatever Adjust's servers say, a launch neither traps nor hangs.
@Suite struct AdjustHostileTests {
  static let bodies = [
    "", " ", "null", "0", "[]", "\"x\"", "{", "{}", "<html>", "\u{0}",
    #"{"adid":1,"ask_in":"x","continue_in":[],"retry_in":{},"attribution":7,"deeplink":1,"tracking_state":1}"#,
    #"{"adid":"","ask_in":-1,"continue_in":-1,"attribution":{"campaign":1,"cost_amount":{}},"deeplink":""}"#,
    #"{"ask_in":9223372036854775807,"continue_in":9223372036854775807}"#, #"{"ask_in":0}"#, #"{"ask_in":1e999}"#,
    #"{"retry_in":0}"#, #"{"retry_in":-9223372036854775808}"#, #"{"retry_in":9223372036854775807}"#,
    #"{"retry_in":1e999,"ask_in":-1e999}"#, #"{"control_params":{"":{"a":[null]}}}"#, #"{"control_params":"x"}"#,
    #"{"remote_triggers":[1,null,{"label":null}],"skadn_conv_value":1.5}"#, #"{"remote_triggers":{},"adid":null}"#,
    #"{"tracking_state":"opted_out"}"#,
  ]

  private func run(_ script: Script) throws -> Observed {
    try script.run(horizon: .seconds(100_000)) { recording in
      let launches = AdjustLaunches(recording, tokenAfter: .milliseconds(70))
      for _ in 0..<2 {
        let client = launches.launch()
        client.setPushToken("ab\(recording.events.count)")
        await client.settle(until: .now + .seconds(20))
        recording.mark("in time")
        await client.settle()
        recording.mark("settled")
        try await sleep(.seconds(2000))
      }
    }
  }

  @Test(arguments: bodies) func `any body, with any status, lets the launch settle`(body: String) throws {
    for status in [200, 429] {
      var script = Script()
      for kind in [VendorCallKind.session, .click, .attribution, .info] {
        script[kind] = [
          Answer(head: ResponseHead(status: status), body: Array(body.utf8), after: .seconds(5))
        ]
      }
      let observed = try run(script)
      #expect(observed.times(of: "settled").count == 2)
      #expect(observed.times(of: "in time").first.map { $0 <= .seconds(20) } == true)
      let waits = zip(observed.times(of: "settled"), observed.times(of: "in time")).map { $0 - $1 }
      #expect(waits.allSatisfy { $0 <= .seconds(600) })
    }
  }

  @Test(arguments: UInt64(1)...10) func `random members do not, either`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values: [JSON] = [
      0, 1, -1, 1000, .integer(.max), .integer(.min), .number("1e999"), .number("0.5"), "x", "", .null, true, [], [:],
      ["campaign": "c"], "opted_out",
    ]
    let names = [
      "adid", "ask_in", "continue_in", "retry_in", "attribution", "deeplink", "tracking_state", "control_params",
      "skadn_conv_value", "remote_triggers",
    ]
    var script = Script()
    for kind in [VendorCallKind.session, .click, .attribution, .info] {
      script[kind] = (0..<8).map { _ in
        var object: JSONObject = [:]
        for name in names where Bool.random(using: &random) {
          object[name] = values.randomElement(using: &random) ?? .null
        }
        return Answer(
          .object(object), status: [200, 200, 400, 429].randomElement(using: &random) ?? 200, after: .seconds(5))
      }
    }
    let observed = try run(script)
    #expect(observed.times(of: "settled").count == 2)
    #expect(try run(script) == observed)
  }

  @Test(arguments: ["null", "1", "\"x\"", "[]", "{}", "[1,null,{}]", "true", "-1", "9223372036854775807"])
  func `a damaged store is at worst a first launch`(text: String) throws {
    let value = try JSON(parsing: text)
    let observed = try Script().run { recording in
      let launches = AdjustLaunches(recording, tokenAfter: .milliseconds(70))
      await launches.launch().settle()
      for key in launches.store.entries(under: "adjust.").map(\.key) where key != "adjust.opted_out" {
        launches.store.set(key, value)
      }
      let client = launches.launch { $0.attConsentWaitingInterval = .seconds(5) }
      await client.settle()
      recording.mark("settled")
    }
    #expect(observed.times(of: "settled").count == 1)
  }
}
