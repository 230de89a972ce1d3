import LaunchHTTP
package import LaunchJSON
package import LaunchTrace

extension Event {
  /// Appends the event's line: keys in the fixed order of the format, unknown members last, then a newline.
  package func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("at")
    writer.integer(at.microseconds)
    switch kind {
    case .launch(let number):
      writer.key("launch")
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
    key("mark")
    string(mark.name)
    if !mark.fields.isEmpty {
      key("fields")
      value(.object(mark.fields))
    }
  }

  fileprivate mutating func closing(_ closing: Closing) {
    key("closed")
    bool(true)
    key("events")
    integer(closing.events)
    if let overhead = closing.overhead {
      key("overhead")
      beginObject()
      key("deliveries")
      integer(overhead.deliveries)
      for (name, delay) in [("p50", overhead.p50), ("p99", overhead.p99), ("max", overhead.max)] {
        key(name)
        integer(delay.wholeMicroseconds)
      }
      endObject()
    }
    if !closing.redacted.isEmpty {
      key("redacted")
      value(.object(closing.redacted))
    }
  }

  fileprivate mutating func call(_ call: Int, _ step: Event.Step, _ unknown: JSONObject) {
    key("call")
    integer(call)
    if case .request(_, let origin?) = step {
      key("from")
      integer(origin)
    }
    key(step.name)
    beginObject()
    switch step {
    case .request(let request, _): self.request(request)
    case .connection(let connection): self.connection(connection)
    case .sent: break
    case .informational(let head), .response(let head): self.head(head)
    case .chunk(let count):
      key("bytes")
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
    key("method")
    string(request.method)
    key("url")
    string(request.location.description)
    headers("headers", request.fields)
    body(request.body.bytes)
  }

  private mutating func connection(_ connection: Connection) {
    key("id")
    integer(connection.id)
    key("address")
    string(connection.address)
    flag("reused", connection.isReused)
    for (name, time) in [("dns", connection.dns), ("connect", connection.connect), ("tls", connection.tls)] {
      guard let time else { continue }
      key(name)
      integer(time.wholeMicroseconds)
    }
    key("http")
    string(connection.version.rawValue)
  }

  private mutating func head(_ head: ResponseHead) {
    key("status")
    integer(head.status)
    headers("headers", head.fields)
    key("http")
    string(head.version.rawValue)
  }

  private mutating func error(_ error: TransportError) {
    key("reason")
    string(error.reason.rawValue)
    key("phase")
    string(error.phase.rawValue)
    if !error.message.isEmpty {
      key("message")
      string(error.message)
    }
  }

  private mutating func content(_ content: Content) {
    body(content.body.bytes)
    if let encoding = content.encoding {
      key("encoding")
      string(encoding)
    }
    if let count = content.wireBytes {
      key("wireBytes")
      integer(count)
    }
    flag("raw", content.isRaw)
    flag("missing", content.isMissing)
    if !content.trailers.isEmpty { headers("trailers", content.trailers) }
  }

  private mutating func headers(_ name: String, _ fields: Fields) {
    key(name)
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
  private mutating func flag(_ name: String, _ isTrue: Bool) {
    guard isTrue else { return }
    key(name)
    bool(true)
  }
}

extension Event.Step {
  /// The key of the step in a cassette's line.
  package var name: String {
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
