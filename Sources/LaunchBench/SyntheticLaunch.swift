import LaunchHTTP
import LaunchTrace

/// A launch of any length that keeps the rules of the benchmark, one event every tenth of a millisecond.
struct SyntheticLaunch {
  /// Whether calls have all the steps and header lines that a recording has of them.
  private let isRecorded: Bool
  private var events: [Event] = []
  private var calls = 0
  private var time: Int64 = 0

  /// Cycles of three marks and five calls: twenty events, more when recorded.
  static func mixed(events count: Int, users: Int, isRecorded: Bool = false) -> Trace {
    var launch = SyntheticLaunch(isRecorded: isRecorded)
    var cycle = 0
    while launch.events.count + (isRecorded ? 35 : 20) < count {
      launch.mark("ready")
      launch.call(launch.request("POST", "analytics.vendor.test", "/session", body: "created_at=\(cycle)"))
      launch.call(launch.request("GET", "api.example.test", "/config"))
      launch.call(
        launch.request("PATCH", "api.example.test", "/apps/7/users/9", body: #"{"tags":{"cycle":\#(cycle)}}"#))
      launch.call(launch.request("GET", "api.example.test", "/paywall/variations/main"), chunks: 2)
      launch.mark("shown")
      launch.call(launch.mutation(user: cycle % users, sequence: cycle / users))
      launch.mark("tick")
      cycle += 1
    }
    while launch.events.count + 1 < count { launch.mark("tick") }
    return launch.closed()
  }

  /// Calls of each of the users in turn, numbered by user.
  static func mutations(_ count: Int, users: Int) -> Trace {
    var launch = SyntheticLaunch(isRecorded: false)
    for number in 0..<count { launch.call(launch.mutation(user: number % users, sequence: number / users)) }
    return launch.closed()
  }

  private init(isRecorded: Bool) { self.isRecorded = isRecorded }

  private func request(
    _ method: String, _ host: String, _ path: String, fields: Fields = [:], body: String = ""
  ) -> Request {
    var fields = fields
    if isRecorded {
      fields.append("Accept", "application/json")
      fields.append("SDK-Version", "example/ios/050601")
      if !body.isEmpty { fields.append("Content-Type", "application/json") }
    }
    return Request(
      method: method, location: Location(scheme: "https", host: host, path: path), fields: fields,
      body: Array(body.utf8))
  }

  private func mutation(user: Int, sequence: Int) -> Request {
    request(
      "POST", "api.example.test", "/mutations", fields: ["X-User": "user-\(user)"], body: #"{"seq":\#(sequence)}"#)
  }

  private mutating func mark(_ name: String) { append(.mark(Mark(name))) }

  private mutating func call(_ request: Request, chunks: Int = 0) {
    calls += 1
    append(.call(calls, .request(request)))
    if isRecorded {
      append(.call(calls, .connection(Connection(id: 1, address: "127.0.0.1:9001", isReused: calls > 1))))
      append(.call(calls, .sent))
    }
    append(.call(calls, .response(ResponseHead(status: 200, fields: isRecorded ? Self.answerFields : [:]))))
    let body = isRecorded ? #"{"id":\#(calls),"ok":true,"properties":{"language":"en","tags":{}}}"# : ""
    let pieces = isRecorded ? max(chunks, 1) : chunks
    var rest = isRecorded ? body.utf8.count : 100 * chunks
    for piece in 0..<pieces {
      let bytes = rest / (pieces - piece)
      append(.call(calls, .chunk(bytes: bytes)))
      rest -= bytes
    }
    append(.call(calls, .end(Content(Array(body.utf8)))))
  }

  private static let answerFields: Fields = [
    "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "Content-Length": "60",
  ]

  private mutating func append(_ kind: Event.Kind) {
    time += 100
    events.append(Event(at: Instant(microseconds: time), kind))
  }

  private func closed() -> Trace {
    let closing = Event(at: Instant(microseconds: time), .closed(Closing(events: events.count)))
    return Trace(name: "bench", events: events + [closing])
  }
}
