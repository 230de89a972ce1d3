package import LaunchHTTP

/// A whole answer whose content is made while it is sent, so that only the part on its way is in memory.
///
/// ```swift
/// StreamedAnswer(head: ResponseHead(status: 200), content: (1...1000).lazy.map { Array("\($0)\n".utf8) })
/// ```
package struct StreamedAnswer: Sendable {
  fileprivate let head: ResponseHead
  fileprivate let makeContent: @Sendable () -> AnyIterator<[UInt8]>

  /// - Parameter content: Its pieces. Each is asked for on the server's thread when the client has taken the one before it,
  ///   so it must be made promptly.
  package init(head: ResponseHead, content: some Sequence<[UInt8]> & Sendable) {
    self.head = head
    makeContent = { AnyIterator(content.makeIterator()) }
  }

  /// The same with all its content at hand.
  package var answer: Answer { Answer(head: head, body: Array(makeContent().joined())) }
}

/// A streamed answer to one request, as bytes: its head, then its content piece by piece.
struct StreamedContent {
  let head: Pieces
  /// What follows the last piece.
  let ending: WireAnswer.Ending
  private let framing: AnswerFraming
  private let end: [UInt8]
  /// Nil when nothing more is to be sent.
  private var content: AnyIterator<[UInt8]>?

  /// - Throws: `AnswerError` when the head cannot be written.
  init(_ answer: StreamedAnswer, to request: RequestHead) throws(AnswerError) {
    var head = answer.head
    // How long it will be is not known.
    head.fields["Content-Length"] = nil
    head.fields["Transfer-Encoding"] = "chunked"
    framing = AnswerFraming(try AnswerOutline(Answer(head: head)), to: request)
    ending = framing.keepsAlive ? .keepAlive : .close
    end = try framing.end(trailers: [:])
    var pieces = Pieces()
    pieces.append(try wire(ResponseHead(status: head.status, fields: framing.fields)))
    self.head = pieces
    content = framing.hasContent ? answer.makeContent() : nil
  }

  /// What to send next behind the head; nil when that was all.
  mutating func next() -> Pieces? {
    guard let content else { return nil }
    var pieces = Pieces()
    if let part = content.next() {
      // An empty chunk would be the end.
      if !part.isEmpty { framing.frame(part[...], into: &pieces) }
    } else {
      pieces.append(end)
      self.content = nil
    }
    return pieces
  }
}
