package import LaunchHTTP

/// A whole answer of known length that is due at once.
///
/// Nearly every client speaks HTTP/1.1, takes content and stays on its connection: what it gets is the head's bytes and
/// the content, and nothing has to be decided. For any other the answer is looked at part by part.
package struct PreparedAnswer: Sendable {
  private let head: PreparedHead
  private let content: ArraySlice<UInt8>

  /// - Precondition: The head is that of so much content.
  package init(_ head: PreparedHead, _ content: ArraySlice<UInt8>) {
    precondition(head.contentLength == content.count, "the head is not that of this content")
    self.head = head
    self.content = content
  }

  /// - Returns: nil for an answer that is not whole, or that has to say more of its framing than a length.
  package init?(_ answer: Answer) {
    guard let outline = try? AnswerOutline(answer), let head = outline.head, outline.trailers?.isEmpty == true,
      outline.parts.allSatisfy({ $0.offset <= .zero && !$0.part.isInformational })
    else { return nil }
    let chunks = outline.parts.compactMap(\.part.wire)
    let content = chunks.count == 1 ? chunks[0] : Array(chunks.joined())[...]
    guard let prepared = PreparedHead(head, contentLength: content.count) else { return nil }
    self.init(prepared, content)
  }

  package var answer: Answer {
    let chunks = content.isEmpty ? [] : [Answer.TimedPart(at: .zero, .chunk(Chunk(content)))]
    return Answer(
      parts: [Answer.TimedPart(at: .zero, .head(head.head))] + chunks + [Answer.TimedPart(at: .zero, .end(Ending()))])
  }

  /// How many bytes it keeps.
  package var byteCount: Int { head.bytes.count + content.count }

  func wire(to request: RequestHead) throws(AnswerError) -> WireAnswer {
    let isUsual = request.version == .http11 && request.keepsAlive && request.method != "HEAD"
    return isUsual ? WireAnswer(head: head.bytes, content: content) : try WireAnswer(answer, to: request)
  }
}

/// The head of a whole answer, and its bytes.
package struct PreparedHead: Sendable {
  let head: ResponseHead
  let contentLength: Int
  /// With a length of the content, also where the head itself has none.
  let bytes: [UInt8]

  /// - Returns: nil for a head that goes without content or is followed by another one, that says something about its
  ///   framing but the right length, or that cannot be written.
  package init?(_ head: ResponseHead, contentLength: Int) {
    guard head.status >= 200, !head.isWithoutContent(answering: "GET"),
      !["Transfer-Encoding", "Connection", "Keep-Alive"].contains(where: { head.fields[$0] != nil })
    else { return nil }
    var fields = head.fields
    switch fields.values("Content-Length") {
    case []: fields.append("Content-Length", String(contentLength))
    case let lengths: guard lengths.count == 1, Int(lengths[0]) == contentLength else { return nil }
    }
    guard let bytes = try? ResponseHead(status: head.status, fields: fields).serialized() else { return nil }
    self.head = head
    self.contentLength = contentLength
    self.bytes = bytes
  }

  /// Whether it is this head, before so much content.
  package func isOf(_ head: ResponseHead, contentLength: Int) -> Bool {
    self.contentLength == contentLength && self.head == head
  }
}

extension Answer.Part {
  fileprivate var isInformational: Bool { if case .informational = self { true } else { false } }
  fileprivate var wire: ArraySlice<UInt8>? { if case .chunk(let chunk) = self { chunk.wire } else { nil } }
}
