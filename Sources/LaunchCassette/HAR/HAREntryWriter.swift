import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Writes the events of one call as an entry of HAR 1.2, with nothing in it that the format does not name but `_error`
/// and `_encoding`.
struct HAREntryWriter {
  private let request: Request
  private let start: Int64
  private let started: Instant
  private var connection: (Connection, at: Instant)?
  private var sent: Instant?
  private var response: (head: ResponseHead, at: Instant)?
  private var content: Content?
  private var error: TransportError?
  private var chunkBytes = 0
  private var end: Instant

  /// - Parameters:
  ///   - events: The call's, the request first; nil is returned when it is not.
  ///   - epoch: The beginning of the trace, in microseconds since the start of 1970.
  init?(_ events: some Collection<Event>, epoch: Int64) {
    guard let first = events.first, case .call(_, .request(let request, _)) = first.kind else { return nil }
    self.request = request
    started = first.at
    start = first.at.microseconds.addingWithinBounds(epoch)
    end = first.at
    for event in events.dropFirst() {
      guard case .call(_, let step) = event.kind else { continue }
      end = event.at
      switch step {
      case .request, .informational: break
      case .connection(let connection): self.connection = (connection, event.at)
      case .sent: sent = event.at
      case .response(let head): response = (head, event.at)
      case .chunk(let bytes): chunkBytes = chunkBytes.addingReportingOverflow(bytes).partialValue
      case .end(let content): self.content = content
      case .error(let error, let content): (self.error, self.content) = (error, content)
      }
    }
  }

  var entry: JSON { entry(contentInBase64: false) }

  /// The entry with everything that `patch`, made by `patch(to:)`, says beyond the call.
  func entry(patchedBy patch: JSON?) -> JSON {
    guard let patch else { return entry }
    return JSONPatch.apply(patch, to: entry(contentInBase64: patch[Self.formKey] == Self.base64))
  }

  /// What `other` says beyond the entry of this call; nil when nothing.
  ///
  /// Some exporters write text as base64. Then `#` says so, and the content need not stand in the patch as well.
  func patch(to other: JSON) -> JSON? {
    guard isInBase64(other["response"]?["content"]) else { return JSONPatch.patch(from: entry, to: other) }
    let patch = JSONPatch.patch(from: entry(contentInBase64: true), to: other)
    guard let members = (patch ?? [:]).object?.members else { return patch }
    return .object(JSONObject([JSONObject.Member(Self.formKey, Self.base64)] + members))
  }

  private static let formKey = "#"
  private static let base64: JSON = "base64"

  /// Whether a content has this call's body as base64, though it is text.
  private func isInBase64(_ other: JSON?) -> Bool {
    guard other?["encoding"] == "base64", let text = other?["text"]?.string, let content, !content.isMissing else {
      return false
    }
    return Base64.decode(text.utf8) == content.body.bytes
      && String(validating: content.body.slice, as: UTF8.self) != nil
  }

  /// Members in the order of the format's own examples; those that do not apply are left out where it allows it.
  private func entry(contentInBase64: Bool) -> JSON {
    let timings = timings
    var entry: JSONObject = [
      "startedDateTime": .string(HARDate.text(microsecondsSince1970: start)),
      "time": JSON(harMicroseconds: timings.total),
      "request": .object(requestObject),
      "response": .object(responseObject(contentInBase64)),
      "cache": [:],
      "timings": .object(timings.object),
    ]
    if let connection = connection?.0 {
      let address = serverAddress(connection.address)
      if !address.isEmpty { entry["serverIPAddress"] = .string(address) }
      entry["connection"] = .string(String(connection.id))
    }
    return .object(entry)
  }

  private var timings: HARTimings {
    var timings = HARTimings(send: 0, wait: 0, receive: 0)
    var time = started
    if let (connection, at) = connection {
      timings.dns = connection.dns?.wholeMicroseconds
      timings.connect = connection.connect?.wholeMicroseconds
      timings.ssl = connection.tls?.wholeMicroseconds
      let blocked = at.microseconds(since: time).addingWithinBounds(-timings.untilConnected)
      timings.blocked = blocked > 0 ? blocked : nil
      time = at
    }
    if let sent {
      timings.send = sent.microseconds(since: time)
      time = sent
    }
    timings.wait = (response?.at ?? end).microseconds(since: time)
    if let response { timings.receive = end.microseconds(since: response.at) }
    return timings
  }

