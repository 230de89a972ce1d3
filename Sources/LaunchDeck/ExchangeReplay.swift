package import LaunchHTTP
package import LaunchTrace

extension Exchange {
  /// The recorded events as an answer, counted from `sent`, or from the request when that was not recorded.
  ///
  /// The content is dealt out again in the sizes of the recorded chunks; what an edit added comes with the end, and what
  /// it took away is missing from the last ones. A call without an end hangs after what was recorded of it.
  package var answer: Answer {
    let origin = sent ?? requested
    var content = recordedContent
    var hasResponse = false
    var parts: [Answer.TimedPart] = []
    parts.reserveCapacity(steps.count + 1)
    for timed in steps {
      let offset = max(.zero, timed.at - origin)
      func add(_ part: Answer.Part) { parts.append(Answer.TimedPart(at: offset, part)) }
      switch timed.step {
      case .request, .connection, .sent: break
      case .informational(let head): add(.informational(head))
      case .response(let head):
        hasResponse = true
        add(.head(head))
      case .chunk(let bytes):
        let piece = content.prefix(max(0, bytes))
        content = content.dropFirst(piece.count)
        if !piece.isEmpty || bytes == 0 { add(.chunk(Chunk(piece))) }
      case .end(let ending) where ending.isMissing, .error(_, let ending) where ending.isMissing:
        let message =
          "the body of call \(call) was not recorded, or was withheld because of a secret in it; record it again, or add it to "
          + "the cassette by hand"
        add(.fault(.error(TransportError(.protocol, during: .body, message))))
      case .end where !hasResponse:
        let message = "call \(call) has an end and no response; add the response line to the cassette"
        add(.fault(.error(TransportError(.protocol, during: .response, message))))
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
