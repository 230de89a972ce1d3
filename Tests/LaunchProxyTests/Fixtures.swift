import LaunchHTTP
import LaunchTrace

/// A recording made in memory: each call begins when the one before it has ended.
struct Recording {
  private(set) var trace = Trace(name: "recorded", events: [Event(at: .zero, .launch(1))])
  private var calls = 0

  /// Adds a call with these steps, each so many milliseconds after its request.
  mutating func call(_ method: String, _ url: String, body: String = "", _ steps: [(Int, Event.Step)]) throws {
    calls += 1
    let start = trace.end
    let request = Request(method: method, location: try Location(parsing: url), body: Array(body.utf8))
    for (offset, step) in [(0, .request(request, from: nil)), (0, .sent)] + steps {
      trace.events.append(Event(at: start + .milliseconds(offset), .call(calls, step)))
    }
  }

  /// Adds a call that is answered at once.
  mutating func call(
    _ method: String, _ url: String, body: String = "", status: Int = 200, fields: Fields = [:], answer: String = ""
  ) throws {
    let head = ResponseHead(status: status, fields: fields)
    let content = Content(Array(answer.utf8))
    try call(
      method, url, body: body,
      [(0, .response(head)), (0, .chunk(bytes: content.body.count)), (0, .end(content))])
  }
}

func request(_ method: String, _ url: String, fields: Fields = [:], body: String = "") throws -> Request {
  Request(method: method, location: try Location(parsing: url), fields: fields, body: Array(body.utf8))
}

extension Answer {
  var head: ResponseHead? {
    for timed in parts { if case .head(let head) = timed.part { return head } }
    return nil
  }

  var text: String { String(decoding: chunks.flatMap(\.content), as: UTF8.self) }

  /// The content in the form that goes on the wire.
  var wire: String { String(decoding: chunks.flatMap(\.wire), as: UTF8.self) }

  private var chunks: [Chunk] {
    parts.compactMap { timed in if case .chunk(let chunk) = timed.part { chunk } else { nil } }
  }
}
