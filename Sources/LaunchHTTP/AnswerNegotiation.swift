/// Encodes content that is sent in `pieces`, each of which the receiver can decode when it arrives.
///
/// Returns the encoded pieces, and behind them one that ends the encoding; nil for an encoding it has no codec for. The
/// encoding is the value of a Content-Encoding field. `LaunchCodings.encode(pieces:as:)` is one.
public typealias PieceEncoder = @Sendable (_ pieces: [ArraySlice<UInt8>], _ encoding: String) -> [[UInt8]]?

extension Answer {
  /// This recorded answer in the form that `request` asks for. Its chunks hold the content with nothing to undo.
  ///
  /// A client that takes the recorded encoding gets it again, each chunk flushed so that its timing stays; the bytes may
  /// differ from the recorded ones, what they decode to never does. Any other client gets the content itself, without
  /// `Content-Encoding`. `Vary` and `ETag` stay as they are, and so does a body that was recorded raw. An answer that
  /// has no content by its status or method loses its chunks and nothing else.
  ///
  /// `Content-Length` is corrected where it is wrong; that of an answer that is cut off stays while it still says that
  /// something is missing, and is left out otherwise.
  ///
  /// - Parameters:
  ///   - recorded: The request that was answered so. A client that does not say what it takes gets the recorded encoding
  ///     only if this one did not say so either: RFC 9110 allows both then, and servers send such clients the content.
  ///   - encoding: What the recording undid, `gzip` or `gzip, br`; nil when there was nothing, or the body is raw.
  ///   - encode: When it has no codec, the client gets the content itself.
  package func negotiated(
    for request: Request, recorded: Request, encoding: String?, encode: PieceEncoder
  ) -> Answer {
    guard let head = parts.lazy.compactMap(\.part.finalHead).first else { return self }
    if head.isWithoutContent(answering: request.method) { return withoutContent }
    guard let encoding else { return withLength(isRecordedForm: true) }
    let accepted = AcceptEncoding(request.fields)
    let isWanted = accepted.isStated || !AcceptEncoding(recorded.fields).isStated
    if isWanted && accepted.allows(encoding) || !accepted.allows("identity"),
      let encoded = encoded(as: encoding, by: encode)
    {
      return encoded.withLength(isRecordedForm: true)
    }
    return decoded.withLength(isRecordedForm: false)
  }

  /// Whether the response ends as it should.
  private var isComplete: Bool {
    for timed in parts {
      switch timed.part {
      case .end: return true
      case .fault: return false
      case .informational, .head, .chunk: continue
      }
    }
    return false
  }

  private var chunks: [Chunk] { parts.compactMap(\.part.chunk) }

  private func encoded(as encoding: String, by encode: PieceEncoder) -> Answer? {
    let pieces = chunks.map(\.content)
    // A body without bytes has no encoding.
    guard !pieces.isEmpty else { return decoded }
    guard var encoded = encode(pieces, encoding), encoded.count == pieces.count + 1 else { return nil }
    let end = encoded.removeLast()
    if isComplete { encoded[encoded.count - 1] += end }
    var wires = encoded[...]
    return mapParts { part in
      switch part {
      case .chunk(var chunk):
        chunk.wire = wires.popFirst()?[...] ?? []
        return .chunk(chunk)
      case .end(var ending):
        ending.encoding = encoding
        return .end(ending)
      case .informational, .head, .fault: return part
      }
    }
  }

  /// The content itself.
  private var decoded: Answer {
    mapParts { part in
      switch part {
      case .head(var head):
        head.fields["Content-Encoding"] = nil
        return .head(head)
      case .chunk(let chunk): return .chunk(Chunk(chunk.content))
      case .end(let ending): return .end(Ending(trailers: ending.trailers))
      case .informational, .fault: return part
      }
    }
  }

  private var withoutContent: Answer {
    var answer = mapParts { part in
      if case .end(let ending) = part { .end(Ending(trailers: ending.trailers)) } else { part }
    }
    answer.parts.removeAll { $0.part.chunk != nil }
    return answer
  }

  private func withLength(isRecordedForm: Bool) -> Answer {
    let length = chunks.reduce(0) { $0 + $1.wire.count }
    return mapParts { part in
      guard case .head(var head) = part, let value = head.fields["Content-Length"] else { return part }
      let declared = head.fields.values("Content-Length").count == 1 ? Int(value) : nil
      let saysMore = isRecordedForm && declared ?? 0 > length
      if head.fields["Transfer-Encoding"] != nil || !isComplete && !saysMore {
        // RFC 9112 section 6.2 forbids it beside Transfer-Encoding.
        head.fields["Content-Length"] = nil
      } else if isComplete && declared != length {
        head.fields["Content-Length"] = String(length)
      }
      return .head(head)
    }
  }

  private func mapParts(_ change: (Part) -> Part) -> Answer {
    Answer(connection: connection, parts: parts.map { TimedPart(at: $0.offset, change($0.part)) })
  }
}

extension Answer.Part {
  fileprivate var finalHead: ResponseHead? { if case .head(let head) = self { head } else { nil } }
  fileprivate var chunk: Chunk? { if case .chunk(let chunk) = self { chunk } else { nil } }
}
