import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import TestSupport
import Testing

/// Requests that no client sends: each is answered, none traps, and a refused one changes nothing.
@Suite struct OneSignalFuzzTests {
  private var sandbox = OneSignalSandbox()
  private let requests: [Request]

  init() throws {
    let created = try sandbox.respond(to: OneSignal.send("POST", "/users", OneSignal.user))
    let user = "/users/by/onesignal_id/\(created.json?["identity"]?["onesignal_id"]?.string ?? "")"
    let subscription = created.json?["subscriptions"]?[0]?["id"]?.string ?? ""
    let message = InAppMessage.appReady
    let page = "https://api.onesignal.com/in_app_messages/\(message.id)"
    let push: JSON = ["type": "iOSPush", "token": "ab12", "enabled": true, "notification_types": 1]
    let session: JSON = [
      "onesignal_id": created.json?["identity"]?["onesignal_id"] ?? .null, "subscription_id": .string(subscription),
      "device_type": 0, "start_time": 1, "idempotency_key": "k",
    ]
    let seen: JSON = [
      "device_type": 0, "player_id": .string(subscription), "app_id": "7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34",
      "variant_id": .string(message.variantID),
    ]
    requests = try [
      OneSignal.get("/ios_params.js"), OneSignal.get("/sdk/features/ios/050601"), OneSignal.get(user),
      OneSignal.send("POST", "/users", OneSignal.user),
      OneSignal.send("PATCH", user, ["properties": ["tags": ["a": "1"], "lat": 1], "deltas": ["session_count": 1]]),
      OneSignal.send("PATCH", "\(user)/identity", ["identity": ["external_id": "ann"]]),
      OneSignal.send("POST", "\(user)/subscriptions", ["subscription": push]),
      OneSignal.send("PATCH", "/subscriptions/\(subscription)", ["subscription": push]),
      OneSignal.get("/subscriptions/\(subscription)/iams", ["OneSignal-RYW-Token": "t", "OneSignal-Retry-Count": "1"]),
      OneSignal.send("POST", "/sessions", session), OneSignal.send("POST", "\(page)/impression", seen),
      Request("GET", "\(page)/variants/\(message.variantID)/html?app_id=a"),
    ]
  }

  @Test mutating func `requests as they should be are accepted`() {
    for request in requests { #expect(200...299 ~= sandbox.respond(to: request).status ?? 0, "\(request)") }
  }

  @Test mutating func `bodies cut at every byte are refused`() {
    for request in requests where !request.body.isEmpty {
      for length in 0..<request.body.bytes.count {
        var cut = request
        cut.body = Body(Array(request.body.bytes.prefix(length)))
        #expect(sandbox.respond(to: cut).status == 400)
      }
    }
  }

  @Test mutating func `values of every kind in every place are answered in the vendor's form`() throws {
    let values: [JSON] = [
      .null, true, 0, -1, .integer(.max), .number("1e999"), "", "x", "\u{0}", [], [:], [[:]], ["a": [:]],
    ]
    for request in requests where !request.body.isEmpty {
      let body = try JSON(parsing: request.body.bytes)
      for path in body.places {
        for value in values {
          var changed = request
          changed.body = Body(body.setting(path, to: value).serialized)
          let answer = sandbox.respond(to: changed)
          let isError = answer.json?["errors"]?[0]?["title"]?.string != nil
          #expect(isError == !(200...299 ~= answer.status ?? 0), "\(path) \(value)")
        }
      }
    }
  }

  @Test mutating func `bytes changed anywhere are answered`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      var request = requests[Int.random(in: requests.indices, using: &generator)]
      var body = request.body.bytes
      guard !body.isEmpty else { continue }
      for _ in 0..<3 {
        body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      request.body = Body(body)
      #expect(sandbox.respond(to: request).status != nil)
    }
  }
}

extension JSON {
  /// The way to each value inside this one: member names and positions.
  fileprivate var places: [[String]] {
    switch self {
    case .object(let object):
      object.members.flatMap { member in [[member.key]] + member.value.places.map { [member.key] + $0 } }
    case .array(let elements):
      elements.enumerated().flatMap { index, element in [["\(index)"]] + element.places.map { ["\(index)"] + $0 } }
    default: []
    }
  }

  fileprivate func setting(_ path: [String], to value: JSON) -> JSON {
    guard let first = path.first else { return value }
    let rest = Array(path.dropFirst())
    switch self {
    case .object(var object):
      object[first] = object[first]?.setting(rest, to: value)
      return .object(object)
    case .array(var elements):
      if let index = Int(first), elements.indices.contains(index) {
        elements[index] = elements[index].setting(rest, to: value)
      }
      return .array(elements)
    default: return self
    }
  }
}
