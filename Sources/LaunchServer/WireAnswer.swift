import LaunchHTTP

/// An answer as bytes and moments: what a connection has to write, and how it goes on. Pure: no socket, no clock.
struct WireAnswer: Equatable {
  struct Write: Equatable {
    var offset: Duration
    var bytes: [UInt8]
  }

  /// What follows the last write.
  enum Ending: Equatable {
    case keepAlive
    case close
    case reset
    case hang
  }

  private(set) var writes: [Write] = []
  private(set) var ending = Ending.close
  /// When the ending is due.
  private(set) var endOffset = Duration.zero

  /// - Throws: `AnswerError` when the parts have no order a response could have, or a head cannot be written.
  init(_ answer: Answer, to request: RequestHead) throws(AnswerError) {
    let outline = try AnswerOutline(answer)
    let framing = AnswerFraming(outline, to: request)
    var hasHead = false
    for timed in outline.parts {
      switch timed.part {
      case .informational(let head):
        if request.version != .http10 { add(try wire(head.onWire(fields: head.fields)), at: timed.offset) }
      case .head(let head):
        hasHead = true
        add(try wire(head.onWire(fields: framing.fields)), at: timed.offset)
      case .chunk(let chunk):
        add(framing.content(Array(chunk.wire)), at: timed.offset)
      case .end(let ending):
        add(try framing.end(trailers: ending.trailers), at: timed.offset)
        self.ending = framing.keepsAlive ? .keepAlive : .close
        endOffset = timed.offset
      case .fault(let fault):
        add(fault.isProtocolError ? framing.garbage(hasHead: hasHead) : [], at: timed.offset)
        ending = fault.wireEnding
        endOffset = timed.offset
      }
    }
  }

  /// A one-line answer of the server's own, after which it closes.
  init(status: Int, _ text: String, to method: String) {
    let content = Array("\(text)\n".utf8)
    let fields: Fields = [
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(content.count), "Connection": "close",
    ]
    // These bytes are ours: a head that cannot be written is not possible.
    let head = (try? ResponseHead(status: status, fields: fields).serialized()) ?? []
    writes = [Write(offset: .zero, bytes: head + (method == "HEAD" ? [] : content))]
  }

  private mutating func add(_ bytes: [UInt8], at offset: Duration) {
    if bytes.isEmpty { return }
    if let last = writes.last, last.offset == offset {
      writes[writes.count - 1].bytes += bytes
    } else {
      writes.append(Write(offset: offset, bytes: bytes))
    }
  }
}

/// Why an answer cannot be written as a response.
enum AnswerError: Error, Equatable {
  case disordered
  case unwritable(CodecError.Reason)
}

extension AnswerError: CustomStringConvertible {
  var description: String {
    switch self {
    case .disordered: "the answer's parts are not informational heads, a head, content and an end in this order"
    case .unwritable(let reason): "the answer cannot be written: \(reason)"
    }
  }
}

func wire(_ head: ResponseHead) throws(AnswerError) -> [UInt8] {
  do throws(CodecError) {
    return try head.serialized()
  } catch {
    throw .unwritable(error.reason)
  }
}

extension ResponseHead {
  /// This head as this server writes it: always in HTTP/1.1, also when it was recorded in another version.
  fileprivate func onWire(fields: Fields) -> ResponseHead { ResponseHead(status: status, fields: fields) }
}

extension Answer.Fault {
  fileprivate var isProtocolError: Bool {
    if case .error(let error) = self { error.reason == .protocol } else { false }
  }

  /// The nearest thing a server can do: an error the client makes by itself is left to the client.
  fileprivate var wireEnding: WireAnswer.Ending {
    switch self {
    case .hang: .hang
    case .reset: .reset
    case .truncate: .close
    case .error(let error):
      switch error.reason {
      case .dns, .refused, .connect, .tls, .reset: .reset
      case .timeout, .cancelled: .hang
      case .truncated, .protocol, .unmatched: .close
      }
    }
  }
}
