import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension LineReader {
  /// Reads the whole line as an event.
  mutating func event() throws(LineError) -> Event {
    try beginObject()
    let start = offset
    var at: Int64?
    var call: Int?
    var step: Event.Step?
    var inside: JSONObject = [:]
    var mark: String?
    var launch: Int?
    var isClosed: Bool?
    var others: JSONObject = [:]
    while try nextKey() {
      if self.at("at") {
        set(&at, "at", try integer(0...Int64.max, "microseconds that are not negative"))
      } else if self.at("call") {
        set(&call, "call", try number("a call's number, from 1"))
      } else if let read = try self.step(unknown: &inside) {
        if step != nil { throw LineError("a line has one step of a call", at: offset) }
        step = read
      } else if self.at("mark") {
        set(&mark, "mark", try string())
      } else if self.at("launch") {
        set(&launch, "launch", try number("a launch's number, from 1"))
      } else if self.at("closed") {
        set(&isClosed, "closed", try bool())
      } else {
        try keep(in: &others)
      }
    }
    try finish()
    let time = Instant(microseconds: try required(at, "at", at: start))
    if let call, let step, mark == nil, launch == nil, isClosed == nil, others.isEmpty {
      return Event(at: time, .call(call, step), unknownInside: inside)
    }
    let kind: Event.Kind
    switch (call, step, mark, launch, isClosed) {
    case (let call?, let step?, nil, nil, nil):
      kind = .call(call, try from(&others, completing: step, at: start))
    case (nil, nil, let name?, nil, nil): kind = .mark(Mark(name, try object("fields", &others, at: start)))
    case (nil, nil, nil, let number?, nil): kind = .launch(number)
    case (nil, nil, nil, nil, true?): kind = .closed(try closing(&others, at: start))
    case (nil, .some, nil, nil, nil): throw LineError("the member \"call\" is missing", at: start)
    case (.some, nil, nil, nil, nil):
      throw LineError(
        "a call's line needs one of request, connection, sent, informational, response, chunk, end, error",
        at: start)
    default: throw LineError("expected one of \"launch\", \"mark\", \"call\" and \"closed\":true", at: start)
    }
    return Event(at: time, kind, unknown: others, unknownInside: inside)
  }

  /// Reads the step whose key was just read; nil, and nothing read, when the key is no step's.
  private mutating func step(unknown: inout JSONObject) throws(LineError) -> Event.Step? {
    if at("request") { return .request(try request(&unknown)) }
    if at("connection") { return try sharedConnection(&unknown) }
    if at("sent") { return try sent(&unknown) }
    if at("informational") { return .informational(try head(&unknown)) }
    if at("response") { return .response(try head(&unknown)) }
    if at("chunk") { return try chunk(&unknown) }
    if at("end") { return .end(try end(&unknown)) }
    if at("error") { return try error(&unknown) }
    return nil
  }

  private mutating func request(_ unknown: inout JSONObject) throws(LineError) -> Request {
    var method: String?
    var location: Location?
    var fields: Fields?
    var content: Body?
    try beginObject()
    let start = offset
    while try nextKey() {
      if at("method") {
        set(&method, "method", try string())
      } else if at("url") {
        set(&location, "url", try self.location())
      } else if at("headers") {
        set(&fields, "headers", try self.fields())
      } else if at("body") {
        set(&content, "body", try body())
      } else {
        try keep(in: &unknown)
      }
    }
    let body = content ?? []
    return Request(
      method: try required(method, "method", at: start), location: try required(location, "url", at: start),
      fields: fields ?? [:], body: detachesRequests ? body.detached : body)
  }

  /// The same for equal connections, which nearly every call of a recording has.
  private mutating func sharedConnection(_ unknown: inout JSONObject) throws(LineError) -> Event.Step {
    guard let value = try? skim() else { return .connection(try connection(&unknown)) }
    let hash = bytes.span.hash(of: value.range)
    if let step = connections.value(at: value.range, hash: hash, in: bytes.span) { return step }
    json.goBack(to: value)
    let step = Event.Step.connection(try connection(&unknown))
    if unknown.isEmpty, remarks.isEmpty { connections.add(step, at: value.range, hash: hash) }
    return step
  }

  private mutating func connection(_ unknown: inout JSONObject) throws(LineError) -> Connection {
    var id: Int?
    var address: String?
    var isReused: Bool?
    var dns: Duration?
    var connect: Duration?
    var tls: Duration?
    var version: HTTPVersion?
    try beginObject()
    let start = offset
    while try nextKey() {
      if at("id") {
        set(&id, "id", try number("a connection's number, from 1"))
      } else if at("address") {
        set(&address, "address", try string())
      } else if at("reused") {
        set(&isReused, "reused", try bool())
      } else if at("dns") {
        set(&dns, "dns", try duration())
      } else if at("connect") {
        set(&connect, "connect", try duration())
      } else if at("tls") {
        set(&tls, "tls", try duration())
      } else if at("http") {
        set(&version, "http", try self.version())
      } else {
        try keep(in: &unknown)
      }
    }
    return Connection(
      id: try required(id, "id", at: start), address: address ?? "", isReused: isReused ?? false, dns: dns,
      connect: connect, tls: tls, version: version ?? .http11)
  }

  private mutating func sent(_ unknown: inout JSONObject) throws(LineError) -> Event.Step {
    try beginObject()
    while try nextKey() { try keep(in: &unknown) }
    return .sent
  }

  private mutating func head(_ unknown: inout JSONObject) throws(LineError) -> ResponseHead {
    var status: Int?
    var fields: Fields?
    var version: HTTPVersion?
    try beginObject()
    let start = offset
    while try nextKey() {
      if at("status") {
        set(&status, "status", Int(try integer(100...999, "a status of three digits")))
      } else if at("headers") {
        set(&fields, "headers", try self.fields())
      } else if at("http") {
        set(&version, "http", try self.version())
      } else {
        try keep(in: &unknown)
      }
    }
    return ResponseHead(
      status: try required(status, "status", at: start), fields: fields ?? [:], version: version ?? .http11)
  }

  private mutating func chunk(_ unknown: inout JSONObject) throws(LineError) -> Event.Step {
    var bytes: Int?
    try beginObject()
    let start = offset
    while try nextKey() {
      if at("bytes") { set(&bytes, "bytes", try count()) } else { try keep(in: &unknown) }
    }
    return .chunk(bytes: try required(bytes, "bytes", at: start))
  }

  private mutating func end(_ unknown: inout JSONObject) throws(LineError) -> Content {
    var content = ContentDraft()
    try beginObject()
    while try nextKey() {
      if try !member(of: &content) { try keep(in: &unknown) }
    }
    return content.content
  }

  private mutating func error(_ unknown: inout JSONObject) throws(LineError) -> Event.Step {
    var reason: TransportError.Reason?
    var phase: TransportError.Phase?
    var message: String?
    var content = ContentDraft()
    try beginObject()
    let start = offset
    while try nextKey() {
      if at("reason") {
        set(&reason, "reason", try choice(of: TransportError.Reason.allCases, "a reason"))
      } else if at("phase") {
        set(&phase, "phase", try choice(of: TransportError.Phase.allCases, "a phase"))
      } else if at("message") {
        set(&message, "message", try string())
      } else if try !member(of: &content) {
        try keep(in: &unknown)
      }
    }
    let error = TransportError(
      try required(reason, "reason", at: start), during: try required(phase, "phase", at: start), message ?? "")
    return .error(error, content.content)
  }

  /// Reads the member of a content whose key was just read; false, and nothing read, when the key is none.
  private mutating func member(of draft: inout ContentDraft) throws(LineError) -> Bool {
    if at("body") {
      set(&draft.body, "body", try body())
    } else if at("encoding") {
      set(&draft.encoding, "encoding", try string())
    } else if at("wireBytes") {
      set(&draft.wireBytes, "wireBytes", try count())
    } else if at("raw") {
      set(&draft.isRaw, "raw", try bool())
    } else if at("missing") {
      set(&draft.isMissing, "missing", try bool())
    } else if at("trailers") {
      set(&draft.trailers, "trailers", try fields())
    } else {
      return false
    }
    return true
  }

  private mutating func number(_ what: StaticString) throws(LineError) -> Int {
    Int(try integer(1...Int64(Int.max), what))
  }

  private mutating func duration() throws(LineError) -> Duration {
    .microseconds(try integer(0...Int64.max, "microseconds that are not negative"))
  }

  private mutating func version() throws(LineError) -> HTTPVersion {
    let text = try text()
    if reads(text, "1.1") { return .http11 }
    if reads(text, "2") { return .http2 }
    if reads(text, "1.0") { return .http10 }
    throw LineError("expected a version of HTTP: \"1.0\", \"1.1\", \"2\"", at: offset)
  }

  /// A request takes the line's `from`; for every other step that is a member like any unknown one.
  private func from(
    _ others: inout JSONObject, completing step: Event.Step, at start: Int
  ) throws(LineError) -> Event.Step {
    guard case .request(let request, _) = step, let origin = others["from"] else { return step }
    guard let number = origin.integer, let call = Int(exactly: number), call > 0 else {
      throw LineError("\"from\" needs a call's number", at: start)
    }
    others["from"] = nil
    return .request(request, from: call)
  }

  private func closing(_ others: inout JSONObject, at start: Int) throws(LineError) -> Closing {
    guard let events = others["events"]?.integer, let count = Int(exactly: events), count >= 0 else {
      throw LineError("the closing line needs \"events\", a number", at: start)
    }
    others["events"] = nil
    return Closing(
      events: count, redacted: try object("redacted", &others, at: start), overhead: try overhead(&others, at: start))
  }

  private func overhead(_ others: inout JSONObject, at start: Int) throws(LineError) -> Overhead? {
    guard let value = others["overhead"] else { return nil }
    let numbers = ["deliveries", "p50", "p99", "max"].compactMap { value[$0]?.integer }.filter { $0 >= 0 }
    guard numbers.count == 4, let deliveries = Int(exactly: numbers[0]) else {
      throw LineError("\"overhead\" needs the numbers deliveries, p50, p99 and max", at: start)
    }
    others["overhead"] = nil
    return Overhead(
      deliveries: deliveries, p50: .microseconds(numbers[1]), p99: .microseconds(numbers[2]),
      max: .microseconds(numbers[3]))
  }

  /// Takes the object `key` out of `others`; empty when it is not there.
  private func object(_ key: String, _ others: inout JSONObject, at start: Int) throws(LineError) -> JSONObject {
    guard let value = others[key] else { return [:] }
    guard let object = value.object else { throw LineError("\"\(key)\" needs an object", at: start) }
    others[key] = nil
    return object
  }
}

/// The members of a content as far as they were read.
private struct ContentDraft {
  var body: Body?
  var encoding: String?
  var wireBytes: Int?
  var isRaw: Bool?
  var isMissing: Bool?
  var trailers: Fields?

  var content: Content {
    Content(
      body ?? [], trailers: trailers ?? [:], encoding: encoding, wireBytes: wireBytes, isRaw: isRaw ?? false,
      isMissing: isMissing ?? false)
  }
}
