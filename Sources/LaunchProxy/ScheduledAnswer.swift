import LaunchHTTP
import LaunchTrace

/// An answer on its way to a client, as the events that its parts become.
struct ScheduledAnswer {
  let call: Int
  /// Where the request went.
  let location: Location
  private let start: ContinuousClock.Instant
  private var parts: ArraySlice<Answer.TimedPart>
  /// What the chunks add up to, decoded.
  private let content: Body
  private var head: ResponseHead?
  private var wireBytes = 0

  init(
    _ answer: Answer, content: Body = [], of call: Int, to location: Location, from start: ContinuousClock.Instant
  ) {
    self.call = call
    self.location = location
    self.start = start
    self.content = content
    parts = answer.parts[...]
  }

  var isOver: Bool { parts.isEmpty }

  /// When the next part is due.
  var due: ContinuousClock.Instant { start + (parts.first?.offset ?? .zero) }

  /// Takes the next part; nil for one that leaves no event: a hang is the absence of an end.
  mutating func next() -> Event.Step? {
    guard let timed = parts.popFirst() else { return nil }
    switch timed.part {
    case .informational(let head): return .informational(head)
    case .head(let head):
      self.head = head
      return .response(head)
    case .chunk(let chunk):
      wireBytes += chunk.wire.count
      return .chunk(bytes: chunk.content.count)
    case .end(let ending):
      parts = []
      return .end(received(ending))
    case .fault(let fault):
      parts = []
      let isEncoded = wireBytes != content.count
      return error(of: fault).map { .error($0, received(Ending(encoding: isEncoded ? encoding : nil))) }
    }
  }

  private var encoding: String? { head?.fields.contentEncoding }

  private func received(_ ending: Ending) -> Content {
    Content(
      content, trailers: ending.trailers, encoding: ending.encoding,
      wireBytes: wireBytes == content.count ? nil : wireBytes, isRaw: ending.isRaw)
  }

  private func error(of fault: Answer.Fault) -> TransportError? {
    let phase: TransportError.Phase = head == nil ? .response : .body
    switch fault {
    case .hang: return nil
    case .reset: return TransportError(.reset, during: phase, "the connection was reset")
    case .truncate: return TransportError(.truncated, during: phase, "the connection was closed too early")
    case .error(let error): return error
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
