import LaunchHTTP
package import LaunchJSON
package import LaunchTrace

extension Event {
  /// Appends the event's line: keys in the fixed order of the format, unknown members last, then a newline.
  package func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.plainKey("at")
    writer.integer(at.microseconds)
    switch kind {
    case .launch(let number):
      writer.plainKey("launch")
      writer.integer(number)
    case .mark(let mark): writer.mark(mark)
    case .call(let call, let step): writer.call(call, step, unknownInside)
    case .closed(let closing): writer.closing(closing)
    }
    writer.members(unknown)
    writer.endObject()
    writer.newline()
  }
}

extension JSONWriter {
  mutating func members(_ object: JSONObject) {
    for member in object.members {
      key(member.key)
      value(member.value)
    }
  }

  fileprivate mutating func mark(_ mark: Mark) {
    plainKey("mark")
    string(mark.name)
    if !mark.fields.isEmpty {
      plainKey("fields")
      value(.object(mark.fields))
    }
  }

  fileprivate mutating func closing(_ closing: Closing) {
    plainKey("closed")
    bool(true)
    plainKey("events")
    integer(closing.events)
    if let overhead = closing.overhead {
      plainKey("overhead")
      beginObject()
      plainKey("deliveries")
      integer(overhead.deliveries)
      for (name, delay) in [("p50", overhead.p50), ("p99", overhead.p99), ("max", overhead.max)] {
        key(name)
        integer(delay.wholeMicroseconds)
      }
      endObject()
    }
    if !closing.redacted.isEmpty {
      plainKey("redacted")
      value(.object(closing.redacted))
    }
  }

  fileprivate mutating func call(_ call: Int, _ step: Event.Step, _ unknown: JSONObject) {
    plainKey("call")
    integer(call)
    if case .request(_, let origin?) = step {
      plainKey("from")
      integer(origin)
    }
    plainKey(step.key)
    beginObject()
    switch step {
    case .request(let request, _): self.request(request)
    case .connection(let connection): self.connection(connection)
    case .sent: break
    case .informational(let head), .response(let head): self.head(head)
    case .chunk(let count):
      plainKey("bytes")
      integer(count)
    case .end(let content): self.content(content)
    case .error(let error, let content):
      self.error(error)
      self.content(content)
    }
    members(unknown)
    endObject()
  }

  private mutating func request(_ request: Request) {
    plainKey("method")
    string(request.method)
    plainKey("url")
    string(request.location.description)
    headers("headers", request.fields)
    body(request.body.bytes)
  }

  private mutating func connection(_ connection: Connection) {
    plainKey("id")
    integer(connection.id)
    plainKey("address")
    string(connection.address)
    flag("reused", connection.isReused)
    for (name, time) in [("dns", connection.dns), ("connect", connection.connect), ("tls", connection.tls)] {
      guard let time else { continue }
      key(name)
      integer(time.wholeMicroseconds)
    }
    plainKey("http")
    string(connection.version.rawValue)
  }

  private mutating func head(_ head: ResponseHead) {
    plainKey("status")
    integer(head.status)
    headers("headers", head.fields)
    plainKey("http")
    string(head.version.rawValue)
  }

  private mutating func error(_ error: TransportError) {
    plainKey("reason")
    string(error.reason.rawValue)
    plainKey("phase")
    string(error.phase.rawValue)
    if !error.message.isEmpty {
      plainKey("message")
      string(error.message)
    }
  }

  private mutating func content(_ content: Content) {
    body(content.body.bytes)
    if let encoding = content.encoding {
      plainKey("encoding")
      string(encoding)
    }
    if let count = content.wireBytes {
      plainKey("wireBytes")
      integer(count)
    }
    flag("raw", content.isRaw)
    flag("missing", content.isMissing)
    if !content.trailers.isEmpty { headers("trailers", content.trailers) }
  }

  private mutating func headers(_ name: StaticString, _ fields: Fields) {
    plainKey(name)
    beginArray()
    for field in fields {
      beginArray()
      string(field.name)
      string(field.value)
      endArray()
    }
    endArray()
  }

  /// A member that only stands where it is true.
  private mutating func flag(_ name: StaticString, _ isTrue: Bool) {
    guard isTrue else { return }
    plainKey(name)
    bool(true)
  }
}

extension Event.Step {
  /// The key of the step in a cassette's line.
  package var name: String { "\(key)" }

  fileprivate var key: StaticString {
    switch self {
    case .request: "request"
    case .connection: "connection"
    case .sent: "sent"
    case .informational: "informational"
    case .response: "response"
    case .chunk: "chunk"
    case .end: "end"
    case .error: "error"
    }
  }
}
