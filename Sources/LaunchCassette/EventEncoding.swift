package import LaunchFile
import LaunchHTTP
package import LaunchJSON
package import LaunchTrace

/// Writes the events of one trace, in their order, as the lines of a cassette.
///
/// ```swift
/// var encoder = EventEncoder()
/// try encoder.encode(event, into: &writer) { (name, bytes) throws(FileError) in
///   try writeFile(bytes, to: "\(path).bodies/\(name)")
/// }
/// ```
package struct EventEncoder {
  /// Keeps a large body under a name of its own, in the folder of the cassette's bodies. Called before the line that
  /// names it is written.
  package typealias BodyStore = (_ name: String, _ bytes: [UInt8]) throws(FileError) -> Void

  /// Bodies with more bytes than this go to files of their own.
  package static let bodyLimit = 1 << 20

  private let bodyLimit: Int
  /// The `Content-Type` of responses that may not be UTF-8, until their body comes.
  private var contentTypes: [Int: String] = [:]
  private var lists = FieldsMemory<FieldsWording>()

  package init(bodyLimit: Int = EventEncoder.bodyLimit) { self.bodyLimit = bodyLimit }

  /// Appends the event's line: keys in the fixed order of the format, unknown members last, then a newline. Large bodies
  /// go to `store`.
  /// - Throws: What `store` throws. Nothing was appended then.
  package mutating func encode(_ event: Event, into writer: inout JSONWriter, store: BodyStore) throws(FileError) {
    switch event.kind {
    case .call(let call, let step):
      writer.line(of: event, call, step, try wording(for: step, of: call, bodyLimit: bodyLimit, store))
    case .launch, .mark, .closed: writer.line(of: event)
    }
  }

  /// Appends the event's line with its body in it, however large.
  package mutating func encode(_ event: Event, into writer: inout JSONWriter) {
    switch event.kind {
    case .call(let call, let step):
      writer.line(of: event, call, step, wording(for: step, of: call, bodyLimit: .max) { _, _ in })
    case .launch, .mark, .closed: writer.line(of: event)
    }
  }

  /// - Parameters:
  ///   - bodyLimit: Bodies with more bytes go to `store`.
  ///   - store: Throws before anything of the event is remembered.
  private mutating func wording<Failure: Error>(
    for step: Event.Step, of call: Int, bodyLimit: Int,
    _ store: (_ name: String, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> LineWording {
    switch step {
    case .request(let request, _):
      let file = try BodyFile(of: request.body, over: bodyLimit, of: call, isRequest: true, store)
      let fields = wording(for: request.fields)
      return LineWording(contentType: fields.foreignContentType, file: file, headers: fields.json)
    case .response(let head):
      let fields = wording(for: head.fields)
      if let type = fields.foreignContentType { contentTypes[call] = type }
      return LineWording(headers: fields.json)
    case .end(let content), .error(_, let content):
      let file = try BodyFile(of: content.body, over: bodyLimit, of: call, isRequest: false, store)
      return LineWording(contentType: contentTypes.isEmpty ? nil : contentTypes.removeValue(forKey: call), file: file)
    case .connection, .sent, .informational, .chunk: return LineWording()
    }
  }

  private mutating func wording(for fields: Fields) -> FieldsWording {
    if let known = lists[fields] { return known }
    let new = FieldsWording(fields)
    lists[fields] = new
    return new
  }

}

extension BodyFile {
  /// The file of a body that is too large for the line, kept by `store`; nil for any other body.
  fileprivate init?<Failure: Error>(
    of body: Body, over limit: Int, of call: Int, isRequest: Bool,
    _ store: (_ name: String, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard body.count > limit else { return nil }
    let bytes = body.bytes
    self.init(bytes, of: call, isRequest: isRequest)
    try store(name, bytes)
  }
}

extension Event {
  /// Appends the event's line on its own: its body stands in the line, and is text only if it is UTF-8.
  package func encode(into writer: inout JSONWriter) {
    switch kind {
    case .call(let call, let step): writer.line(of: self, call, step, LineWording())
    case .launch, .mark, .closed: writer.line(of: self)
    }
  }
}

/// What the lines of a cassette say for a header list.
private struct FieldsWording {
  /// The list itself.
  var json: [UInt8]
  /// The `Content-Type` when it names a charset other than UTF-8.
  var foreignContentType: String?

  init(_ fields: Fields) {
    var writer = JSONWriter()
    writer.list(fields)
    json = writer.bytes
    foreignContentType = fields.foreignContentType
  }
}

extension Fields {
  /// The `Content-Type` when it names a charset other than UTF-8.
  fileprivate var foreignContentType: String? {
    guard let type = self["Content-Type"], type.utf8.count > "a/b;charset=".utf8.count else { return nil }
    var text = type
    let isForeign = text.withUTF8 { bytes in
      guard unsafe bytes.contains(where: { $0 == UInt8(ascii: ";") }) else { return false }
      return unsafe !bytes.suffix(5).elementsEqual("utf-8".utf8) { $0.lowercasedASCII == $1 }
    }
    return isForeign ? type : nil
  }
}

extension JSONWriter {
  /// The line of an event that belongs to no call.
  fileprivate mutating func line(of event: Event) {
    beginObject()
    number("at", event.at.microseconds)
    switch event.kind {
    case .launch(let number): self.number("launch", Int64(number))
    case .mark(let mark): self.mark(mark)
    case .call: break
    case .closed(let closing): self.closing(closing)
    }
    members(event.unknown)
    endObject()
    newline()
  }

  mutating func members(_ object: JSONObject) {
    for member in object.members {
      key(member.key)
      value(member.value)
    }
  }

  private mutating func mark(_ mark: Mark) {
    text("mark", mark.name)
    if !mark.fields.isEmpty {
      member("fields")
      value(.object(mark.fields))
    }
  }

  private mutating func closing(_ closing: Closing) {
    flag("closed", true)
    number("events", Int64(closing.events))
    if let overhead = closing.overhead {
      member("overhead")
      beginObject()
      number("deliveries", Int64(overhead.deliveries))
      time("p50", overhead.p50)
      time("p99", overhead.p99)
      time("max", overhead.max)
      endObject()
    }
    if !closing.redacted.isEmpty {
      member("redacted")
      value(.object(closing.redacted))
    }
  }

  fileprivate mutating func line(of event: Event, _ call: Int, _ step: Event.Step, _ wording: LineWording) {
    beginLine(of: event, call, step)
    switch step {
    case .request(let request, _): self.request(request, wording)
    case .connection(let connection): self.connection(connection)
    case .sent: break
    case .informational(let head), .response(let head): self.head(head, wording)
    case .chunk(let count): number("bytes", Int64(count))
    case .end(let content): self.content(content, wording)
    case .error(let error, let content):
      self.error(error)
      self.content(content, wording)
    }
    if event.isPlain { return endLine() }
    members(event.unknownInside)
    endObject()
    members(event.unknown)
    endObject()
    newline()
  }

  /// Appends `{"at":1204,"call":1,"sent":{`.
  private mutating func beginLine(of event: Event, _ call: Int, _ step: Event.Step) {
    let key = step.key
    append(room: 3 * JSONRoom.integerLimit + key.utf8CodeUnitCount + 40) { room, _ in
      room.put(#"{"at":"#)
      room.put(event.at.microseconds)
      room.put(#","call":"#)
      room.put(Int64(call))
      if case .request(_, let origin?) = step {
        room.put(#","from":"#)
        room.put(Int64(origin))
      }
      room.put(#",""#)
      room.put(key)
      room.put(#"":{"#)
    }
    needsComma = false
  }

  /// Closes the two objects of a line.
  private mutating func endLine() {
    append(room: 3) { room, _ in room.put("}}\n") }
    needsComma = false
  }

  private mutating func request(_ request: Request, _ wording: LineWording) {
    text("method", request.method)
    member("url")
    location(request.location)
    headers(request.fields, wording)
    body(request.body, wording)
  }

  /// The same as `Location.description`.
  private mutating func location(_ location: Location) {
    beginString()
    part(location.scheme)
    part(plain: "://")
    part(location.host)
    if let port = location.port {
      part(plain: ":")
      part(String(port))
    }
    part(location.path)
    if let query = location.query {
      part(plain: "?")
      part(query)
    }
    endString()
  }

  private mutating func connection(_ connection: Connection) {
    number("id", Int64(connection.id))
    text("address", connection.address)
    flag("reused", connection.isReused)
    if let dns = connection.dns { time("dns", dns) }
    if let connect = connection.connect { time("connect", connect) }
    if let tls = connection.tls { time("tls", tls) }
    member("http", plain: connection.version.text)
  }

  private mutating func head(_ head: ResponseHead, _ wording: LineWording) {
    number("status", Int64(head.status))
    headers(head.fields, wording)
    member("http", plain: head.version.text)
  }

  private mutating func error(_ error: TransportError) {
    text("reason", error.reason.rawValue)
    text("phase", error.phase.rawValue)
    if !error.message.isEmpty { text("message", error.message) }
  }

  private mutating func content(_ content: Content, _ wording: LineWording) {
    body(content.body, wording)
    if let encoding = content.encoding { text("encoding", encoding) }
    if let count = content.wireBytes { number("wireBytes", Int64(count)) }
    flag("raw", content.isRaw)
    flag("missing", content.isMissing)
    if !content.trailers.isEmpty {
      member("trailers")
      list(content.trailers)
    }
  }

  private mutating func headers(_ fields: Fields, _ wording: LineWording) {
    member("headers")
    if let json = wording.headers { raw(json) } else { list(fields) }
  }

  fileprivate mutating func list(_ fields: Fields) {
    beginArray()
    for index in fields.indices {
      let field = fields[index]
      if pair(field.name, field.value) { continue }
      beginArray()
      string(field.name)
      string(field.value)
      endArray()
    }
    endArray()
  }

  private mutating func time(_ name: StaticString, _ time: Duration) { number(name, time.wholeMicroseconds) }
}

extension JSONWriter {
  mutating func text(_ name: StaticString, _ text: String) { member(name, text) }

  mutating func number(_ name: StaticString, _ number: Int64) { member(name, number) }

  /// A member that only stands where it is true.
  fileprivate mutating func flag(_ name: StaticString, _ isTrue: Bool) {
    if isTrue { member(name, literal: "true") }
  }
}

extension HTTPVersion {
  /// The same as `rawValue`, for a writer that copies it as it is.
  fileprivate var text: StaticString {
    switch self {
    case .http10: "1.0"
    case .http11: "1.1"
    case .http2: "2"
    }
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
