import LaunchHTTP

/// An answer whose parts stand in the order a response has, with exactly one end or fault as the last.
struct AnswerOutline {
  private(set) var parts: ArraySlice<Answer.TimedPart>
  private(set) var head: ResponseHead?
  private(set) var contentBytes = 0
  private(set) var trailers: Fields?
  /// Whether all content and the end come at one moment, so that the whole is known when its first byte is written.
  private(set) var isWhole = true

  /// Parts behind the first end or fault are left out; without either, the response is cut off there. An answer that a
  /// replay does not have becomes a 502 that says so.
  init(_ answer: Answer) throws(AnswerError) {
    parts = answer.parts[...]
    var moment: Duration?
    for (index, timed) in answer.parts.enumerated() {
      switch timed.part {
      case .informational(let head):
        guard self.head == nil, (100..<200).contains(head.status) else { throw .disordered }
      case .head(let head):
        guard self.head == nil, head.status >= 200 else { throw .disordered }
        self.head = head
      case .chunk(let chunk):
        guard head != nil else { throw .disordered }
        isWhole = isWhole && timed.offset == moment ?? timed.offset
        moment = timed.offset
        contentBytes += chunk.wire.count
      case .end(let ending):
        guard head != nil else { throw .disordered }
        isWhole = isWhole && timed.offset == moment ?? timed.offset
        trailers = ending.trailers
        parts = answer.parts[...index]
        return
      case .fault(.error(let error)) where error.reason == .unmatched && head == nil:
        let refusal = Answer(
          head: ResponseHead(status: 502, fields: ["Content-Type": "text/plain; charset=utf-8"]),
          body: Array("\(error)\n".utf8), after: timed.offset)
        self = try AnswerOutline(Answer(parts: answer.parts[..<index] + refusal.parts))
        return
      case .fault:
        parts = answer.parts[...index]
        return
      }
    }
    parts.append(Answer.TimedPart(at: answer.parts.last?.offset ?? .zero, .fault(.truncate)))
  }

  /// Whether the response ends as it should.
  var isComplete: Bool { trailers != nil }
}

/// How the content of one answer is delimited for one request (RFC 9112 section 6).
struct AnswerFraming {
  private enum Coding { case none, length, chunked, close }

  private let coding: Coding
  /// The header as written: the answer's own, with the framing and connection lines of this connection.
  let fields: Fields
  let keepsAlive: Bool

  init(_ outline: AnswerOutline, to request: RequestHead) {
    let head = outline.head ?? ResponseHead(status: 200)
    var fields = head.fields
    // An answer that was chunked stays chunked, also when all of it comes at one moment.
    let wasChunked = fields["Transfer-Encoding"].map { $0.lowercasedASCII.contains("chunked") } ?? false
    for name in ["Transfer-Encoding", "Connection", "Keep-Alive"] where fields[name] != nil { fields[name] = nil }
    let declared = wasChunked ? nil : fields["Content-Length"].flatMap { Int($0) }
    if head.isWithoutContent(answering: request.method) {
      coding = .none
      if head.status == 204 { fields["Content-Length"] = nil }
    } else if let declared, outline.isComplete ? declared == outline.contentBytes : declared > outline.contentBytes {
      coding = .length
    } else {
      let isWhole = !wasChunked && outline.isWhole && outline.trailers?.isEmpty == true
      coding =
        isWhole ? .length : request.version != .http10 ? .chunked : outline.isComplete ? .close : .length
      // To a client that knows no chunks, one byte more than will come says that the response was cut off.
      fields["Content-Length"] =
        coding == .length ? String(outline.contentBytes + (outline.isComplete ? 0 : 1)) : nil
      if coding == .chunked { fields.append("Transfer-Encoding", "chunked") }
    }
    let closes = head.fields.elements("Connection").contains { $0.equalsIgnoringCase("close") }
    keepsAlive = request.keepsAlive && !closes && coding != .close && outline.isComplete
    if !keepsAlive { fields.append("Connection", "close") }
    if keepsAlive, request.version == .http10 { fields.append("Connection", "keep-alive") }
    self.fields = fields
  }

  var hasContent: Bool { coding != .none }

  /// Adds content, which is not empty, as it goes on the wire: one chunk of it where the answer is chunked.
  func frame(_ content: ArraySlice<UInt8>, into pieces: inout Pieces) {
    guard coding == .chunked else { return pieces.append(content) }
    pieces.append(Array("\(String(content.count, radix: 16))\r\n".utf8))
    pieces.append(content)
    pieces.append([0x0D, 0x0A])
  }

  func end(trailers: Fields) throws(AnswerError) -> [UInt8] {
    guard coding == .chunked else { return [] }
    do throws(CodecError) {
      return try ChunkedCoding.end(trailers: trailers)
    } catch {
      throw .unwritable(error.reason)
    }
  }

  /// Bytes no client takes for HTTP at this point; with a known length there are none, and the response is cut off.
  func garbage(hasHead: Bool) -> [UInt8] {
    hasHead ? (coding == .chunked ? Array("no chunk size\r\n".utf8) : []) : Array("no status line\r\n\r\n".utf8)
  }
}