  private var requestObject: JSONObject {
    let fields = request.fields
    var object: JSONObject = [
      "method": .string(request.method),
      "url": .string(request.location.description),
      "httpVersion": .string((response?.head.version ?? connection?.0.version ?? .http11).harText),
      "cookies": .array(HARCookie.sent(fields).map(\.json)),
      "headers": headers(fields),
      "queryString": .array(
        request.location.queryItems.map { ["name": .string($0.name), "value": .string($0.value)] }),
    ]
    if !request.body.isEmpty {
      let type = fields["Content-Type"] ?? "application/octet-stream"
      var data: JSONObject = ["mimeType": .string(type)]
      data.setText(request.body.bytes, encodingKey: "_encoding")
      object["postData"] = .object(data)
    }
    object["headersSize"] = -1
    object["bodySize"] = .integer(Int64(request.body.count))
    return object
  }

  private func responseObject(_ contentInBase64: Bool) -> JSONObject {
    let head = response?.head
    let fields = head?.fields ?? [:]
    var object: JSONObject = [
      "status": .integer(Int64(head?.status ?? 0)),
      "statusText": .string(head.map { $0.version == .http2 ? "" : $0.reasonPhrase } ?? ""),
      "httpVersion": .string(head?.version.harText ?? ""),
      "cookies": .array(HARCookie.set(fields).map(\.json)),
      "headers": headers(fields),
      "content": .object(contentObject(fields, inBase64: contentInBase64)),
      "redirectURL": .string(head.map { (300..<400).contains($0.status) ? fields["Location"] ?? "" : "" } ?? ""),
      "headersSize": -1,
      "bodySize": .integer(Int64(wireBytes ?? -1)),
    ]
    if let error { object["_error"] = .string(error.message.isEmpty ? error.description : error.message) }
    return object
  }

  private func contentObject(_ fields: Fields, inBase64: Bool) -> JSONObject {
    let content = content ?? Content()
    let size = content.isMissing ? max(0, chunkBytes) : content.body.count
    var object: JSONObject = ["size": .integer(Int64(size))]
    if !content.isMissing, let wire = content.wireBytes {
      let (saved, overflow) = size.subtractingReportingOverflow(wire)
      if !overflow { object["compression"] = .integer(Int64(saved)) }
    }
    object["mimeType"] = .string(fields["Content-Type"] ?? "x-unknown")
    if content.isMissing {
      object["comment"] = "the content was not recorded"
    } else if !content.body.isEmpty {
      object.setText(content.body.bytes, encodingKey: "encoding", inBase64: inBase64)
    }
    return object
  }

  /// How many content bytes the wire carried; nil when nobody knows.
  private var wireBytes: Int? {
    guard response != nil, let content else { return nil }
    return content.wireBytes ?? (content.isMissing ? nil : content.body.count)
  }

  private func headers(_ fields: Fields) -> JSON {
    .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  /// The address without its port and the brackets of IPv6.
  private func serverAddress(_ address: String) -> String {
    guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")),
      address.utf8[address.utf8.index(after: colon)...].allSatisfy(\.isDigit)
    else { return address }
    let host = address[..<colon]
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
  }
}

extension HARTimings {
  /// As the format has it: TLS is part of `connect`, and -1 stands for what does not apply.
  fileprivate var object: JSONObject {
    func phase(_ time: Int64?) -> JSON { time.map { JSON(harMicroseconds: $0) } ?? -1 }
    let isConnected = connect != nil || ssl != nil
    return [
      "blocked": phase(blocked), "dns": phase(dns),
      "connect": phase(isConnected ? (connect ?? 0).addingWithinBounds(ssl ?? 0) : nil), "send": phase(send),
      "wait": phase(wait), "receive": phase(receive), "ssl": phase(ssl),
    ]
  }
}

extension JSONObject {
  /// Sets `text` to what these bytes are as UTF-8, else to their base64 and names that under a key of its own.
  fileprivate mutating func setText(_ bytes: [UInt8], encodingKey: String, inBase64: Bool = false) {
    if !inBase64, let text = String(validating: bytes, as: UTF8.self) {
      self["text"] = .string(text)
    } else {
      self["text"] = .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
      self[encodingKey] = "base64"
    }
  }
}

extension Instant {
  /// At least zero: a phase cannot take less.
  fileprivate func microseconds(since other: Instant) -> Int64 {
    max(0, microseconds.addingWithinBounds(-max(other.microseconds, -.max)))
  }
}

extension Int64 {
  /// The sum, or the nearest representable number.
  func addingWithinBounds(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

extension HTTPVersion {
  fileprivate var harText: String { "HTTP/\(rawValue)" }
}
