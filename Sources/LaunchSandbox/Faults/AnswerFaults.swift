import LaunchHTTP

extension Answer {
  /// The same parts, each so much later.
  func delayed(by delay: Duration) -> Answer {
    var answer = self
    for index in answer.parts.indices { answer.parts[index].offset += delay }
    return answer
  }

  /// The same head, and the content in ten pieces a second at most: at `rate` bytes a second.
  func slowed(to rate: Int) -> Answer {
    let body = parts.flatMap { if case .chunk(let chunk) = $0.part { Array(chunk.content) } else { [UInt8]() } }
    guard let head = parts.first(where: { if case .head = $0.part { true } else { false } }), !body.isEmpty else {
      return self
    }
    let piece = max(1, rate / 10)
    var parts = [head]
    var sent = 0
    var due = head.offset
    while sent < body.count {
      let end = min(sent + piece, body.count)
      due = head.offset + .microseconds(Int64(end) * 1_000_000 / Int64(max(rate, 1)))
      parts.append(TimedPart(at: due, .chunk(Chunk(body[sent..<end]))))
      sent = end
    }
    parts.append(TimedPart(at: due, .end(Ending())))
    return Answer(connection: connection, parts: parts)
  }
}
