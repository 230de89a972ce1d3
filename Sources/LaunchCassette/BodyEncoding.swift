import LaunchHTTP
import LaunchJSON

/// What the form of a line depends on besides its event.
struct LineWording {
  /// The `Content-Type` of its message, where it names a charset that may not be UTF-8.
  var contentType: String?
  /// Where the body stands, when it is not in the line.
  var file: BodyFile?
  /// The header list of a request or a response as JSON, when it is at hand.
  var headers: [UInt8]?
}

extension JSONWriter {
  /// The member `body`: JSON where that keeps every byte, else text, else base64. No member when there is nothing.
  mutating func body(_ body: Body, _ wording: LineWording) {
    guard !body.isEmpty else { return }
    member("body")
    beginObject()
    if let file = wording.file {
      text("file", file.name)
      number("bytes", Int64(body.count))
      text("md5", file.digest)
    } else {
      content(body.bytes, wording.contentType)
    }
    endObject()
  }

  private mutating func content(_ bytes: [UInt8], _ contentType: String?) {
    if JSON.isCompact(bytes, depthLimit: JSONReader.depthLimit - linesOwnDepth) { return json(bytes) }
    let charset = contentType.flatMap { Charset(contentType: $0, body: bytes) }
    if JSON.isUTF8(bytes), charset?.isWide != true || !bytes.contains(0) {
      member("text")
      beginString()
      part(utf8: bytes)
      endString()
    } else if let charset, let text = charset.decode(bytes), charset.encode(text) == bytes {
      self.text("text", text)
      self.text("charset", charset.rawValue)
    } else {
      member("base64")
      beginString()
      part { Base64.encode(bytes, into: &$0) }
      endString()
    }
  }
}

extension JSONWriter {
  /// A member that is JSON already.
  fileprivate mutating func json(_ value: [UInt8]) {
    append(room: value.count + 8) { room, needsComma in
      room.put(key: "json", needsComma)
      room.put(value.span)
    }
    needsComma = true
  }
}

/// How deep a body's value stands in its line: `{"request":{"body":{"json":…}}}`.
private let linesOwnDepth = 3
