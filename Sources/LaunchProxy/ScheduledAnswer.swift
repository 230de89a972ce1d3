import LaunchHTTP
import LaunchServer
import LaunchTrace

/// An answer on its way to a client, as the events that its parts become.
struct ScheduledAnswer {
  let call: Int
  /// Where the request went.
  let location: Location
  private let start: Moment
  private var parts: ArraySlice<Answer.TimedPart>
  /// What the chunks add up to, decoded.
  private let content: Body
  private var head: ResponseHead?
  private var wireBytes = 0
  private var contentBytes = 0

  init(_ answer: Answer, content: Body = [], of call: Int, to location: Location, from start: Moment) {
    self.call = call
    self.location = location
    self.start = start
    self.content = content
    parts = answer.parts[...]
  }

  var isOver: Bool { parts.isEmpty }

  /// When the next part is due. A hang never is: it is the absence of an end.
  var due: Moment {
    guard let next = parts.first, next.part != .fault(.hang) else { return .never }
    return start + next.offset
  }

  /// Takes the next part, as the event it becomes.
  mutating func next() -> Event.Step {
    guard let timed = parts.popFirst() else { preconditionFailure("an answer that is over has no next part") }
    switch timed.part {
    case .informational(let head): return .informational(head)
    case .head(let head):
      self.head = head
      return .response(head)
    case .chunk(let chunk):
      wireBytes += chunk.wire.count
      contentBytes += chunk.content.count
      return .chunk(bytes: chunk.content.count)
    case .end(let ending):
      parts = []
      return .end(received(ending))
    case .fault(let fault):
      parts = []
      return .error(error(of: fault), received(Ending(encoding: isEncoded ? encoding : nil)))
    }
  }

  /// How it ends when the client goes away now.
  var cancelled: Event.Step {
    .error(
      TransportError(.cancelled, during: phase, "the client closed the connection"),
      Content(
        Body(content.slice.prefix(contentBytes)), encoding: wireBytes != contentBytes ? encoding : nil,
        wireBytes: wireBytes != contentBytes ? wireBytes : nil))
  }

  private var isEncoded: Bool { wireBytes != content.count }

  private var phase: TransportError.Phase { head == nil ? .response : .body }

  private var encoding: String? { head?.fields.contentEncoding }

  private func received(_ ending: Ending) -> Content {
    Content(
      content, trailers: ending.trailers, encoding: ending.encoding,
      wireBytes: isEncoded ? wireBytes : nil, isRaw: ending.isRaw)
  }

  private func error(of fault: Answer.Fault) -> TransportError {
    switch fault {
    case .hang: TransportError(.timeout, during: phase, "nothing more was recorded")
    case .reset: TransportError(.reset, during: phase, "the connection was reset")
    case .truncate: TransportError(.truncated, during: phase, "the connection was closed too early")
    case .error(let error): error
    }
  }
}

extension Location {
  /// Where the answer `head` sends a client that asked here; nil when it is no redirect.
  func redirectTarget(of head: ResponseHead) -> Location? {
    guard (300..<400).contains(head.status), let reference = head.fields["Location"] else { return nil }
    return try? resolving(reference)
  }
}
