import LaunchCassette
import LaunchHTTP
import LaunchTrace
import Synchronization

func event(_ microseconds: Int64, _ kind: Event.Kind) -> Event {
  Event(at: Instant(microseconds: microseconds), kind)
}

func call(_ microseconds: Int64, _ number: Int, _ step: Event.Step) -> Event {
  event(microseconds, .call(number, step))
}

func get(_ path: String, query: String? = nil, timeout: Duration? = nil) -> Request {
  Request(
    method: "GET", location: Location(scheme: "https", host: "example.com", path: path, query: query),
    timeout: timeout)
}

func post(
  _ path: String, _ body: String, host: String = "example.com", type: String? = "application/json"
) -> Request {
  var fields = Fields()
  if let type { fields.append("Content-Type", type) }
  return Request(
    method: "POST", location: Location(scheme: "https", host: host, path: path), fields: fields,
    body: Array(body.utf8))
}

/// A complete exchange: request at 0, sent 100 microseconds later, the answer 1000 after that.
func exchange(_ number: Int, _ request: Request, answering body: String, status: Int = 200) -> [Event] {
  let bytes = Array(body.utf8)
  return [
    call(0, number, .request(request)),
    call(100, number, .sent),
    call(1100, number, .response(ResponseHead(status: status))),
    call(1100, number, .chunk(bytes: bytes.count)),
    call(1100, number, .end(Content(bytes))),
  ]
}

func recording(_ exchanges: [Event]...) -> Trace {
  Trace(name: "test", events: [event(0, .launch(1))] + exchanges.joined())
}

/// The lines of a trace as its cassette has them, without the header.
func lines(_ trace: Trace) -> [String] {
  let cassette = Cassette(header: CassetteHeader(name: trace.name), events: trace.events)
  return String(decoding: cassette.serialized, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
}

extension Transport {
  func text(_ request: Request) async throws(TransportError) -> String {
    String(decoding: try await response(to: request).body, as: UTF8.self)
  }
}

/// Writes down what happens to it, in order.
final class Diary: EventSink, TransportSink {
  private let list = Mutex<[String]>([])

  var entries: [String] { list.withLock { $0 } }

  func append(_ event: Event) {
    if case .call(_, let step) = event.kind { write("event \(step.name)") }
  }

  func commit() { write("commit") }

  func receive(_ delivery: Delivery) {
    switch delivery {
    case .connection: write("client connection")
    case .sent: write("client sent")
    case .informational: write("client informational")
    case .head: write("client response")
    case .chunk(let chunk): write("client chunk \(chunk.content.count)")
    case .end: write("client end")
    case .failed(let error): write("client error \(error.reason)")
    }
  }

  private func write(_ entry: String) { list.withLock { $0.append(entry) } }
}
