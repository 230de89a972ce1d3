import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport

/// Makes valid cassettes with everything in them that the format allows, the same for the same seed.
struct RandomCassette {
  private var random: SeededGenerator
  private var time: Int64 = 0
  private var events: [Event] = []
  private var open: [(call: Int, stage: Int, bytes: Int)] = []
  private var calls = 0
  /// Some events have a member `har` of their own.
  private(set) var hasPatches = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func cassette() -> Cassette {
    for _ in 0..<Int.random(in: 0..<60, using: &random) { step() }
    if chance(0.7) { append(.closed(Closing(events: events.count, redacted: chance(0.5) ? ["idfa": ["A"]] : [:]))) }
    var header = CassetteHeader(
      name: pick(["first-launch", "a/b", "é", ""]), recorded: pick(["2026-11-30T06:20:45.123456Z", "", "yesterday"]),
      by: pick(["launchtape 0.1.0", "", "x"]))
    header.unknown = unknown()
    return Cassette(header: header, events: events)
  }

  private mutating func step() {
    time += pick([0, 0, 1, 999, 1000, 123_456, 7_000_000])
    switch Int.random(in: 0..<10, using: &random) {
    case 0: append(.launch(Int.random(in: 1..<4, using: &random)))
    case 1: append(.mark(Mark(pick(["ATT answered", "é", ""]), chance(0.5) ? ["status": 3, "x": [1, 2]] : [:])))
    case 2...4: begin()
    default: advance()
    }
  }

  private mutating func begin() {
    calls += 1
    let location = Location(
      scheme: pick(["https", "http"]), host: pick(["a.example", "[::1]"]), port: pick([nil, 8080]),
      path: pick(["/", "/a%20b", "/é"]), query: pick([nil, "", "a=1&a=%C3%A9&b"]))
    let request = Request(
      method: pick(["GET", "POST", "patch"]), location: location, fields: fields(), body: body())
    open.append((calls, 0, 0))
    append(.call(calls, .request(request, from: chance(0.2) ? Int.random(in: 1...calls, using: &random) : nil)))
  }

  private mutating func advance() {
    guard let index = open.indices.randomElement(using: &random) else { return begin() }
    let call = open[index].call
    open[index].stage = max(open[index].stage + (chance(0.2) ? 2 : 1), 1)
    if chance(0.1) { return fail(index) }
    switch open[index].stage {
    case 1: append(.call(call, .connection(connection())))
    case 2: append(.call(call, .sent))
    case 3:
      append(.call(call, .informational(ResponseHead(status: 103, fields: fields(), version: .http2))))
      if chance(0.5) { open[index].stage = 2 }
    case 4, 5:
      open[index].stage = 5
      append(
        .call(call, .response(ResponseHead(status: pick([200, 302, 404, 599]), fields: fields(), version: version()))))
    case 6:
      let count = Int.random(in: 0..<3000, using: &random)
      open[index].bytes += count
      append(.call(call, .chunk(bytes: count)))
      if chance(0.6) { open[index].stage = 5 }
    default:
      append(.call(call, .end(content())))
      open.remove(at: index)
    }
  }

  private mutating func fail(_ index: Int) {
    let call = open.remove(at: index).call
    let reason = pick(TransportError.Reason.allCases.filter { $0 != .unmatched })
    let error = TransportError(
      reason, during: pick(TransportError.Phase.allCases), pick(["", "no route", "net::ERR_X"]))
    append(.call(call, .error(error, content())))
  }

  private mutating func connection() -> Connection {
    let time: Duration? = .microseconds(Int.random(in: 0..<90_000, using: &random))
    return Connection(
      id: Int.random(in: 1..<5, using: &random), address: pick(["", "127.0.0.1:9001", "[::1]:443", "odd"]),
      isReused: chance(0.4), dns: pick([nil, time]), connect: pick([nil, time]), tls: pick([nil, time]),
      version: version())
  }

  private mutating func content() -> Content {
    var content = Content(
      Body(body()), trailers: chance(0.2) ? fields() : [:], encoding: pick([nil, nil, "gzip", "br"]),
      wireBytes: pick([nil, 0, 412]), isRaw: chance(0.2))
    if chance(0.1) { content = Content(isMissing: true) }
    return content
  }

  private mutating func fields() -> Fields {
    let all = [
      Field("Content-Type", "application/json"), Field("set-cookie", "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT, b=2"),
      Field("Set-Cookie", "c=3; Path=/; HttpOnly; Secure"), Field("Content-Encoding", "gzip"),
      Field("Cookie", "a=1; b"),
      Field(":status", "200"), Field("X", ""), Field("X", "é\ny"), Field("Location", "/next"), Field("", "v"),
      Field("Content-Length", "0"),
    ]
    return Fields((0..<Int.random(in: 0..<5, using: &random)).map { _ in pick(all) })
  }

  private mutating func body() -> [UInt8] {
    pick([
      [], Array(#"{"a":1.0}"#.utf8), Array(#"{ "a" : 1 }"#.utf8), Array("a=1&b=2".utf8), [0xFF, 0x00, 0xFE],
      Array("[\"eA==\"]".utf8), Array("\u{FEFF}ü\r\n\u{0}".utf8),
    ])
  }

  private mutating func version() -> HTTPVersion { pick([.http10, .http11, .http2]) }

  private mutating func unknown() -> JSONObject {
    guard chance(0.15) else { return [:] }
    var members: JSONObject = [:]
    for _ in 0..<Int.random(in: 1..<4, using: &random) {
      members.members.append(
        pick([
          .init("x", 1), .init("-", ["a"]), .init("=", .number("1.50")), .init("~", [:]), .init("x", ["y": nil]),
          .init("har", ["_priority": "High", "request": ["comment": "c", "-": ["cookies"]]]), .init("har", nil),
          .init("har", [:]), .init("har", ["time": 0, "#": [2, 1]]), .init("har", ["log": ["pages": []]]),
          .init("_launchtape", ["call": 1]), .init("index", 3),
        ]))
    }
    if members["har"] != nil { hasPatches = true }
    return members
  }

  private mutating func append(_ kind: Event.Kind) {
    var event = Event(at: Instant(microseconds: time), kind, unknown: unknown())
    if case .call = kind { event.unknownInside = unknown() }
    events.append(event)
  }

  private mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
}
