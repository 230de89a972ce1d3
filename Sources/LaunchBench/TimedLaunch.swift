import LaunchCassette
import LaunchHTTP
import LaunchTrace

/// A launch whose exchanges have every kind of timing that launches have.
enum TimedLaunch {
  /// The calls of each connection, in the order in which they are asked for.
  static let connections = [[1, 2, 4, 5, 6], [3, 7, 8, 9], [10, 11, 12]]

  static func make() -> Cassette {
    let exchanges = [
      exchange("POST", "/session", after: 40, 200, json(300)),
      exchange("GET", "/config", after: 65, 200, json(2_000)),
      stream(),
      exchange("GET", "/slow", after: 2_000, 200, json(1_000)),
      exchange("GET", "/old", after: 30, 302, [], ["Location": "https://api.example.com/new"]),
      exchange("GET", "/new", after: 45, 200, json(700)),
      exchange("POST", "/events", after: 25, 204, []),
      exchange("GET", "/flaky", after: 80, 500, json(300)),
      exchange("GET", "/flaky", after: 60, 200, json(5_000)),
      exchange("GET", "/catalog", after: 120, 200, json(20_000), ["Content-Encoding": "gzip"], encoding: "gzip"),
      exchange("GET", "/image", after: 90, 200, [UInt8](repeating: 0xFF, count: 20_000)),
      exchange("GET", "/flags", after: 35, 200, json(400)),
    ]
    var events = [Event(at: .zero, .launch(1))]
    for (place, steps) in exchanges.enumerated() {
      for (offset, step) in steps {
        let at = Int64(place * 3_000_000 + offset * 1000)
        events.append(Event(at: Instant(microseconds: at), .call(place + 1, step)))
      }
    }
    events.append(Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count))))
    return Cassette(header: CassetteHeader(name: "lateness", by: "LaunchBench"), events: events)
  }

  private typealias Steps = [(milliseconds: Int, step: Event.Step)]

  private static func request(_ method: String, _ path: String) -> Event.Step {
    let location = Location(scheme: "https", host: "api.example.com", path: path)
    return .request(Request(method: method, location: location, body: method == "POST" ? Array("{}".utf8) : []))
  }

  /// One that answers in one go, so many milliseconds after the request.
  private static func exchange(
    _ method: String, _ path: String, after delay: Int, _ status: Int, _ body: [UInt8], _ fields: Fields = [:],
    encoding: String? = nil
  ) -> Steps {
    let head = ResponseHead(status: status, fields: fields)
    let content = Content(body, encoding: encoding, wireBytes: encoding == nil ? nil : body.count / 4)
    let chunk: Steps = body.isEmpty ? [] : [(delay, .chunk(bytes: body.count))]
    return [(0, request(method, path)), (0, .sent), (delay, .response(head))] + chunk + [(delay, .end(content))]
  }

  /// Eight chunks, 40 ms apart.
  private static func stream() -> Steps {
    let fields: Fields = ["Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"]
    let chunks: Steps = (1...8).map { (50 + 40 * $0, .chunk(bytes: 500)) }
    let end = Event.Step.end(Content([UInt8](repeating: 0x2E, count: 4000)))
    return [
      (0, request("GET", "/stream")), (0, .sent), (50, .response(ResponseHead(status: 200, fields: fields))),
    ] + chunks + [(50 + 320, end)]
  }

  private static func json(_ count: Int) -> [UInt8] {
    let text = (0...count / 12).map { #"{"n":\#($0),"v":\#($0 * 7919 % 1000)}"# }.joined(separator: ",")
    return Array("[\(text)".utf8.prefix(count - 1)) + [UInt8(ascii: "]")]
  }
}
