import LaunchHTTP
import LaunchJSON
import Testing

@testable import LaunchClients

/// Vendors.md 2.3, step 1.
@Suite struct AdaptyNetConfigTests {
  private let now = WallTime(milliseconds: 1_796_019_645_123)

  private func config(_ changes: JSONObject = [:], without key: String = "") -> AdaptyNetConfig? {
    var data = Script.netConfig(changes)["data"]?.object ?? [:]
    data[key] = nil
    return AdaptyNetConfig(.object(data), now: now)
  }

  static let expiries: [(JSONObject, Int64)] = [
    (["expires_in": 3_600_000], 1_796_019_645_123 + 3_600_000),
    (["expires_in": .number("1.5")], 1_796_019_645_125),
    (["expires_at": 1_900_000_000_001, "expires_in": 5], 1_900_000_000_001),
    (["expires_in": 0], 1_796_019_645_123),
    (["expires_in": -1000], 1_796_019_644_123),
    (["expires_in": .integer(.max)], 1_796_019_645_123 + 3_155_760_000_000),
    (["expires_at": .number("-1e300")], -3_155_760_000_000),
  ]

  @Test(arguments: expiries) func `it says until when it is good`(changes: JSONObject, expires: Int64) {
    #expect(config(changes)?.expires.milliseconds == expires)
  }

  @Test func `a failure extends the first one by 1800 s, and a later one by its own interval`() {
    #expect(AdaptyNetConfig.initial.isExpired(now))
    #expect(AdaptyNetConfig.initial.extended(now).expires.milliseconds == now.milliseconds + 1_800_000)
    #expect(config()?.extended(now).expires.milliseconds == now.milliseconds + 60_000)
  }

  @Test func `it lists the main hosts of clusters`() {
    let listed = config([
      "api_endpoints": [
        "default": ["https://a.example", "https://b.example/x/", "ftp://c.example", ""], "cn": [],
        "mars": ["https://m"],
      ]
    ])
    #expect(listed?.hosts(.default).map(\.description) == ["https://a.example/api/v1", "https://b.example/x/"])
    #expect(listed?.hosts(.eu) == listed?.hosts(.default))
    #expect(listed?.hosts(.cn) == [])
    #expect(config(["api_endpoints": [:]])?.hosts(.eu) == [])
  }

  @Test func `the store keeps all of it`() {
    for known in [config(), config(["event_blacklist": ["a"], "expires_in": 5]), AdaptyNetConfig.initial] {
      #expect(AdaptyNetConfig(known?.json, now: WallTime(milliseconds: 7)) == known)
    }
  }

  static let failures: [JSONObject] = [
    ["event_blacklist": "all"], ["event_blacklist": [1]], ["api_endpoints": []], ["api_endpoints": ["eu": "x"]],
    ["api_endpoints": ["default": [7]]], ["expires_in": "soon"], ["expires_at": nil], ["expires_in": .number("1e999")],
    ["retry_interval": "x"],
  ]

  @Test(arguments: failures) func `an answer of the wrong kind is none`(changes: JSONObject) {
    #expect(config(changes) == nil)
  }

  @Test(arguments: ["event_blacklist", "api_endpoints", "expires_in", "retry_interval"])
  func `an answer that lacks a part is none`(key: String) { #expect(config(without: key) == nil) }
}
