import LaunchHTTP

/// An answer as bytes and moments: what a connection has to write, and how it goes on. Pure: no socket, no clock.
struct WireAnswer: Equatable, Sendable {
  /// What is due at one moment.
  struct Write: Equatable, Sendable {
    var offset: Duration
    var pieces = Pieces()
  }

  /// What follows the last write.
  enum Ending: Equatable, Sendable {
    case keepAlive
    case close
    case reset
    case hang
  }

  private(set) var writes: [Write] = []
  private(set) var ending = Ending.close
  /// When the ending is due.
  private(set) var endOffset = Duration.zero

  /// Whether nothing of it has to wait.
  var isDueAtOnce: Bool { endOffset <= .zero && writes.allSatisfy { $0.offset <= .zero } }

  /// - Throws: `AnswerError` when the parts have no order a response could have, or a head cannot be written.
  init(_ answer: Answer, to request: RequestHead) throws(AnswerError) {
    let outline = try AnswerOutline(answer)
    let framing = AnswerFraming(outline, to: request)
    var hasHead = false
    for timed in outline.parts {
      switch timed.part {
      case .informational(let head):
        if request.version != .http10 {
          let bytes = try wire(head.onWire(fields: head.fields))
          write(at: timed.offset) { $0.append(bytes) }
        }
      case .head(let head):
        hasHead = true
        let bytes = try wire(head.onWire(fields: framing.fields))
        write(at: timed.offset) { $0.append(bytes) }
      case .chunk(let chunk):
        if framing.hasContent, !chunk.wire.isEmpty {
          write(at: timed.offset) { framing.frame(chunk.wire, into: &$0) }
        }
      case .end(let ending):
        let bytes = try framing.end(trailers: ending.trailers)
        if !bytes.isEmpty { write(at: timed.offset) { $0.append(bytes) } }
        self.ending = framing.keepsAlive ? .keepAlive : .close
        endOffset = timed.offset
      case .fault(let fault):
        let bytes = fault.isProtocolError ? framing.garbage(hasHead: hasHead) : []
        if !bytes.isEmpty { write(at: timed.offset) { $0.append(bytes) } }
        ending = fault.wireEnding
        endOffset = timed.offset
      }
    }
  }

  /// A whole response whose head says how long its content is, after which the connection stays open.
  init(head: [UInt8], content: ArraySlice<UInt8>) {
    write(at: .zero) { pieces in
      pieces.append(head)
      pieces.append(content)
    }
    ending = .keepAlive
  }

  /// A one-line answer of the server's own, after which it closes.
  init(status: Int, _ text: String, to method: String) {
    let content = Array("\(text)\n".utf8)
    let fields: Fields = [
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(content.count), "Connection": "close",
    ]
    // These bytes are ours: a head that cannot be written is not possible.
    let head = (try? ResponseHead(status: status, fields: fields).serialized()) ?? []
    write(at: .zero) { $0.append(head + (method == "HEAD" ? [] : content)) }
  }

  private mutating func write(at offset: Duration, _ append: (inout Pieces) -> Void) {
    if writes.last?.offset != offset { writes.append(Write(offset: offset)) }
    append(&writes[writes.count - 1].pieces)
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
