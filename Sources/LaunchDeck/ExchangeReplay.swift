package import LaunchHTTP
package import LaunchTrace

extension Exchange {
  /// From the request until it has been sent. A connection that was already open takes no time: what the recording
  /// waited there was its own queueing.
  var setUp: Duration {
    guard let sent, let connection, !connection.connection.isReused else { return .zero }
    return max(.zero, sent - requested)
  }

  /// The recorded events as an answer, counted from `sent`, or from the request when that was not recorded.
  ///
  /// The content is dealt out again in the sizes of the recorded chunks; what an edit added comes with the end, and what
  /// it took away is missing from the last ones. A call without an end hangs after what was recorded of it.
  package var answer: Answer {
    let origin = sent ?? requested
    var content = recordedContent
    var parts: [Answer.TimedPart] = []
    for timed in steps {
      let offset = max(.zero, timed.at - origin)
      func add(_ part: Answer.Part) { parts.append(Answer.TimedPart(at: offset, part)) }
      switch timed.step {
      case .request, .connection, .sent: break
      case .informational(let head): add(.informational(head))
      case .response(let head): add(.head(head))
      case .chunk(let bytes):
        let piece = content.prefix(bytes)
        content = content.dropFirst(bytes)
        if !piece.isEmpty || bytes == 0 { add(.chunk(Chunk(piece))) }
      case .end(let ending) where ending.isMissing:
        let message = "the body of call \(call) was not recorded; record it again, or add it to the cassette by hand"
        add(.fault(.error(TransportError(.protocol, during: .body, message))))
      case .end(let ending):
        if !content.isEmpty { add(.chunk(Chunk(content))) }
        add(.end(Ending(trailers: ending.trailers, encoding: ending.encoding, isRaw: ending.isRaw)))
      case .error(let error, _):
        if !content.isEmpty { add(.chunk(Chunk(content))) }
        add(.fault(.error(error)))
      }
    }
    if end == nil { parts.append(Answer.TimedPart(at: parts.last?.offset ?? .zero, .fault(.hang))) }
    return Answer(parts: parts)
  }

  private var recordedContent: ArraySlice<UInt8> {
    switch steps.last?.step {
    case .end(let content), .error(_, let content): content.body.slice
    default: []
    }
  }
}
