/// What a stand-in or a player returns for a request: timed parts, never a bare response.
///
/// ```swift
/// Answer(head: ResponseHead(status: 200), body: Array("{}".utf8), after: .milliseconds(80))
/// ```
public struct Answer: Hashable, Sendable {
  /// A part and when it is due.
  public struct TimedPart: Hashable, Sendable {
    /// When the part is due, counted from the moment the request was complete; never decreasing within an answer.
    public var offset: Duration
    public var part: Part

    public init(at offset: Duration, _ part: Part) {
      self.offset = offset
      self.part = part
    }
  }

  /// One step of a response: any number of `informational`, a `head`, any number of `chunk`, an `end` or a `fault`.
  public enum Part: Hashable, Sendable {
    /// A 1xx head; the final one still comes.
    case informational(ResponseHead)
    /// The head of the final response.
    case head(ResponseHead)
    /// Content as the client would see it on the wire, transfer coding aside.
    case chunk(Chunk)
    /// The response is complete; nothing follows.
    case end(Ending)
    /// The exchange fails here; nothing follows.
    case fault(Fault)
  }

  /// How an exchange fails on purpose.
  public enum Fault: Hashable, Sendable {
    /// Nothing more is sent and the connection stays open until the client gives up.
    case hang
    /// The connection is reset (TCP RST).
    case reset
    /// The connection is closed in an orderly way before the message is complete.
    case truncate
    /// The client sees this very error; a server that cannot produce it on the wire resets instead.
    case error(TransportError)
  }

  /// The connection an `AnswerTransport` tells of once the time to set it up has passed; nil tells of none and takes
  /// none. A server, whose connections are real, ignores it.
  public var connection: Connection?
  /// In order of their offsets. Without an end or a fault the response is cut off behind the last one.
  public var parts: [TimedPart]

  public init(connection: Connection? = nil, parts: [TimedPart]) {
    self.connection = connection
    self.parts = parts
  }

  /// A complete answer in one piece.
  public init(head: ResponseHead, body: [UInt8] = [], after delay: Duration = .zero) {
    let content = body.isEmpty ? [] : [TimedPart(at: delay, .chunk(Chunk(body)))]
    self.init(parts: [TimedPart(at: delay, .head(head))] + content + [TimedPart(at: delay, .end(Ending()))])
  }
}
